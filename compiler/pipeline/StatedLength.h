// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/IndexRange.h"
#include "compiler/syntax/Ast.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// What the launch block in the text says of an array's number of elements.
struct StatedLength {
  /// With the kernel's own names: `n * 3` of `shape = ["n", 3]`; empty where it has others.
  std::string code;
  /// The block names sizes, so that the number itself is that of this launch alone.
  bool hasNames = false;
};

/// `extent`: the number of elements in the run, which the code must agree with.
StatedLength statedLength(const ast::SyntaxTree &tree, std::string_view array, int64_t extent,
                          const IndexReader &reader);

} // namespace tilescope::compiler
