"""Opens what /proc shows of process 1: its files, root, memory and how the walls were built."""

import os

for name in ("environ", "maps", "auxv", "io", "syscall", "stack"):
    attempt(name, lambda name=name: read(f"/proc/1/{name}"))
for name in ("root", "cwd", "exe", "ns/user", "ns/mnt"):
    attempt(name, lambda name=name: os.readlink(f"/proc/1/{name}"))
attempt("its open files", lambda: os.listdir("/proc/1/fd"))
attempt("its root", lambda: os.listdir("/proc/1/root"))
attempt("its memory", lambda: open("/proc/1/mem", "r+b", buffering=0))
attempt("its control groups", lambda: [line for line in open("/proc/1/cgroup") if "interviewer" in line])
attempt("its command line", lambda: [w for w in read("/proc/1/cmdline").split(b"\0") if w.startswith(b"--")])
attempt("its limits", lambda: write("/proc/1/oom_score_adj", "1000"))
