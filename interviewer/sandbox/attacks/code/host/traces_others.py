"""Attaches to other processes and reads or writes their memory and files."""

import ctypes
import os

PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
buffer = ctypes.create_string_buffer(64)
vector = ctypes.create_string_buffer(struct.pack("=QQ", ctypes.addressof(buffer), 64))
for pid in sorted({1, os.getppid(), *(int(each) for each in os.listdir("/proc") if each.isdigit())} - {os.getpid()}):
    attempt(f"attach to {pid}", lambda: system_call("ptrace", PTRACE_ATTACH, pid, 0, 0))
    attempt(f"seize {pid}", lambda: system_call("ptrace", PTRACE_SEIZE, pid, 0, 0))
    attempt(f"read {pid}", lambda: system_call("process_vm_readv", pid, vector, 1, vector, 1, 0))
    attempt(f"write {pid}", lambda: system_call("process_vm_writev", pid, vector, 1, vector, 1, 0))
    attempt(f"compare with {pid}", lambda: system_call("kcmp", os.getpid(), pid, 0, 1, 1))
    attempt(f"files of {pid}", lambda: system_call("pidfd_getfd", os.pidfd_open(pid), 0, 0))
