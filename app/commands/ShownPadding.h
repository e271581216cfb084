// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// An `other` that a reduction takes in beside real elements leaves no trace of its own. One that a kernel stores as it
// is shows that the store takes elements which the load left out, as where rows and columns are exchanged:
//
//   out[0 … 59]     another result with other=77.0 than with other=0.0: they depend on padding
//   out[60 … 63]    0 with other=0.0, each of them: they are nothing but padding
//
// With `other=0.0` such a run has no finding any more, and is as wrong as before.
#pragma once

#include "profiler/data/Tensor.h"

#include <optional>
#include <string>

namespace tilescope::app {

/// The code of a fix with another number behind its `other=`; nothing where it has no number there.
std::optional<std::string> withAnotherFiller(const std::string &code);

/// Whether elements of an output are nothing but padding. `filled`: what the kernel leaves with the `other` of a fix;
/// `refilled`: with another one. Both are of the same shape and type.
bool showsPadding(const profiler::Tensor &filled, const profiler::Tensor &refilled);

} // namespace tilescope::app
