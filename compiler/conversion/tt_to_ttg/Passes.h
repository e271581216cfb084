// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Pass/Pass.h"

namespace tilescope::ttg {

#define GEN_PASS_DECL
#include "compiler/conversion/tt_to_ttg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/conversion/tt_to_ttg/Passes.h.inc"

} // namespace tilescope::ttg
