"""What the processes of ``tests.forks`` need not import again."""

import chromadb
import langgraph.graph
import sentence_transformers
import torch

import interviewer.house
import interviewer.surfaces.cli

__all__ = ["chromadb", "interviewer", "langgraph", "sentence_transformers", "torch"]
