// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string_view>

namespace tilescope::compiler::inference {

/// Whether it is a method of numbers that are divided as floats are, so that a cast makes indices of them:
/// `((x - low) / width).to(tl.int32)`. `call` may be null.
bool isCastQuotient(const ast::Call *call);

/// Whether it is a method that makes an index of a product, as of a number of bins and a fraction:
/// `(x * bins).to(tl.int32)`. `call` may be null.
bool isCastProduct(const ast::Call *call);

/// Whether a name says that it is a number of bins or the like, with which an index is computed.
bool isNamedNumber(std::string_view name);

/// Whether a function of the language returns indices or numbers of elements: `argmax`, `histogram`.
bool countsElements(std::string_view name);

} // namespace tilescope::compiler::inference
