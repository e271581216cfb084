// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// TTIR on the CPU: whatever the verifier lets in runs over its arguments, touches nothing else, and
// ends.
#include "tests/fuzz/PipelineRun.h"

#include <chrono>
#include <map>
#include <stop_token>
#include <vector>

using namespace tilescope;

static constexpr size_t kTensorBytes = 4096;
/// Around every tensor: a store that leaves its argument shows here.
static constexpr size_t kGuardBytes = 256;
static constexpr std::byte kGuard{0xa5};

namespace {

class Memory {
public:
  std::optional<compiler::InterpreterArgument>
  argument(const compiler::KernelParameter &parameter) {
    compiler::InterpreterArgument result;
    result.name = parameter.name;
    result.bits = 3;
    if (!parameter.type.starts_with('*'))
      return result;
    std::vector<std::byte> &bytes = m_tensors[parameter.name];
    bytes.assign(kTensorBytes + 2 * kGuardBytes, kGuard);
    std::fill_n(bytes.begin() + kGuardBytes, kTensorBytes, std::byte{0});
    result.data = bytes.data() + kGuardBytes;
    result.sizeBytes = kTensorBytes;
    return result;
  }

  bool guardsHold() const {
    return std::ranges::all_of(m_tensors, [](const auto &entry) {
      const std::vector<std::byte> &bytes = entry.second;
      const auto isGuard = [](std::byte byte) { return byte == kGuard; };
      return std::all_of(bytes.begin(), bytes.begin() + kGuardBytes, isGuard) &&
             std::all_of(bytes.end() - kGuardBytes, bytes.end(), isGuard);
    });
  }

private:
  std::map<std::string, std::vector<std::byte>> m_tensors;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory;
  compiler::InterpretInput input;
  input.grid = {2, 1, 1};
  input.numThreads = 1;
  input.argument = [&memory](const compiler::KernelParameter &p) { return memory.argument(p); };
  // Endless loops end, too.
  std::stop_source stop;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  input.progress = [&](uint64_t, uint64_t) {
    if (std::chrono::steady_clock::now() > deadline)
      stop.request_stop();
  };
  compiler::CompileHooks hooks;
  hooks.stop = stop.get_token();
  const compiler::InterpretOutcome outcome =
      fuzz::compiler().interpret(fuzz::document(compiler::StageId::Ttir, data, size), input, hooks);
  if (!outcome.cancelled)
    fuzz::requireAnswer(outcome.result);
  fuzz::require(memory.guardsHold(), "nothing is written past an argument");
  fuzz::compiler().trim();
  return 0;
}
