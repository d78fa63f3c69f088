"""The nouns: pages, images, messages, tools, trajectory, questions, errors. Imports nothing above."""
