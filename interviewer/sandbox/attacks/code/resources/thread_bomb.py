"""Starts threads until no more can be had, and keeps them."""

import threading

print("TRIED", flush=True)
waiting = threading.Event()
threading.stack_size(1 << 16)
while True:
    try:
        threading.Thread(target=waiting.wait, daemon=True).start()
    except (RuntimeError, MemoryError):
        pass
