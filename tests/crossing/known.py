"""What tests of known wrong answers share."""

from __future__ import annotations

import pytest


def known(reason: str) -> pytest.MarkDecorator:
    """The mark of an answer that is known to be wrong: it fails by the test's own assertion, and by nothing else."""
    return pytest.mark.xfail(strict=True, raises=AssertionError, reason=reason)


def require(condition: object, what: str) -> None:
    """What a case takes for granted; where it is not so, the test fails instead of failing as expected.

    Raises:
        RuntimeError: It is not so.
    """
    if not condition:
        raise RuntimeError(f"the case itself is wrong: {what}")
