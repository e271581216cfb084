// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// How many programs cover extents of `size` along each axis that the kernel asks for, as
/// expressions: `cdiv(size, BLOCK)` where the program's number is multiplied by a block's side,
/// `size` where there is a program for each row, a product where one axis counts blocks of a
/// matrix. Empty when the kernel asks for no number.
std::vector<std::string> gridExtents(mlir::FunctionOpInterface kernel,
                                     const std::map<std::string, std::string> &constexprs);

} // namespace tilescope::compiler
