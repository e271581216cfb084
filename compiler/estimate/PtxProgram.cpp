// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/PtxProgram.h"

#include "compiler/machine/PtxSteps.h"
#include "compiler/support/Text.h"

#include <array>
#include <vector>

namespace tilescope::compiler::estimate {

using machine::LivenessStep;
using machine::PtxSteps;
using machine::SassControl;
using machine::SassInstruction;
using machine::SassProgram;
using std::string_view;

namespace {
/// An instruction of PTX that begins so, and what it becomes.
struct Row {
  string_view prefix;
  string_view operation;
  /// Its results come at a time of their own.
  bool isVariable = false;
};
} // namespace

/// The first that fits counts. No operation: nothing is left of it.
static constexpr auto kRows = std::to_array<Row>({
    {"ld.param", ""},
    {"mov.", ""},
    {"cvta", ""},
    {"ld.shared", "LDS", true},
    {"st.shared", "STS"},
    {"ld.local", "LDL", true},
    {"st.local", "STL"},
    {"ld.", "LDG", true},
    {"st.", "STG"},
    {"ldmatrix", "LDSM", true},
    {"stmatrix", "STS"},
    {"atom.shared", "ATOMS", true},
    {"atom.", "ATOMG", true},
    {"red.shared", "ATOMS"},
    {"red.", "REDG"},
    {"cp.async.commit_group", "LDGDEPBAR"},
    {"cp.async.wait_group", "DEPBAR"},
    {"cp.async.wait_all", "DEPBAR"},
    {"cp.async.c", "LDGSTS"},
    {"wgmma.mma_async", "HGMMA"},
    {"wgmma.wait_group", "WARPGROUP"},
    {"wgmma.", "WARPGROUP"},
    {"mma.sync", "HMMA", true},
    {"bar", "BAR"},
    {"shfl", "SHFL", true},
    {"bra", "BRA"},
    {"ret", "EXIT"},
    {"exit", "EXIT"},
    {"ex2", "MUFU", true},
    {"lg2", "MUFU", true},
    {"rcp", "MUFU", true},
    {"rsqrt", "MUFU", true},
    {"sqrt", "MUFU", true},
    {"sin", "MUFU", true},
    {"cos", "MUFU", true},
    {"tanh", "MUFU", true},
    {"div", "MUFU", true},
    {"cvt.rn.f32.s", "I2FP"},
    {"cvt.rzi", "F2I", true},
    {"cvt.rni", "F2I", true},
    {"cvt", "F2FP"},
    {"fma.rn.f64", "DFMA", true},
    {"add.f64", "DADD", true},
    {"mul.f64", "DMUL", true},
    {"fma", "FFMA"},
    {"mad", "IMAD"},
    {"mul", "FMUL"},
    {"add.f", "FADD"},
    {"add.rn.f", "FADD"},
    {"sub.f", "FADD"},
    {"sub.rn.f", "FADD"},
    {"", "IADD3"},
});

/// Without what stands before the instruction on its line.
static string_view instructionText(string_view line) {
  line = trimmed(line);
  while (line.starts_with('{'))
    line = trimmed(line.substr(1));
  if (line.starts_with('@'))
    line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
  return line;
}

static string_view waitedFor(string_view text) {
  static constexpr std::array<string_view, 8> kNumbers = {"0x0", "0x1", "0x2", "0x3",
                                                          "0x4", "0x5", "0x6", "0x7"};
  const size_t digit = text.find_last_of("01234567");
  const size_t space = text.find_last_of(" \t");
  const bool isNumber = digit != string_view::npos && space != string_view::npos && digit > space;
  return kNumbers[isNumber ? static_cast<size_t>(text[digit] - '0') : 0];
}

static void addModifiers(string_view operation, SassInstruction &instruction) {
  for (size_t dot = operation.find('.'); dot != string_view::npos;) {
    operation.remove_prefix(dot + 1);
    dot = operation.find('.');
    const string_view part = operation.substr(0, dot);
    instruction.modifiers.push_back(part == "tf32" ? "TF32" : part);
  }
}

static SassInstruction instructionOf(string_view text, uint32_t line, const Row &row) {
  SassInstruction instruction;
  instruction.line = line;
  instruction.operation = row.operation.empty() ? "NOP" : row.operation;
  addModifiers(text.substr(0, std::min(text.find_first_of(" \t;"), text.size())), instruction);
  if (row.operation == "DEPBAR")
    instruction.operands = {"SB0", waitedFor(text.substr(0, text.find(';')))};
  if (row.prefix == "wgmma.wait_group") {
    instruction.modifiers.push_back("DEPBAR");
    instruction.operands = {"gsb0", waitedFor(text.substr(0, text.find(';')))};
  }
  // Factors with 8 bits.
  const bool isByte = instruction.has("s8") || instruction.has("u8") || instruction.has("e4m3") ||
                      instruction.has("e5m2");
  if (row.operation == "HGMMA") {
    instruction.operation = isByte ? "QGMMA" : "HGMMA";
    instruction.operands = {"R0", "gdesc", "R0"};
  } else if (row.operation == "HMMA" && isByte) {
    instruction.operation = "IMMA";
  }
  return instruction;
}

namespace {
/// Gives each instruction the barriers that stand for registers.
class ControlWriter {
public:
  explicit ControlWriter(size_t numValues) : m_boards(numValues, SassControl::kNone) {}

  void write(const LivenessStep &step, const LivenessStep *next, bool isVariable,
             SassInstruction &instruction) {
    SassControl control;
    for (const machine::ValueIndex value : step.reads)
      if (m_boards[value] < machine::kNumBarriers)
        control.waitMask |= static_cast<uint8_t>(1u << m_boards[value]);
    // What is fixed takes four cycles, and only who needs it at once waits.
    control.stall = next != nullptr && isNeeded(step, *next) ? 4 : 1;
    if (isVariable) {
      control.writeBarrier = m_next;
      m_next = static_cast<uint8_t>((m_next + 1) % machine::kNumBarriers);
    }
    for (const machine::ValueIndex value : step.writes)
      m_boards[value] = control.writeBarrier;
    instruction.word = machine::withControl({}, control);
  }

private:
  static bool isNeeded(const LivenessStep &step, const LivenessStep &next) {
    for (const machine::ValueIndex written : step.writes)
      for (const machine::ValueIndex read : next.reads)
        if (written == read)
          return true;
    return false;
  }

  /// By value: the barrier that whoever wrote it last holds.
  std::vector<uint8_t> m_boards;
  uint8_t m_next = 0;
};
} // namespace

/// A group of products ends with the last one before it is closed.
static void closeGroups(const std::vector<bool> &isCommit, SassProgram &program) {
  for (size_t i = 0; i < isCommit.size(); ++i) {
    if (!isCommit[i])
      continue;
    for (size_t k = i; k-- > 0;)
      if (program.instructions[k].operation.ends_with("GMMA")) {
        program.instructions[k].operands.push_back("gsb0");
        break;
      }
  }
}

SassProgram ptxProgram(string_view ptx) {
  const PtxSteps read = machine::readPtxSteps(ptx);
  const std::vector<string_view> lines = splitLines(ptx);
  ControlWriter control(read.registers.size());
  SassProgram program;
  std::vector<bool> isCommit;
  for (size_t i = 0; i < read.steps.size(); ++i) {
    const LivenessStep &step = read.steps[i];
    const string_view text = instructionText(lines[read.lines[i]]);
    const Row *row = kRows.data();
    while (!text.starts_with(row->prefix))
      ++row;
    SassInstruction instruction = instructionOf(text, read.lines[i], *row);
    if (step.isGuarded)
      instruction.guard = "P0";
    for (const uint32_t next : step.next)
      if (row->operation == "BRA" && (next != i + 1 || step.next.size() == 1))
        instruction.targets.push_back(next);
    control.write(step, i + 1 < read.steps.size() ? &read.steps[i + 1] : nullptr, row->isVariable,
                  instruction);
    program.instructions.push_back(std::move(instruction));
    isCommit.push_back(text.starts_with("wgmma.commit_group"));
  }
  closeGroups(isCommit, program);
  program.hasWords = true;
  return program;
}

} // namespace tilescope::compiler::estimate
