// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products whose factors tensor cores round although the source does not say so:
//
//     c = tl.dot(a, b)                             fp32 factors keep 10 bits of mantissa (tf32)
//     c = tl.dot(a, b, input_precision="ieee")     they keep all 23
#pragma once

#include "compiler/pipeline/FileTable.h"
#include "compiler/syntax/Ast.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace tilescope::compiler {

/// The products of fp32 in a TTIR module that use tf32 by default, in the order of the module.
/// `tree`: the document's; what is in other files counts as not stating a precision.
std::vector<SourceRange> productsRoundedByDefault(mlir::Operation *module,
                                                  const ast::SyntaxTree &tree, FileTable &files);

} // namespace tilescope::compiler
