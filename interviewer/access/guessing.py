"""Bounds how often somebody may try passwords.

Promises: of all that try at the same time no more get through than may; while a name or an address is held, the right
password is refused too. An attempt from an address that is held doesn't count against the name, so that one address
can hold five names at a time and no more. Kept in memory: a restart of the page begins anew.
"""

from __future__ import annotations

import math
import time
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

_MINUTES = 15
_OF_A_NAME = RateLimitItemPerMinute(10, _MINUTES, namespace="name")
_OF_AN_ADDRESS = RateLimitItemPerMinute(50, _MINUTES, namespace="address")


class Guesses:
    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def hold(self, name: str, address: str) -> int:
        """Counts an attempt. 0 where it may be made, else the seconds until one may."""
        for item, key in ((_OF_AN_ADDRESS, network_of(address)), (_OF_A_NAME, name)):
            if not self._limiter.hit(item, key):
                reset = self._limiter.get_window_stats(item, key).reset_time
                return max(1, math.ceil(reset - time.time()))
        return 0

    def forgive(self, name: str) -> None:
        """The one who knows the password came in; their earlier mistakes no longer count."""
        self._limiter.clear(_OF_A_NAME, name)


def network_of(address: str) -> str:
    """What one household or machine has: a whole /64 of IPv6."""
    try:
        found = without_mapping(address)
    except ValueError:
        return "unknown"
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found)


def without_mapping(address: str) -> IPv4Address | IPv6Address:
    """The IPv4 address where IPv6 writes one (::ffff:192.0.2.1), as a socket for both does. Raises ValueError where it is none."""
    found = ip_address(address)
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
