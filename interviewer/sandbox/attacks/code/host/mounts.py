"""Mounts, binds and moves file systems, changes its root, and makes what is read-only writable."""

import os

MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
os.makedirs("/tmp/place", exist_ok=True)
for kind in (b"tmpfs", b"proc", b"sysfs", b"overlay", b"cgroup", b"cgroup2", b"debugfs", b"devtmpfs", b"mqueue"):
    attempt(f"mount {kind.decode()}", lambda: system_call("mount", kind, b"/tmp/place", kind, 0, None))
attempt("bind", lambda: system_call("mount", b"/", b"/tmp/place", None, MS_BIND | MS_REC, None))
attempt("remount", lambda: system_call("mount", None, b"/", None, MS_REMOUNT | MS_BIND, None))
attempt("remount /usr", lambda: system_call("mount", None, b"/usr", None, MS_REMOUNT | MS_BIND, None))
attempt("share", lambda: system_call("mount", None, b"/", None, MS_REC | 1 << 20, None))
attempt("umount", lambda: system_call("umount2", b"/tmp", 2))
attempt("umount /proc", lambda: system_call("umount2", b"/proc", 2))
attempt("open_tree", lambda: system_call("open_tree", -100, b"/", 1))
attempt("fsopen", lambda: system_call("fsopen", b"tmpfs", 0))
attempt("mount_setattr", lambda: system_call("mount_setattr", -100, b"/", 0, struct.pack("=4Q", 0, 1, 0, 0), 32))
attempt("pivot_root", lambda: system_call("pivot_root", b"/tmp/place", b"/tmp/place"))
attempt("chroot", lambda: os.chroot("/tmp/place"))
