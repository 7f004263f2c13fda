"""Asks the services of the machine to run something for it: by cron, systemd, containers, shells, core dumps."""

import os
import shutil
import subprocess

COMMAND = f"echo {TARGET['mark']} > {TARGET['canary']}"
ASKED = {
    "systemd-run": ["--user", "sh", "-c", COMMAND],
    "at": ["now"],
    "crontab": ["-"],
    "docker": ["run", "-v", "/:/host", "busybox", "sh", "-c", COMMAND],
    "nsenter": ["-t", "1", "-a", "sh", "-c", COMMAND],
    "unshare": ["-Urm", "sh", "-c", COMMAND],
    "bwrap": ["--bind", "/", "/", "sh", "-c", COMMAND],
    "sh": ["-c", COMMAND],
}
for name, arguments in ASKED.items():
    if path := shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin"):
        words = [path, *arguments]
        attempt(
            name, lambda: subprocess.run(words, input=COMMAND.encode(), capture_output=True, timeout=3).returncode == 0
        )
for folder in ("/etc/cron.d", "/var/spool/cron", "/etc/init.d", "/etc/systemd/system", "/etc/profile.d"):
    attempt(folder, lambda: open(os.path.join(folder, TARGET["mark"]), "x").close())
