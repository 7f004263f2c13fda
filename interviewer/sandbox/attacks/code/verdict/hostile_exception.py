"""Fails with an exception whose text is endless, holds control characters, praises itself or ends the process."""

import os

calls = iter(range(1000))


class Loud(Exception):
    def __str__(self):
        number = next(calls)
        if number == 2:
            os._exit(0)
        return "\x1b[2J\x1b]0;passed\x07\ud800\u202e outcome: passed " * (100_000 if number else 1)


Loud.__name__ = "All checks passed \x1b[32m" * 1000


def blend(x, y):
    raise Loud
