// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/IndexBounds.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The name of the things that a number counts, each of `side` elements.
using CountedName = std::function<std::string(mlir::Value number, int64_t side)>;

/// How many programs cover the kernel's data along each axis that it asks for, as expressions:
/// `cdiv(n, BLOCK)` where the program's number is multiplied by a block's side, `n` where there is
/// a program for each row, a product where one axis counts blocks of a matrix, `SPLIT` where a loop
/// leaves out the shares of so many programs. Empty when the kernel asks for no number.
std::vector<std::string> gridExtents(mlir::FunctionOpInterface kernel,
                                     const std::map<std::string, std::string> &constexprs,
                                     const IndexBounds &bounds, const CountedName &nameOf);

/// Whether the kernel asks for the number of a program along an axis on which the grid has one: it says nothing about
/// how many there are.
bool readsAxisOfOne(mlir::FunctionOpInterface kernel, const std::vector<std::string> &grid);

} // namespace tilescope::compiler
