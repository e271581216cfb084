# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""When two runs of a random kernel agree."""

import numpy as np

# Of the largest number in the tensor.
TOLERANCE = {"float32": 2e-3, "float16": 3e-2}


def difference(output, interpreted, compiled):
    """How two runs differ in an output; None when they agree: exact ones in every bit, others within rounding."""
    a, b = interpreted, compiled
    if output.exact:
        same = (a == b) | ((a != a) & (b != b))
    else:
        a, b = a.astype(np.float64), b.astype(np.float64)
        finite = np.abs(a[np.isfinite(a)])
        scale = max(1.0, float(finite.max(initial=0.0)))
        tolerance = TOLERANCE.get(output.dtype, 2e-3) * scale
        same = (np.abs(a - b) <= tolerance) | (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return None
    where = tuple(int(i) for i in np.argwhere(~same)[0])
    return f"{output.name}{list(where)}: interpreted {a[where]!r}, compiled {b[where]!r}; {int((~same).sum())} differ"


def bit_difference(output, left, right):
    """How two runs differ in the bits of an output, but for those of a NaN; None when they do not."""
    bits = np.dtype(f"u{left.itemsize}")
    same = (left.view(bits) == right.view(bits)) | ((left != left) & (right != right))
    if same.all():
        return None
    where = tuple(int(i) for i in np.argwhere(~same)[0])
    return f"{output.name}{list(where)}: interpreted {left[where]!r}, exact code {right[where]!r}; {int((~same).sum())} differ"


def norm_error(interpreted, compiled):
    """The norm of the difference over the norm, of what is finite in both."""
    a, b = interpreted.astype(np.float64), compiled.astype(np.float64)
    finite = np.isfinite(a) & np.isfinite(b)
    norm = np.linalg.norm(a[finite])
    return float(np.linalg.norm(a[finite] - b[finite]) / norm) if norm else 0.0
