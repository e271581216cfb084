// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whatever calls itself PTX: as a document, and as inline assembly that the interpreter runs.
#include "compiler/pipeline/NestingLimit.h"
#include "compiler/pipeline/PtxFacts.h"
#include "compiler/ptx/PtxModule.h"
#include "compiler/ptx/PtxSnippet.h"
#include "tests/fuzz/Check.h"

#include <algorithm>
#include <string_view>
#include <vector>

using namespace tilescope;
using namespace tilescope::compiler;

/// Branches of a snippet may go in circles; those of the corpus do not.
static bool hasBranch(const PtxSnippet &snippet) {
  return std::ranges::any_of(snippet.code, [](const PtxInstruction &i) { return i.target >= 0; });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  if (const auto fault = findNestingFault(text, StageId::Ptx))
    fuzz::require(fault->place.line <= std::ranges::count(text, '\n'), "a fault is in the text");
  for (const PtxEntry &kernel : ptxKernels(text))
    fuzz::require(!kernel.name.empty(), "a kernel has a name");
  documentTarget(text);

  const PtxModule module = parsePtx(text);
  if (module.error.empty())
    for (const PtxProgram &kernel : module.kernels)
      for (const PtxInstruction &instruction : kernel.code)
        fuzz::require(instruction.target <= std::ssize(kernel.code), "a branch stays in the code");

  constexpr size_t kOperands = 4;
  const PtxSnippet snippet = parsePtxSnippet(text, kOperands);
  if (!snippet.error.empty() || hasBranch(snippet))
    return 0;
  fuzz::require(snippet.numRegisters >= kOperands, "operands are registers");
  std::vector<uint64_t> registers(snippet.numRegisters, 0x3ff0000140490fdbu);
  runPtxSnippet(snippet, registers.data());
  return 0;
}
