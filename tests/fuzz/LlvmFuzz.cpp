// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents in LLVM IR and in MLIR's LLVM dialect, to PTX.
#include "tests/fuzz/PipelineRun.h"

using namespace tilescope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::compileDocument(compiler::StageId::LlvmIr, data, size);
  return 0;
}
