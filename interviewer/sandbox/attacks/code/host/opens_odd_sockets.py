"""Opens sockets that a network namespace does not hold or that reach deep into the kernel: vsock, packets, crypto."""

import socket


def vsock():
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as sender:
        sender.settimeout(0.5)
        try:
            sender.connect((socket.VMADDR_CID_HOST, 1024))
        except OSError as error:
            return f"a socket: {error}"


attempt("vsock", vsock)
attempt("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)))
attempt("raw IP", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt("kernel crypto", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))
attempt("bluetooth", lambda: socket.socket(31, socket.SOCK_RAW, 1))
attempt("CAN", lambda: socket.socket(29, socket.SOCK_RAW, 1))
attempt("TIPC", lambda: socket.socket(30, socket.SOCK_SEQPACKET))
attempt("RDS", lambda: socket.socket(21, socket.SOCK_SEQPACKET))
