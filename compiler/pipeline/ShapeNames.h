// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Of constexprs that happen to have one value, which one a tensor's extent is named after: TTIR has their
// values alone, but the source says what its indices are made of.
//
//     rr = tl.arange(0, R)
//     a = tl.load(a_ptr + k[:, None] * R + rr[None, :])     rows of R elements, though BM is 64, too
#pragma once

#include "compiler/artifacts/SuggestedLaunch.h"
#include "compiler/syntax/Ast.h"

#include <map>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Renames extents of the tensors in `launch` that are a constexpr which their indices do not speak of, where
/// they speak of another one of the same value. `kernel`: the function's name in `tree`.
void nameShapes(const ast::SyntaxTree &tree, std::string_view kernel,
                const std::map<std::string, std::string> &constexprs, SuggestedLaunch &launch);

} // namespace tilescope::compiler
