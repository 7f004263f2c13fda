"""Makes symbolic and hard links to files of the host and opens what they lead to."""

import os

for at, path in enumerate([TARGET["secret"], TARGET["canary"], "/etc/shadow", "/proc/1/root", "/proc/1/cwd/.."]):
    link = f"/tmp/link-{at}"
    attempt(f"symbolic link to {path}", lambda link=link, path=path: os.symlink(path, link) or read(link))
    attempt(f"hard link to {path}", lambda link=link, path=path: os.link(path, link + "-hard") or read(link + "-hard"))
    attempt(f"writing by a link to {path}", lambda link=link: write(link, TARGET["mark"]))
