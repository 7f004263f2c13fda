"""Takes memory until there is no more."""

print("TRIED", flush=True)
kept = []
while True:
    kept.append(bytearray(b"x") * (16 << 20))
