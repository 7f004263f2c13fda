"""Becomes root again: by changing its user, by capabilities, by programs that are set-uid, by an interpreter that is."""

import os
import shutil
import subprocess

for name, change in {
    "setuid": lambda: os.setuid(0),
    "setgid": lambda: os.setgid(0),
    "setreuid": lambda: os.setreuid(0, 0),
    "setresuid": lambda: os.setresuid(0, 0, 0),
    "setgroups": lambda: os.setgroups([0]),
}.items():
    attempt(name, change)
for program in ("su", "sudo", "mount", "pkexec", "newuidmap", "passwd", "ping"):
    if path := shutil.which(program, path="/usr/bin:/bin:/usr/sbin:/sbin"):
        code = "import os; exit(0 if 0 in os.getresuid() else 1)"
        asked_for = [path, "-c", f"python3 -c '{code}'"] if program == "su" else [path, "python3", "-c", code]
        attempt(path, lambda: subprocess.run(asked_for, capture_output=True, timeout=2).returncode == 0)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
    attempt(name, lambda: int(status[name], 16) != 0 and status[name])
attempt("new privileges", lambda: status["NoNewPrivs"].strip() != "1" and "allowed")
attempt("root by name", lambda: 0 in (*os.getresuid(), *os.getresgid()) and "already")
shutil.copy("/bin/sh", "/tmp/sh")
attempt("set-uid shell", lambda: os.chmod("/tmp/sh", 0o4755) or os.chown("/tmp/sh", 0, 0))
