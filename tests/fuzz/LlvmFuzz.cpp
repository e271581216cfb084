// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents in LLVM IR and in MLIR's LLVM dialect, to PTX.
#include "tests/fuzz/PipelineRun.h"
#include "tests/support/Sanitized.h"

#include <optional>
#include <string_view>

using namespace tilescope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  // LLVM's parser has no cleanup for what the standard library throws at odd constraints of
  // assembly.
  std::optional<tests::LeaksAllowed> leaks;
  if (text.find("asm") != std::string_view::npos)
    leaks.emplace();
  fuzz::compileDocument(compiler::StageId::LlvmIr, data, size);
  return 0;
}
