// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string_view>

namespace tilescope::compiler::inference {

/// Whether numbers are divided as floats are, so that a cast makes indices of them: `((x - low) / width).to(tl.int32)`.
bool isQuotient(const ast::Expr *expr);

/// Whether a function of the language returns indices or numbers of elements: `argmax`, `histogram`.
bool countsElements(std::string_view name);

} // namespace tilescope::compiler::inference
