"""Adds interfaces, addresses and routes to its own network, or enters another."""

import fcntl
import socket
import struct


def flags():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0))


def netlink(kind, payload):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as route:
        route.send(struct.pack("=IHHII", 16 + len(payload), kind, 0x605, 1, 0) + payload)
        answer = route.recv(4096)
        if code := struct.unpack_from("=i", answer, 16)[0]:
            raise OSError(-code, "netlink")


attempt("loopback down", flags)
attempt(
    "a dummy interface",
    lambda: netlink(16, struct.pack("=BxHiII", 0, 0, 0, 0, 0) + struct.pack("=HH6sxx", 10, 3, b"evil0")),
)
attempt(
    "an address", lambda: netlink(20, struct.pack("=BBBBi", 2, 8, 0, 0, 1) + struct.pack("=HH4B", 8, 2, 10, 9, 8, 7))
)
attempt("a tunnel", lambda: fcntl.ioctl(open("/dev/net/tun", "r+b", buffering=0), 0x400454CA, bytes(40)))
