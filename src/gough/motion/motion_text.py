"""Samples of a motion as CSV text, the form `read_csv` takes."""

from __future__ import annotations

import numpy as np

from gough.motion.column_names import RATES
from gough.motion.motion import Samples
from gough.motion.named import WRENCH


def csv_text(samples: Samples) -> str:
    """Header t, coordinates, `xd_`, `xdd_` of them, wrench; then one row per sample in shortest exact numbers, SI."""
    header = ["t", *(order + name for order in RATES for name in samples.coordinates)]
    columns = [samples.t[:, None], samples.x, samples.xd, samples.xdd]
    if samples.wrench is not None:
        header += WRENCH
        columns.append(samples.wrench)
    rows = np.hstack(columns).tolist()
    return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows)]) + "\n"
