"""A played model behind the same door as any other."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import tool

from interviewer.llm import LanguageModel, TurnModel
from interviewer.llm.opening import Opened
from interviewer.prompts import Rendered
from interviewer.settings import Settings

PROMPT = Rendered(name="example", version=3, digest="0123456789ab", system="You are tried out.", user="Say so.")
DATA = PROMPT.model_copy(
    update={
        "schema_": {
            "type": "object",
            "properties": {"verdict": {"enum": ["covered", "missing"]}},
            "required": ["verdict"],
            "additionalProperties": False,
        }
    }
)


@tool
def run_code(code: str) -> str:
    """Runs a few lines."""
    return code


def turn_of(chat: BaseChatModel, settings: Settings) -> TurnModel:
    opened = Opened("played", chat)
    return LanguageModel(settings, opened, opened).turn()
