// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensors whose elements come from elsewhere along an axis, with NumPy's rules:
//
//     arange(n)     cumsum(x_ptr, axis=1)     take(table_ptr, token_ptr, axis=0)
//     sort(x_ptr)   argsort(x_ptr, axis=0)
//     take_along_axis(logits_ptr, label_ptr[:, None], axis=1)[:, 0]
#pragma once

#include "app/launch/ArrayParts.h"

namespace tilescope::app {

/// What such a part makes of its tensors. One without data has a result without data. `axis` is
/// counted from the first. The error says what does not fit.
Result<profiler::Tensor> gathered(const ArrayPart &part,
                                  const std::vector<profiler::Tensor> &tensors, size_t axis);

/// `arange(end)`, `arange(begin, end)`.
Result<profiler::Tensor> numberRange(const ArrayPart &part, const IndexValue &valueOf);

} // namespace tilescope::app
