"""What the processes of ``tests.forks`` need not import, nor read, again."""

import chromadb
import langgraph.graph
import sentence_transformers
import torch

import interviewer.house
import interviewer.surfaces.cli
from interviewer.bank.corpus import own_questions

__all__ = ["chromadb", "interviewer", "langgraph", "sentence_transformers", "torch"]

own_questions()
