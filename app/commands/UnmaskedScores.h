// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Scores of elements that are not there, which are products with the `other` of a load, 0:
//
//     k = tl.load(k_ptr + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
//     s = tl.dot(q, tl.trans(k))
//     p = tl.exp(s - tl.max(s, axis=1)[:, None])         counts each of them with exp(0 - max)
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"

namespace tilescope::app {

/// Adds to the mismatch of an output that a softmax counts them, with a fix that makes them -inf: it is so only where
/// that helps.
void explainUnmaskedScores(const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
