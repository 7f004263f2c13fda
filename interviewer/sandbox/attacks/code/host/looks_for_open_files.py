"""Uses whatever file it was left with: sockets to whoever made it, folders that lead out, the memory of others."""

import os
import socket
import stat


def kind(file):
    mode = os.fstat(file).st_mode
    return stat.S_ISSOCK(mode), stat.S_ISDIR(mode), os.readlink(f"/proc/self/fd/{file}")


for file in range(256):
    try:
        is_socket, is_folder, name = kind(file)
    except OSError:
        continue
    if is_socket:
        attempt(f"socket {file}", lambda: socket.socket(fileno=os.dup(file)).send(b'{"walls": false}') and name)
    if is_folder:
        attempt(f"folder {file}", lambda: os.listdir(f"/proc/self/fd/{file}/.."))
    if not is_socket and not name.startswith(("pipe:", "/dev/null", "/proc/")):
        attempt(f"file {file}", lambda: name)
attempt(
    "a folder of the host", lambda: [n for n in range(256) if os.path.exists(f"/proc/self/fd/{n}{TARGET['secret']}")]
)
