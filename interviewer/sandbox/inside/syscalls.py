"""The numbers of the system calls that code in the sandbox needs, on the two machines that PyTorch is built for on Linux.

Promises that a name has the number that the kernel's own headers give it. What is not here is refused: among others
whatever makes namespaces or mounts, loads code into the kernel, looks into other processes, keeps keys, sets clocks,
changes users, or makes the whole machine write to its disks.

A line holds names, each followed by its number on x86_64 and on aarch64; "-" where that machine doesn't have the call.
"""

from __future__ import annotations

MACHINES = ("x86_64", "aarch64")
NEWEST = 469  # the last number that was looked at; a later call is one that this list has no opinion of

_FREE = {
    "reading and writing": """
        read 0 63  write 1 64  readv 19 65  writev 20 66  pread64 17 67  pwrite64 18 68  preadv 295 69
        pwritev 296 70  preadv2 327 286  pwritev2 328 287  lseek 8 62  sendfile 40 71
        copy_file_range 326 285  close 3 57  close_range 436 436  dup 32 23  dup2 33 -  dup3 292 24  fcntl 72 25
        flock 73 32  pipe 22 -  pipe2 293 59
    """,
    "files and folders": """
        open 2 -  openat 257 56  openat2 437 437  creat 85 -  stat 4 -  fstat 5 80  lstat 6 -  newfstatat 262 79
        statx 332 291  statfs 137 43  fstatfs 138 44  access 21 -  faccessat 269 48  faccessat2 439 439
        readlink 89 -  readlinkat 267 78  getdents 78 -  getdents64 217 61  getcwd 79 17  chdir 80 49
        fchdir 81 50  mkdir 83 -  mkdirat 258 34  rmdir 84 -  unlink 87 -  unlinkat 263 35  rename 82 -
        renameat 264 38  renameat2 316 276  link 86 -  linkat 265 37  symlink 88 -  symlinkat 266 36
        truncate 76 45  ftruncate 77 46  fallocate 285 47  fadvise64 221 223  readahead 187 213  fsync 74 82
        fdatasync 75 83  sync_file_range 277 84  chmod 90 -  fchmod 91 52  fchmodat 268 53  fchmodat2 452 452
        chown 92 -  fchown 93 55  lchown 94 -  fchownat 260 54  umask 95 166  utime 132 -  utimes 235 -
        futimesat 261 -  utimensat 280 88  getxattr 191 8  lgetxattr 192 9  fgetxattr 193 10  listxattr 194 11
        llistxattr 195 12  flistxattr 196 13
    """,
    "memory": """
        mmap 9 222  munmap 11 215  mremap 25 216  mprotect 10 226  madvise 28 233  mincore 27 232  msync 26 227
        brk 12 214  mlock 149 228  mlock2 325 284  munlock 150 229  mseal 462 462  memfd_create 319 279
        map_shadow_stack 453 453  get_mempolicy 239 236
    """,
    "processes and threads": """
        fork 57 -  vfork 58 -  execve 59 221  exit 60 93  exit_group 231 94  wait4 61 260  waitid 247 95
        kill 62 129  tkill 200 130  tgkill 234 131  set_tid_address 218 96  set_robust_list 273 99  futex 202 98
        futex_waitv 449 449  futex_wake 454 454  futex_wait 455 455  futex_requeue 456 456  membarrier 324 283
        rseq 334 293  arch_prctl 158 -  getpid 39 172  getppid 110 173  gettid 186 178  getpgid 121 155
        getpgrp 111 -  setpgid 109 154  getsid 124 156  setsid 112 157  getuid 102 174  geteuid 107 175
        getgid 104 176  getegid 108 177  getresuid 118 148  getresgid 120 150  getgroups 115 158  capget 125 90
        pidfd_open 434 434  pidfd_send_signal 424 424
    """,
    "signals": """
        rt_sigaction 13 134  rt_sigprocmask 14 135  rt_sigreturn 15 139  rt_sigpending 127 136
        rt_sigsuspend 130 133  rt_sigtimedwait 128 137  rt_sigqueueinfo 129 138  rt_tgsigqueueinfo 297 240
        sigaltstack 131 132  pause 34 -  restart_syscall 219 128  signalfd 282 -  signalfd4 289 74
    """,
    "time": """
        time 201 -  gettimeofday 96 169  clock_gettime 228 113  clock_getres 229 114  nanosleep 35 101
        clock_nanosleep 230 115  alarm 37 -  getitimer 36 102  setitimer 38 103  timer_create 222 107
        timer_settime 223 110  timer_gettime 224 108  timer_getoverrun 225 109  timer_delete 226 111
        timerfd_create 283 85  timerfd_settime 286 86  timerfd_gettime 287 87
    """,
    "waiting for several files": """
        select 23 -  pselect6 270 72  poll 7 -  ppoll 271 73  epoll_create 213 -  epoll_create1 291 20
        epoll_ctl 233 21  epoll_wait 232 -  epoll_pwait 281 22  epoll_pwait2 441 441  eventfd 284 -
        eventfd2 290 19
    """,
    "sockets that exist": """
        connect 42 203  bind 49 200  listen 50 201  accept 43 202  accept4 288 242  shutdown 48 210
        getsockname 51 204  getpeername 52 205  getsockopt 55 209  setsockopt 54 208  sendto 44 206
        recvfrom 45 207  sendmsg 46 211  recvmsg 47 212  sendmmsg 307 269  recvmmsg 299 243
    """,
    "limits and facts": """
        getrlimit 97 163  setrlimit 160 164  getrusage 98 165  times 100 153  sysinfo 99 179
        uname 63 160  getcpu 309 168  getrandom 318 278  getpriority 140 141  setpriority 141 140
        sched_yield 24 124  sched_getaffinity 204 123  sched_setaffinity 203 122  sched_getscheduler 145 120
        sched_getparam 143 121  sched_getattr 315 275  sched_get_priority_max 146 125
        sched_get_priority_min 147 126  sched_rr_get_interval 148 127
    """,
}

_BY_ARGUMENTS = """
    clone 56 220  clone3 435 435  socket 41 198  socketpair 53 199  ioctl 16 29  prctl 157 167
    personality 135 92  mknod 133 -  mknodat 259 33  sched_setscheduler 144 119  prlimit64 302 261
"""


def free(machine: str) -> set[int]:
    """Calls that are allowed whatever their arguments are."""
    return {number for group in _FREE.values() for number in _read(group, machine).values()}


def by_arguments(machine: str) -> dict[str, int]:
    """Calls that are allowed with some arguments; ``seccomp`` says with which."""
    return _read(_BY_ARGUMENTS, machine)


def _read(table: str, machine: str) -> dict[str, int]:
    words = table.split()
    numbers = words[1 + MACHINES.index(machine) :: 3]
    return {name: int(number) for name, number in zip(words[::3], numbers, strict=True) if number != "-"}
