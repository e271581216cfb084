// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

namespace tilescope::compiler {

/// Where the elements of a buffer (or view) are.
SharedRegion regionOf(Lowering &lowering, mlir::Value buffer);

} // namespace tilescope::compiler
