// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arrays indexed by a condition, as NumPy has them: that is a mask in a kernel.
//
//     out_ptr[i < n] = v        tl.store(out_ptr + i, v, mask=i < n)
#pragma once

#include "compiler/frontend/Emitter.h"

#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

struct IndexedArray {
  std::string array;
  std::vector<const ast::Expr *> parts;
  /// What the access that is meant replaces.
  SourceRange replaced;
  /// `load` or `store`.
  std::string function;
  /// The arguments between the address and the mask, with their comma in front.
  std::string value;
};

/// Fails where a pointer is indexed by a condition.
void checkArrayCondition(Emitter &emitter, const IndexedArray &indexed);

} // namespace tilescope::compiler::frontend
