// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the address of an access in TTIR is added up from, as far as the launch says by what each part is multiplied:
//
//     p = x_ptr + tl.program_id(0) * ld + tl.arange(0, B)          in a launch with ld = 200
//     for k in range(0, n):
//         tl.load(p)
//         p += 16
//
//     tl.program_id(0), 200 times    tl.arange(0, B), once    16 in each turn of the loop
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::compiler {

struct AddressAddend {
  /// Null: the number 1.
  mlir::Value value;
  /// In elements.
  int64_t factor = 1;
  /// It is added again in each turn of this loop; null: once.
  mlir::scf::ForOp loop = {};
};

/// Nothing where a part is multiplied by what the launch does not tell.
std::optional<std::vector<AddressAddend>> addressAddends(mlir::Value pointer,
                                                         const InterpreterLaunch &launch);

/// The value of an integer, or of all elements of a block of it, if the launch and constants alone say it.
std::optional<int64_t> numberInLaunch(mlir::Value value, const InterpreterLaunch &launch);

} // namespace tilescope::compiler
