// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Passes on IR of the `tt` dialect without layouts; Passes.td describes each.
#pragma once

#include "mlir/Pass/Pass.h"

namespace tilescope::tt {

#define GEN_PASS_DECL
#include "compiler/transforms/tt/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/transforms/tt/Passes.h.inc"

} // namespace tilescope::tt
