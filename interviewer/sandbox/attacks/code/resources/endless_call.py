"""Never comes back from native code, in which no other thread of Python can run either."""

import re

print("TRIED", flush=True)
re.match(r"(a+)+$", "a" * 64 + "b")
