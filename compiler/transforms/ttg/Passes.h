// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Passes on IR with layouts; Passes.td describes each.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Pass/Pass.h"

namespace tilescope::ttg {

#define GEN_PASS_DECL
#include "compiler/transforms/ttg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/transforms/ttg/Passes.h.inc"

} // namespace tilescope::ttg
