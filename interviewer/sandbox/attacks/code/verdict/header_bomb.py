"""Announces a header of four gigabytes."""

send(frame({"id": asked()["id"]}, header_size=2**32 - 1))
