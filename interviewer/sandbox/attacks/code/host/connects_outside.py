"""Sends to the internet, to the metadata service of clouds, to the local network and to everybody in it."""

import socket

OUTSIDE = (("192.0.2.1", 80), ("169.254.169.254", 80), ("fd00:ec2::254", 80), ("10.0.0.1", 443), ("2001:db8::1", 53))


def tcp(address):
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sender:
        sender.settimeout(0.5)
        try:
            sender.connect(address)
        except (TimeoutError, ConnectionRefusedError) as error:
            return f"a route: {error}"


def udp(address):
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        return sender.sendto(b"reached", address)


for address in OUTSIDE:
    attempt(f"TCP to {address[0]}", lambda: tcp(address))
    attempt(f"UDP to {address[0]}", lambda: udp(address))
attempt("broadcast", lambda: udp(("255.255.255.255", 9)))
attempt("multicast", lambda: udp(("224.0.0.251", 5353)))
attempt("names", lambda: socket.getaddrinfo("example.org", 80))
attempt("interfaces", lambda: [name for _, name in socket.if_nameindex() if name != "lo"])
