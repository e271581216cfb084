// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <string>

namespace tilescope::tt {

/// On an assertion that stands for a promise to the compiler, such as `tl.multiple_of`: its message is
/// a sentence of its own, and its program goes on, since no GPU checks it.
inline constexpr llvm::StringLiteral kPromiseAttr = "tt.promise";

/// What a run says where `assertion` does not hold.
std::string assertionText(AssertOp assertion);

} // namespace tilescope::tt
