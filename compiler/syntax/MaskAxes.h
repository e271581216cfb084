// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A mask whose indices lie along other axes than those of the address:
//
//     offs = rows[:, None] * N + cols[None, :]
//     mask = (rows < M) & (cols < N)                         one axis: `rows` and `cols` at equal places
//     mask = (cols[:, None] < N) & (rows[None, :] < M)       transposed
//
// Of blocks with sides of equal length both compile, and are wrong.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <string>

namespace tilescope::compiler {

struct MaskAxes {
  /// The end of a sentence: "its `mask` must take its indices along the axes of the address: …".
  std::string words;
  /// Nothing where the address may as well be wrong: it has two vectors along one axis, the mask along two.
  std::optional<DiagnosticFix> fix;
};

/// Nothing where the mask agrees with the address, and where the text does not show one of them.
std::optional<MaskAxes> maskAxes(const ast::SyntaxTree &tree, const ast::Node &function,
                                 const ast::Call &access);

} // namespace tilescope::compiler
