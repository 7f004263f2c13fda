"""Stores, joins and asks for keys in the kernel's keyrings, which namespaces do not separate."""

attempt("add a key", lambda: system_call("add_key", b"user", b"evil", b"payload", 7, -4))
attempt("add to the user's keyring", lambda: system_call("add_key", b"user", b"evil", b"payload", 7, -5))
attempt("join a session", lambda: system_call("keyctl", 1, b"evil"))
attempt("find the session", lambda: system_call("keyctl", 0, -3, 1))
attempt("ask for a key", lambda: system_call("request_key", b"user", b"evil", None, -3))
attempt("keys of others", lambda: read("/proc/keys", 1 << 16))
