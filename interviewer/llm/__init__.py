"""The language model, a guest: opened through LangChain, asked within limits, and never able to hold up a turn.

``open_language_model`` makes the process's LanguageModel from the settings; ``LanguageModel.turn`` gives a TurnModel, which
steps of an interview ask for text, for data and for the next message of an agent. Whatever goes wrong ends as ModelFailed
within the time that was allowed. Does not know what it is asked about.
"""

from interviewer.llm.asking import Said
from interviewer.llm.failures import ModelFailed, in_words
from interviewer.llm.lazy import LazyModel
from interviewer.llm.model import LanguageModel, TurnModel, open_language_model

__all__ = ["LanguageModel", "LazyModel", "ModelFailed", "Said", "TurnModel", "in_words", "open_language_model"]
