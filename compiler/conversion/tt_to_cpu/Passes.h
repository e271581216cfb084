// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From TTIR to CPU IR (TtToCpu.h), pass by pass; Passes.td describes each.
#pragma once

#include "mlir/Pass/Pass.h"

namespace tilescope::cpu {

#define GEN_PASS_DECL
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

} // namespace tilescope::cpu
