// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Frame.h"
#include "compiler/syntax/Ast.h"

#include <vector>

namespace tilescope::compiler::frontend {

/// Whether all that the operands are computed from are variables with integers, and numbers.
bool areIntegers(const Frame &frame, const std::vector<const ast::Expr *> &operands);

} // namespace tilescope::compiler::frontend
