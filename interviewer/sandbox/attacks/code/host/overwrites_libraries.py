"""Changes torch, Python and what the next submission would load: by writing, renaming, deleting, changing rights."""

import os
import site
import sys
import sysconfig

import torch

packages = sysconfig.get_path("purelib")
here = os.path.dirname(torch.__file__)
for path in (
    torch.__file__,
    os.path.join(here, "version.py"),
    os.__file__,
    "/program/inside/runner.py",
    sys.executable,
):
    attempt(f"writing {path}", lambda path=path: open(path, "r+b").close())
    attempt(f"deleting {path}", lambda path=path: os.unlink(path))
    attempt(f"renaming {path}", lambda path=path: os.rename(path, path + "~"))
    attempt(f"rights of {path}", lambda path=path: os.chmod(path, 0o777))
    attempt(f"times of {path}", lambda path=path: os.utime(path, (0, 0)))
    attempt(f"owner of {path}", lambda path=path: os.chown(path, os.getuid(), -1))
    attempt(f"attributes of {path}", lambda path=path: os.setxattr(path, "user.evil", b"1"))
for folder in (packages, here, *site.getsitepackages(), *(path for path in sys.path if path.startswith("/"))):
    for name in ("sitecustomize.py", "usercustomize.py", "evil.pth"):
        attempt(f"{name} in {folder}", lambda: open(os.path.join(folder, name), "x"))
