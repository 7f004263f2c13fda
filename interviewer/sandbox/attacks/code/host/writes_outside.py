"""Writes a file into every folder there is, and changes one of the host's."""

import os

attempt("a file of the host", lambda: write(TARGET["canary"], TARGET["mark"]))
attempt("a folder of the host", lambda: open(os.path.join(TARGET["folder"], TARGET["mark"]), "w"))
own = ("/tmp", "/dev/shm", "/proc")
for folder, folders, _ in os.walk("/"):
    folders[:] = [each for each in folders if not os.path.join(folder, each).startswith(own)]
    try:
        os.close(os.open(os.path.join(folder, TARGET["mark"]), os.O_CREAT | os.O_WRONLY))
        print("GOT", folder)
    except OSError:
        pass
print("TRIED every folder")
for path in ("/dev/null", "/proc/self/mem"):
    attempt(f"more of {path}", lambda path=path: os.chmod(path, 0o4777))
