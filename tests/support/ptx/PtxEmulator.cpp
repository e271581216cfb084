// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxEmulator.h"

#include "tests/support/ptx/PtxCta.h"

#include <cstring>

namespace tilescope::tests {

/// The kernel's parameter space: what `ld.param` reads.
static std::vector<uint8_t> packParameters(const PtxProgram &kernel, const PtxLaunch &launch) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const PtxParameter &parameter = kernel.parameters[i];
    bytes.resize(static_cast<size_t>(parameter.offset + parameter.sizeBytes), 0);
    if (i >= launch.arguments.size())
      continue; // The trailing scratch pointers stay null.
    const PtxArgument &argument = launch.arguments[i];
    if (!argument.bytes.empty()) {
      std::memcpy(bytes.data() + parameter.offset, argument.bytes.data(),
                  std::min<size_t>(parameter.sizeBytes, argument.bytes.size()));
      continue;
    }
    uint64_t value = argument.buffer.data() ? reinterpret_cast<uint64_t>(argument.buffer.data())
                                            : argument.scalar;
    std::memcpy(bytes.data() + parameter.offset, &value,
                static_cast<size_t>(std::min<int64_t>(parameter.sizeBytes, 8)));
  }
  return bytes;
}

PtxOutcome emulatePtx(const PtxModule &module, const PtxProgram &kernel, const PtxLaunch &launch) {
  PtxOutcome outcome;
  if (kernel.threads == 0 || kernel.code.empty()) {
    outcome.error = "the kernel has no `.reqntid` or no code";
    return outcome;
  }
  std::vector<DecodedPtx> code;
  for (const PtxInstruction &instruction : kernel.code)
    code.push_back(decodePtx(instruction));
  std::vector<uint8_t> parameters = packParameters(kernel, launch);
  PtxGlobals globals;
  for (const auto &[name, variable] : module.variables)
    if (variable.space == "global" || variable.space == "const") {
      globals[name] = variable.data;
      globals[name].resize(static_cast<size_t>(variable.sizeBytes));
    }
  const auto blocks = static_cast<uint32_t>(kernel.blocks);
  if (launch.grid[0] % blocks != 0) {
    outcome.error = "the grid has no whole number of clusters";
    return outcome;
  }
  for (uint32_t z = 0; z < launch.grid[2]; ++z)
    for (uint32_t y = 0; y < launch.grid[1]; ++y)
      for (uint32_t x = 0; x < launch.grid[0]; x += blocks) {
        CtaRun run(module, kernel, launch, code, parameters, globals, outcome);
        outcome.error = run.run({x, y, z});
        run.addRequests();
        if (!outcome.error.empty())
          return outcome;
      }
  return outcome;
}

} // namespace tilescope::tests
