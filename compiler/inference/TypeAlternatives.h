// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/types/SignatureType.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::inference {

/// Types that a parameter may have instead of `now` (nothing: a constant, or open) when emission
/// fails with `error`, likeliest first. `isConstexpr`: the signature calls it a constexpr.
/// `mentioned`: the element types that the error asks for, as signatures write them.
/// `isNamedPointer`: it is called `x_ptr`, and so no tuple.
std::vector<SignatureType> otherTypes(const std::optional<SignatureType> &now, bool isConstexpr,
                                      const Diagnostic &error,
                                      const std::vector<std::string> &mentioned,
                                      bool isNamedPointer);

} // namespace tilescope::compiler::inference
