// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/TtgirPasses.h"

#include "compiler/conversion/tt_to_ttg/Passes.h"
#include "compiler/transforms/ttg/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilescope::ttg;

namespace tilescope::compiler {

void buildTtgirPipeline(OpPassManager &passes, const ttg::MachineShape &machine, int numStages) {
  ConvertTtToTtgOptions conversion;
  conversion.numWarps = machine.numWarps;
  conversion.numCtas = machine.numCtas;
  conversion.threadsPerWarp = machine.threadsPerWarp;
  conversion.target = machine.target;
  passes.addPass(createConvertTtToTtg(conversion));
  passes.addPass(createCoalesce());
  // Before conversions are removed: dots decide which layouts the values around them take.
  passes.addPass(createAccelerateMatmul());
  passes.addPass(createRemoveLayoutConversions());
  // Values that were computed again in several layouts are shared before the loop passes.
  passes.addPass(createLoopAwareCse());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createHoistInvariants());
  passes.addPass(createCombineSelectAndIf());
  PipelineLoadsOptions stages;
  stages.numStages = numStages;
  passes.addPass(createPipelineLoads(stages));
  // Buffers that the ring replaced need no fence.
  passes.addPass(createInsertProxyFences());
  passes.addPass(createReduceDataDuplication());
  // After all that creates values: it orders what is there.
  passes.addPass(createReorderInstructions());
  passes.addPass(createLoopAwareCse());
  passes.addPass(createCanonicalizerPass());
  // Sums under way must not be selected from: only a branch leaves their registers alone.
  passes.addPass(createCombineSelectAndIf());
}

} // namespace tilescope::compiler
