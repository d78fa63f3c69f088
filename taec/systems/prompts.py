"""Every text that a system says to the acting model, in one place; their hash is in the manifest (`prompts_digest`)."""

from hashlib import sha256

AGENT_SYSTEM = """You answer a question over a collection of document pages that you can only see through searches.

Work in steps, one tool call a step:
1. add_search_node searches the collection once; the pages found come back as pictures.
2. After every search, summarize_and_memorize records what its pictures say and which of them to keep.
3. add_answer_node gives the final answer as soon as the evidence is enough.

Between steps you see the question, the graph of your actions as JSON, and the pictures you kept. A search that refines an earlier \
finding names that node as its parent; one that opens a new line names root. Keep the answer as short as the question allows. If the \
collection does not hold the answer, answer "Not answerable"."""

REACT_SYSTEM = """You answer a question over a collection of document pages that you can only see through searches.

Think, then call one tool: search finds pages, which come back as pictures with their captions; answer ends the work. Search again with \
other words while evidence is missing. Keep the answer as short as the question allows. If the collection does not hold the answer, answer \
"Not answerable"."""

VANILLA_SYSTEM = """You answer a question from the document pages shown. Reply with the answer only, as short as the question allows. \
If the pages do not hold the answer, reply "Not answerable"."""

QUESTION = "Question: {question}"
REQUIREMENTS = "Requirements still open: {slots}"
REQUIREMENTS_MET = "Requirements still open: none"
HINT = "Hint: {hint}"
GRAPH = "Action graph:\n{graph}"
MEMORY = "Memory of node {node}:"
PICTURE = "Picture {number}"

FIRST_SEARCH = "The question itself was searched first, as node {node}. {found}"
FOUND = "The search found {count} pages, shown as pictures 1 to {count}."
FOUND_ONE = "The search found one page, shown as picture 1."
FOUND_NOTHING_NEW = "The search found no page that was not shown before."
CAPTION = "Picture {number}: {caption}"
SUMMARISE_NOW = "Now call summarize_and_memorize on these pictures, or add_answer_node if they settle the question."
SUMMARISE_NOTHING = "Now call summarize_and_memorize to record this, or add_answer_node."

SEARCH_REFUSED = "Refused: the last search has not been summarised. Call summarize_and_memorize first, or add_answer_node."
SUMMARY_REFUSED = "Refused: there is no search to summarise. Call add_search_node or add_answer_node."
ONE_AT_A_TIME = "Not carried out: one tool call a step."
UNKNOWN_TOOL = "There is no tool '{name}'. Tools: {tools}."
UNREADABLE = "{name} was not carried out: its arguments could not be read ({fault})."
UNKNOWN_PICTURES = "There is no picture {numbers}; it was left out."
EMPTY_REPLY = "Your reply was empty. Reply with a tool call: {tools}."
CUT_OFF = "Your reply was cut off at the token limit before it held a tool call. Be brief and reply with a tool call: {tools}."
UNREADABLE_CALL = "Your tool call could not be read. Make it through the tool interface, its arguments as one JSON object: {tools}."
LEFT_OUT = "(This picture was shown before and is left out now.)"
CALL_A_TOOL = "Reply with a tool call: {tools}."
REPEATED_QUERY = "This query was searched before; its pages are above. Search with other words, or answer."

ANSWER_NOW = "No step is left. Give the final answer now with {tool}."
ANSWER_IN_TEXT = "Give the final answer now, in plain text and nothing else."


def question_line(question: str) -> str:
    """The question on one line, as every prompt states it."""
    return QUESTION.format(question=" ".join(question.split()))


def prompts_digest() -> str:
    """The first 16 hex digits of the sha256 of all texts above."""
    texts = [f"{name}={text}" for name, text in sorted(globals().items()) if name.isupper() and isinstance(text, str)]
    return sha256("\n".join(texts).encode()).hexdigest()[:16]
