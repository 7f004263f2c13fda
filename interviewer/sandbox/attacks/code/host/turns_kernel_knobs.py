"""Writes to the switches of the kernel and to control groups, and loosens its own limits by them."""

import glob
import os

KNOBS = (
    *("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"),
    *("/proc/sys/fs/binfmt_misc/register", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/kernel/hostname"),
    *("/sys/kernel/uevent_helper", "/sys/power/state", "/proc/self/uid_map", "/proc/self/setgroups", "/proc/irq/0"),
    *("/proc/sys/kernel/ns_last_pid", "/proc/sys/fs/pipe-max-size", "/proc/sys/kernel/shmmax", "/proc/mtrr"),
)
for path in KNOBS:
    attempt(f"writing {path}", lambda: write(path, "0"))
for path in glob.glob("/sys/fs/cgroup/**/*.max", recursive=True) + glob.glob(
    "/sys/fs/cgroup/**/cgroup.procs", recursive=True
):
    attempt(f"writing {path}", lambda: write(path, "0"))
attempt("a control group", lambda: os.listdir("/sys/fs/cgroup"))
attempt("rather others", lambda: write("/proc/self/oom_score_adj", "-1000"))
for path in ("/proc/kcore", "/proc/kmsg", "/proc/kpagecount", "/dev/mem", "/dev/kmsg", "/dev/kmem", "/dev/port"):
    attempt(f"reading {path}", lambda: open(path, "rb", buffering=0).read(64))
addresses = (
    [line.split()[0] for line in open("/proc/kallsyms").readlines()[:100]] if os.path.exists("/proc/kallsyms") else []
)
attempt("addresses of the kernel", lambda: [each for each in addresses if int(each, 16)])
