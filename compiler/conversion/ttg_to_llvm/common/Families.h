// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Each family of operations registers how its members are lowered.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

void addControlFlowLowerings(LoweringTable &table);
void addArithLowerings(LoweringTable &table);
void addMathLowerings(LoweringTable &table);
void addFloatCastLowerings(LoweringTable &table);
void addIntCastLowerings(LoweringTable &table);
void addProgramLowerings(LoweringTable &table);
void addShapeLowerings(LoweringTable &table);
void addMemoryLowerings(LoweringTable &table);
void addAtomicLowerings(LoweringTable &table);
void addReduceLowerings(LoweringTable &table);
void addScanLowerings(LoweringTable &table);
void addConvertLayoutLowerings(LoweringTable &table);
void addSharedMemoryLowerings(LoweringTable &table);
void addAsyncCopyLowerings(LoweringTable &table);
void addDotLowerings(LoweringTable &table);
void addHistogramGatherLowerings(LoweringTable &table);
void addDebugLowerings(LoweringTable &table);
void addForeignCodeLowerings(LoweringTable &table);
void addScalarRegionLowerings(LoweringTable &table);
void addFp4Lowerings(LoweringTable &table);
void addWarpGroupLowerings(LoweringTable &table);
void addBarrierObjectLowerings(LoweringTable &table);
void addBulkCopyLowerings(LoweringTable &table);
void addBulkRowLowerings(LoweringTable &table);
void addTensorMapLowerings(LoweringTable &table);
void addTensorMemoryLowerings(LoweringTable &table);
void addTensorCoreLowerings(LoweringTable &table);
void addClusterLowerings(LoweringTable &table);
void addLocalIndexedLowerings(LoweringTable &table);
void addPackedArithLowerings(LoweringTable &table);
void addTraceLowerings(LoweringTable &table);

} // namespace tilescope::compiler
