"""Lists and reads the project itself: judges, solutions, tests and this list."""

import os

for folder in TARGET["project"]:
    attempt(folder, lambda folder=folder: os.listdir(folder))
    attempt(f"{folder} from below", lambda folder=folder: os.listdir(f"/proc/self/root/{folder}/.."[:-3] + "/."))
attempt("what is beside the runner", lambda: [name for name in os.listdir("/program") if name != "inside"])
