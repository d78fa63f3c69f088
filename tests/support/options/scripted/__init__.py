"""Options as another package brings them: an instant model, a tiny benchmark, a retriever and a judge, each by an entry point.

What goes wrong is written into the question: `[raise]` breaks the model, `[down]` is a service that is down (until SCRIPTED_UP is
set), `[wrong]` gets a wrong answer, `[empty]` none, `[undecided]` no verdict (until SCRIPTED_UP is set).
"""
