"""Names as a cluster shows them: services, and pods of their Deployments. Seeded, so that a scene can be
played again.
"""

from __future__ import annotations

import random

# Kubernetes builds its suffixes from these letters: no vowels, no 0, 1, 3.
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
SERVICES = (
    "checkout", "warehouse-sync", "invoice-writer", "seat-booking", "ride-matcher", "sms-gateway",
    "kyc-screening", "meter-readings", "crm-export", "refund-worker", "stock-levels", "player-stats",
    "ad-bidder", "parcel-tracking", "consent-store", "quote-engine", "iot-telemetry", "basket-events",
    "risk-scoring", "media-transcode", "loyalty-points", "tariff-cache", "claims-intake",
    "voucher-mailer",
)  # fmt: skip


class Names:
    """Draws services and pod names."""

    def __init__(self, seed: int) -> None:
        """Draw the same names for the same seed."""
        self._random = random.Random(seed)
        self._left = list(SERVICES)
        self._random.shuffle(self._left)

    def service(self) -> str:
        """Return a service nobody has yet (after the last of the list: numbered ones)."""
        return self._left.pop() if self._left else f"service-{self._random.randrange(10_000, 99_999)}"

    def replica_set(self, service: str, pods: int) -> list[str]:
        """Return the pods of one roll-out of a Deployment: `checkout-7d9c5b8f4-x2k9p`."""
        revision = "".join(self._random.choices(_LETTERS, k=9))
        return [f"{service}-{revision}-{''.join(self._random.choices(_LETTERS, k=5))}" for _ in range(pods)]

    def stateful_set(self, service: str, pods: int) -> list[str]:
        """Return the pods of a StatefulSet: `ledger-0`, `ledger-1` …"""
        return [f"{service}-{ordinal}" for ordinal in range(pods)]
