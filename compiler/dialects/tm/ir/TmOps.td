// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
include "compiler/dialects/tm/ir/TmContractionOps.td"
include "compiler/dialects/tm/ir/TmMovementOps.td"
include "compiler/dialects/tm/ir/TmPointwiseOps.td"
include "compiler/dialects/tm/ir/TmReductionOps.td"
include "compiler/dialects/tm/ir/TmSourceOps.td"
