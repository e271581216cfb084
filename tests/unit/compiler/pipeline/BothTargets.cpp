// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/pipeline/BothTargets.h"

#include "compiler/artifacts/CpuTarget.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace tilescope::compiler;

namespace tilescope::compiler {
std::ostream &operator<<(std::ostream &out, const InterpreterFinding &finding) {
  return out << finding.range.begin.line + 1 << ':' << finding.range.begin.column + 1 << '-'
             << finding.range.end.column + 1 << ": " << finding.message << " ("
             << finding.numAccesses << " accesses, " << finding.numPrograms << " programs)";
}
} // namespace tilescope::compiler

namespace tilescope::tests {
namespace {

/// Memory with a border that nothing may touch.
class Fenced {
public:
  explicit Fenced(size_t bytes) : m_bytes(bytes), m_memory(bytes + 2 * kBorder, kUntouched) {}

  std::byte *data() { return m_memory.data() + kBorder; }
  std::vector<std::byte> contents() const {
    const auto begin = m_memory.begin() + kBorder;
    return {begin, begin + static_cast<ptrdiff_t>(m_bytes)};
  }
  bool isBorderUntouched() const {
    const auto isUntouched = [](std::byte each) { return each == kUntouched; };
    return std::all_of(m_memory.begin(), m_memory.begin() + kBorder, isUntouched) &&
           std::all_of(m_memory.end() - kBorder, m_memory.end(), isUntouched);
  }

private:
  static constexpr ptrdiff_t kBorder = 4096;
  static constexpr std::byte kUntouched{0x7b};
  size_t m_bytes;
  std::vector<std::byte> m_memory;
};

/// What both ways find.
bool isCompared(InterpreterFindingKind kind) {
  using enum InterpreterFindingKind;
  return kind == OutOfBoundsLoad || kind == OutOfBoundsStore || kind == OutOfBoundsAtomic ||
         kind == InvalidPointer || kind == AssertFailed;
}

} // namespace

static CompileRequest requestFor(const std::string &body, const std::string &target,
                                 const Launch &launch) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                 "def k(x_ptr, y_ptr, i_ptr, n):\n"
                 "    pid = tl.program_id(0)\n    o = pid * 32 + tl.arange(0, 32)\n" +
                 body;
  request.selection.signature = {
      {"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"i_ptr", "*i32:16"}, {"n", "i32"}};
  request.selection.target = target;
  request.selection.options = {{"num_warps", std::to_string(launch.numWarps)}};
  if (launch.isDebug)
    request.selection.options["debug"] = "True";
  return request;
}

Found runOn(Compiler &compiler, const std::string &body, const std::string &target,
            const Launch &launch) {
  std::vector<Fenced> tensors(3, Fenced(launch.n * 4));
  for (size_t i = 0; i < launch.n; ++i) {
    const auto whole = static_cast<float>(i), half = whole / 2;
    const auto number = static_cast<int32_t>(i);
    std::memcpy(tensors[0].data() + i * 4, &whole, 4);
    std::memcpy(tensors[1].data() + i * 4, &half, 4);
    std::memcpy(tensors[2].data() + i * 4, &number, 4);
  }
  InterpretInput input;
  input.grid = launch.grid;
  input.numThreads = target == kNativeTarget ? launch.numThreads : 1;
  input.checksBounds = true;
  input.executor = launch.executor;
  input.maxProgramDuration = launch.maxProgramDuration;
  input.argument = [&](const KernelParameter &parameter) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    argument.bits = launch.n;
    if (parameter.name == "n")
      return argument;
    Fenced &tensor = tensors[parameter.name == "x_ptr" ? 0 : parameter.name == "y_ptr" ? 1 : 2];
    argument.data = tensor.data();
    argument.sizeBytes = launch.n * 4;
    argument.countUnwritten = launch.countsUnwritten && parameter.name == "y_ptr";
    return argument;
  };
  const InterpretOutcome outcome = compiler.interpret(requestFor(body, target, launch), input);
  Found found;
  found.isNative = outcome.interpretation.isNative;
  found.whyInterpreted = outcome.interpretation.whyInterpreted;
  found.unwritten = outcome.interpretation.unwritten;
  found.prints = outcome.interpretation.prints;
  found.completed = outcome.interpretation.completed;
  for (const InterpreterFinding &finding : outcome.interpretation.findings)
    if (isCompared(finding.kind))
      found.findings.push_back(finding);
    else if (finding.kind == InterpreterFindingKind::StepLimit)
      found.endless.push_back(finding);
  for (const Diagnostic &diagnostic : outcome.result.diagnostics) {
    if (diagnostic.kind == DiagnosticKind::RunAccessOutside ||
        diagnostic.kind == DiagnosticKind::RunAssertFailed)
      found.messages.push_back(diagnostic.message);
    if (diagnostic.kind == DiagnosticKind::RunUndefined ||
        diagnostic.kind == DiagnosticKind::RunWriteRace)
      found.doubts.push_back(diagnostic.message);
    if (diagnostic.kind == DiagnosticKind::RunUnsupported) {
      if (diagnostic.message.find("not supported") != std::string::npos)
        FAIL(diagnostic.message);
      found.notes.push_back(diagnostic.message);
    }
  }
  for (const Fenced &tensor : tensors) {
    CHECK(tensor.isBorderUntouched());
    found.memory.push_back(tensor.contents());
  }
  return found;
}

} // namespace tilescope::tests
