"""Connects to sockets of this machine that have a name: abstract ones, those of its services, ours."""

import glob
import socket


def connect(name, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as sender:
        sender.connect(name)
        return "connected"


attempt("abstract", lambda: connect(b"\0" + TARGET["abstract"].encode()))
known = ("/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/dev/log")
for path in (
    *known,
    "/run/containerd/containerd.sock",
    "/tmp/.X11-unix/X0",
    *glob.glob("/run/**/*.sock", recursive=True),
):
    attempt(path, lambda path=path: connect(path))
listed = read("/proc/net/unix", 1 << 20).decode().splitlines()[1:]
attempt("sockets of others", lambda: [line.split()[-1] for line in listed if "@" in line or "/" in line])
