"""Question documents, as people publish them, into questions with their answers.

Knows five shapes of documents (see ``shapes``) and no document by its wording. Does not judge answers, repair code
or fetch anything.
"""

from interviewer.bank.documents.reader import read_document
from interviewer.bank.documents.values import Document, DocumentQuestion

__all__ = ["Document", "DocumentQuestion", "read_document"]
