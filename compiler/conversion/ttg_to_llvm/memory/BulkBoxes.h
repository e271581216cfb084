// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Types.h"

#include <string>

namespace tilescope::compiler {

/// What a bulk copy of a described block moves each time, as far as its boxes say it: `a unit of its
/// own carries out the bulk copy: 2 boxes of 64 x 64 elements, 16 KiB in 128 lines of memory`. Lines
/// are as many as rows take that begin at one.
std::string bulkCopyWords(mlir::Type descriptor);

} // namespace tilescope::compiler
