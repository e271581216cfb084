// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_OPS_TD
#define TILESCOPE_TT_OPS_TD

include "compiler/dialects/tt/ir/TritonCastOps.td"
include "compiler/dialects/tt/ir/TritonDebugOps.td"
include "compiler/dialects/tt/ir/TritonDescriptorOps.td"
include "compiler/dialects/tt/ir/TritonDotOps.td"
include "compiler/dialects/tt/ir/TritonFunctionOps.td"
include "compiler/dialects/tt/ir/TritonMathOps.td"
include "compiler/dialects/tt/ir/TritonMemoryOps.td"
include "compiler/dialects/tt/ir/TritonReductionOps.td"
include "compiler/dialects/tt/ir/TritonShapeOps.td"

#endif
