"""Makes the system calls through which kernels are attacked most: bpf, io_uring, userfaultfd, perf, fanotify."""

import ctypes

parameters = ctypes.create_string_buffer(120)
program = ctypes.create_string_buffer(struct.pack("=BBhi", 0xB7, 0, 0, 0) + struct.pack("=BBhi", 0x95, 0, 0, 0))
licence = ctypes.create_string_buffer(b"GPL")
load = struct.pack("=IIQQ", 1, 2, ctypes.addressof(program), ctypes.addressof(licence)).ljust(120, b"\0")
event = struct.pack("=II", 1, 64) + bytes(32) + struct.pack("=Q", 0b1100001) + bytes(16)
attempt("bpf map", lambda: system_call("bpf", 0, struct.pack("=IIII", 2, 4, 8, 1).ljust(120, b"\0"), 120))
attempt("bpf program", lambda: system_call("bpf", 5, load, 120))
attempt("io_uring", lambda: system_call("io_uring_setup", 4, parameters))
attempt("userfaultfd", lambda: system_call("userfaultfd", 1))
attempt("perf", lambda: system_call("perf_event_open", ctypes.create_string_buffer(event), 0, -1, -1, 0))
attempt("fanotify", lambda: system_call("fanotify_init", 0, 0))
attempt("personality", lambda: system_call("personality", 0x0040000))
