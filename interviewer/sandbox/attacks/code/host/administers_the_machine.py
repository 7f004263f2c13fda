"""Does what only an administrator may: load modules, reboot, set clocks and names, swap, account, read the log."""

import ctypes
import os
import resource

attempt("load a module", lambda: system_call("init_module", bytes(64), 64, b""))
attempt("load a kernel", lambda: system_call("kexec_load", 0, 0, None, 0))
attempt("ctrl-alt-del", lambda: system_call("reboot", 0xFEE1DEAD - (1 << 32), 672274793, 0, None))
attempt("swap", lambda: system_call("swapon", b"/tmp/swap", 0))
attempt("accounting", lambda: system_call("acct", b"/tmp/acct"))
attempt("kernel log", lambda: system_call("syslog", 3, ctypes.create_string_buffer(4096), 4096))
attempt("host name", lambda: system_call("sethostname", b"evil", 4))
attempt("clock", lambda: system_call("clock_settime", 0, struct.pack("=qq", 1, 0)))
attempt("clock rate", lambda: system_call("adjtimex", struct.pack("=I", 0x4000).ljust(208, b"\0")))
attempt("quota", lambda: system_call("quotactl", 0x80000201 - (1 << 32), b"/dev/vda", 0, None))
attempt("real-time scheduling", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))
attempt("real-time disk access", lambda: system_call("ioprio_set", 1, 0, 1 << 13))
attempt("higher priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -10))
for name in ("RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE"):
    most = resource.getrlimit(getattr(resource, name))[1]
    if most != resource.RLIM_INFINITY:
        attempt(f"more of {name}", lambda: resource.setrlimit(getattr(resource, name), (most + 1, most + 1)))
