// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/constant/Evaluate.h"

namespace tilescope::app {

/// The number of a value that is one.
std::optional<double> numberOf(const compiler::constant::Value &value);

/// Adds NumPy's elementwise functions, such as `where`, `maximum` and `exp`, to `environment`, for
/// one element at a time: as bare names, and behind `np.`, `numpy.` or `torch.`, and those that Triton
/// has behind `tl.`; so are `pi`, `inf` and `nan`. As in NumPy, a
/// value out of a function's domain becomes NaN or infinite. Names that `environment` knows stay.
void addArrayFunctions(compiler::constant::Environment &environment);

/// One of those functions that takes one number; null: there is none of this name.
using ArrayFunction = double (*)(double);
ArrayFunction arrayFunction(std::string_view name);
/// The name of the function that a value is, one of those; empty: it is something else.
std::string arrayFunctionOf(const compiler::constant::Value &value);

/// The names of those functions, sorted, between commas.
std::string arrayFunctionNames();

} // namespace tilescope::app
