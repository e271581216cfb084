// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/RoundingFacts.h"

#include <string>

namespace tilescope::app {

/// What a kernel rounds, by the operations that an expression has for it: what it rounds in products or
/// sums counts for all operations where the expression has neither. It may be a sum of products element
/// by element, or a closed form.
compiler::RoundingFacts roundingsWithin(const std::string &text, compiler::RoundingFacts roundings);

} // namespace tilescope::app
