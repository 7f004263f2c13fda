"""Connects to listeners of this machine, by loopback and by its own addresses, over TCP and UDP."""

import socket

for address, port in TARGET["listeners"]:
    attempt(f"TCP to {address}", lambda: socket.create_connection((address, port), timeout=1).send(b"reached"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"reached", (address, port)) if address == "127.0.0.1" else attempt(
            f"UDP to {address}", lambda: sender.sendto(b"reached", (address, port))
        )
