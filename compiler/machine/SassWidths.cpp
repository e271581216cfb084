// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassWidths.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace tilescope::compiler::machine {

using std::string_view;

namespace {
/// What the widths of an operation follow from.
enum class Family {
  Arithmetic,
  /// Writes no register.
  Effect,
  Memory,
  MatrixMemory,
  TensorMemory,
  Product,
  GroupProduct,
  /// Writes two predicates.
  Comparison,
  Double,
  Packed,
  Conversion,
  Vote,
};
} // namespace

static Family familyOf(string_view operation) {
  static const std::unordered_map<string_view, Family> families = [] {
    std::unordered_map<string_view, Family> map;
    const auto add = [&map](Family family, std::initializer_list<string_view> names) {
      for (const string_view name : names)
        map.emplace(name, family);
    };
    add(Family::Memory, {"LD", "LDG", "LDS", "LDL", "LDC", "ULDC", "LDCU", "ATOM", "ATOMG", "ATOMS",
                         "ST", "STG", "STS", "STL", "STAS", "RED", "REDG", "REDS", "REDAS"});
    add(Family::MatrixMemory, {"LDSM", "STSM"});
    add(Family::TensorMemory, {"LDTM", "STTM"});
    add(Family::Product, {"HMMA", "IMMA", "QMMA", "OMMA", "BMMA", "DMMA"});
    add(Family::GroupProduct, {"HGMMA", "IGMMA", "QGMMA", "BGMMA"});
    add(Family::Comparison, {"ISETP", "FSETP", "DSETP", "HSETP2", "UISETP", "UFSETP", "PLOP3",
                             "UPLOP3", "PSETP", "UPSETP"});
    add(Family::Double, {"DADD", "DMUL", "DFMA", "DMNMX"});
    add(Family::Packed, {"FADD2", "FMUL2", "FFMA2"});
    add(Family::Conversion, {"F2F", "F2I", "I2F", "FRND", "UI2F", "UF2I"});
    add(Family::Vote, {"VOTE", "VOTEU"});
    add(Family::Effect,
        {"ACQBULK",      "ARRIVES",    "BAR",           "BPT",      "BRA",       "BREAK",
         "BRX",          "BSSY",       "BSYNC",         "CALL",     "CCTL",      "CCTLL",
         "CCTLT",        "DEPBAR",     "ENDCOLLECTIVE", "ERRBAR",   "EXIT",      "FENCE",
         "JMP",          "JMX",        "JMXU",          "KILL",     "LDGDEPBAR", "LDGSTS",
         "MEMBAR",       "NANOSLEEP",  "NOP",           "PMTRIG",   "PREEXIT",   "R2B",
         "RET",          "SETCTAID",   "UBLKCP",        "UBLKPF",   "UBLKRED",   "UCGABAR_ARV",
         "UCGABAR_WAIT", "USETMAXREG", "USETSHMSZ",     "UTCBAR",   "UTCCP",     "UTCHMMA",
         "UTCIMMA",      "UTCOMMA",    "UTCQMMA",       "UTCSHIFT", "UTMACCTL",  "UTMACMDFLUSH",
         "UTMALDG",      "UTMAPF",     "UTMAREDG",      "UTMASTG",  "WARPGROUP", "WARPGROUPSET",
         "WARPSYNC",     "YIELD"});
    return map;
  }();
  const auto found = families.find(operation);
  return found == families.end() ? Family::Arithmetic : found->second;
}

/// `P0`, `PT`, `UP3`, not `!P0`: what may be a result.
static bool isPlainPredicate(string_view operand) {
  if (operand.starts_with('U'))
    operand.remove_prefix(1);
  return operand.size() == 2 && operand[0] == 'P' &&
         (operand[1] == 'T' || (operand[1] >= '0' && operand[1] <= '7'));
}

static bool isRegister(string_view operand) {
  if (operand.starts_with('U'))
    operand.remove_prefix(1);
  return operand.size() >= 2 && operand[0] == 'R' &&
         (operand[1] == 'Z' || (operand[1] >= '0' && operand[1] <= '9'));
}

/// The first operand, the predicates behind it, or behind a first predicate the register.
static size_t countResults(const SassInstruction &instruction) {
  const auto &operands = instruction.operands;
  if (operands.empty() || !(isPlainPredicate(operands[0]) || isRegister(operands[0])))
    return 0;
  if (isPlainPredicate(operands[0])) {
    static const std::unordered_set<string_view> both = {
        "SHFL", "LOP3", "ULOP3", "ATOM", "ATOMG", "ATOMS", "LD", "LDG", "R2UR", "ELECT", "MATCH"};
    return operands.size() > 1 && isRegister(operands[1]) && both.contains(instruction.operation)
               ? 2
               : 1;
  }
  size_t count = 1;
  while (count < operands.size() && isPlainPredicate(operands[count]))
    ++count;
  // What is chosen by a predicate has other operands in front of it.
  return count == operands.size() ? 1 : count;
}

static int numberIn(string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

static OperandWidths uniformWidths(size_t numResults, int width) {
  return {numResults, width, {width, width, width, width}};
}

/// Registers that a thread loads or stores.
static int memoryWidth(const SassInstruction &instruction) {
  if (instruction.has("256"))
    return instruction.has("ENL2") ? 4 : 8;
  if (instruction.has("128"))
    return 4;
  return instruction.has("64") ? 2 : 1;
}

static OperandWidths memoryWidths(const SassInstruction &instruction) {
  const bool isLoad = instruction.operation.starts_with("LD") ||
                      instruction.operation.starts_with("ULD") ||
                      instruction.operation.starts_with("ATOM");
  size_t results = isLoad ? countResults(instruction) : 0;
  // Two times four registers.
  if (isLoad && instruction.has("ENL2"))
    results = 2;
  return uniformWidths(results, memoryWidth(instruction));
}

static OperandWidths matrixMemoryWidths(const SassInstruction &instruction) {
  const int width = instruction.has("4") ? 4 : instruction.has("2") ? 2 : 1;
  return uniformWidths(instruction.operation == "LDSM" ? 1 : 0, width);
}

/// `LDTM.16dp256bit.x4`: as many times as many columns of 32 bits as the shape has for a lane.
static OperandWidths tensorMemoryWidths(const SassInstruction &instruction) {
  int times = 1, columns = 1;
  for (const string_view modifier : instruction.modifiers) {
    if (modifier.starts_with('x'))
      times = numberIn(modifier.substr(1));
    if (modifier.starts_with("16dp256"))
      columns = 4;
    else if (modifier.starts_with("16dp128"))
      columns = 2;
  }
  return uniformWidths(instruction.operation == "LDTM" ? 1 : 0, times * columns);
}

namespace {
struct ProductShape {
  int m = 0, n = 0, k = 0;
};
} // namespace

/// `16816`: 16 x 8 x 16; `1688`: 16 x 8 x 8; `884`: 8 x 8 x 4; `64x128x16`.
static std::optional<ProductShape> productShape(const SassInstruction &instruction) {
  for (const string_view modifier : instruction.modifiers) {
    if (modifier.empty() || modifier[0] < '0' || modifier[0] > '9')
      continue;
    if (const size_t first = modifier.find('x'); first != string_view::npos) {
      const size_t second = modifier.find('x', first + 1);
      if (second == string_view::npos)
        continue;
      return ProductShape{numberIn(modifier), numberIn(modifier.substr(first + 1)),
                          numberIn(modifier.substr(second + 1))};
    }
    if (modifier.starts_with("168"))
      return ProductShape{16, 8, numberIn(modifier.substr(3))};
    if (modifier.starts_with("88"))
      return ProductShape{8, 8, numberIn(modifier.substr(2))};
  }
  return std::nullopt;
}

static int factorBits(const SassInstruction &instruction) {
  const char kind = instruction.operation[0];
  if (kind == 'D')
    return 64;
  if (kind == 'B')
    return 1;
  if (kind == 'O' || instruction.has("S4") || instruction.has("U4"))
    return 4;
  if (kind == 'I' || kind == 'Q')
    return 8;
  return instruction.has("TF32") ? 32 : 16;
}

static int sumBits(const SassInstruction &instruction) {
  const char kind = instruction.operation[0];
  if (kind == 'D')
    return 64;
  return kind == 'I' || kind == 'B' || instruction.has("F32") ? 32 : 16;
}

/// A matrix of so many bits, evenly over the threads.
static int registersFor(int bits, int threads) { return std::max(1, bits / 32 / threads); }

static OperandWidths productWidths(const SassInstruction &instruction, int threads) {
  const std::optional<ProductShape> shape = productShape(instruction);
  if (!shape)
    return {};
  const int factor = factorBits(instruction);
  const int sum = registersFor(shape->m * shape->n * sumBits(instruction), threads);
  const int sparse = instruction.has("SP") ? 2 : 1;
  const int a = registersFor(shape->m * shape->k * factor / sparse, threads);
  const int b = registersFor(shape->n * shape->k * factor, threads);
  OperandWidths widths{1, sum, {a, b, sum, 1}};
  // Factors in shared memory are in brackets.
  if (threads == 128)
    widths.sources = {a, sum, sum, 1};
  return widths;
}

/// `HGMMA R24, gdesc[UR8], R24, gsb0` or `HGMMA R24, R4, gdesc[UR8], R24, gsb0`.
static OperandWidths groupProductWidths(const SassInstruction &instruction) {
  OperandWidths widths = productWidths(instruction, 128);
  const bool isInRegisters = instruction.operands.size() > 1 && isRegister(instruction.operands[1]);
  if (!isInRegisters)
    widths.sources = {1, widths.result, 1, 1};
  else
    widths.sources = {widths.sources[0], 1, widths.result, 1};
  return widths;
}

static bool isWideType(string_view type) { return type == "F64" || type == "S64" || type == "U64"; }

/// `F2F.F64.F32`, `I2F.U64`, `F2I.S64.TRUNC`, `F2I.F64.TRUNC`: types of the result, then of the
/// source; one that is named by the operation is left out.
static OperandWidths conversionWidths(const SassInstruction &instruction) {
  OperandWidths widths;
  std::vector<string_view> types;
  for (const string_view modifier : instruction.modifiers)
    if (modifier.size() >= 2 && (modifier[0] == 'F' || modifier[0] == 'S' || modifier[0] == 'U') &&
        modifier[1] >= '0' && modifier[1] <= '9')
      types.push_back(modifier);
  const string_view operation = instruction.operation;
  const auto isWide = [&](size_t index) {
    return index < types.size() && isWideType(types[index]);
  };
  bool result = false, source = false;
  if (operation == "FRND") {
    result = source = isWide(0);
  } else if (operation == "F2F") {
    result = isWide(0);
    source = isWide(1);
  } else {
    const bool toFloat = operation.ends_with("I2F");
    for (const string_view type : types)
      (((type[0] == 'F') == toFloat) ? result : source) |= isWideType(type);
  }
  widths.result = result ? 2 : 1;
  widths.sources.fill(source ? 2 : 1);
  return widths;
}

static OperandWidths arithmeticWidths(const SassInstruction &instruction) {
  const string_view operation = instruction.operation;
  OperandWidths widths;
  widths.numResults = countResults(instruction);
  const bool isMultiply = operation == "IMAD" || operation == "UIMAD";
  if (isMultiply && instruction.has("WIDE"))
    return {widths.numResults, 2, {1, 1, 2, 1}};
  if (isMultiply && instruction.has("HI"))
    widths.sources = {1, 1, 2, 1};
  const bool isPair = instruction.has("64") || (operation == "CS2R" && !instruction.has("32")) ||
                      operation == "LEPC" || operation == "ULEPC";
  return isPair ? uniformWidths(widths.numResults, 2) : widths;
}

OperandWidths operandWidths(const SassInstruction &instruction) {
  switch (familyOf(instruction.operation)) {
  case Family::Effect:
    return {0, 1, {1, 1, 1, 1}};
  case Family::Memory:
    return memoryWidths(instruction);
  case Family::MatrixMemory:
    return matrixMemoryWidths(instruction);
  case Family::TensorMemory:
    return tensorMemoryWidths(instruction);
  case Family::Product:
    return productWidths(instruction, 32);
  case Family::GroupProduct:
    return groupProductWidths(instruction);
  case Family::Comparison: {
    const bool isWide = instruction.operation == "DSETP" || instruction.has("U64") ||
                        instruction.has("S64") || instruction.has("64");
    return uniformWidths(2, isWide ? 2 : 1);
  }
  case Family::Double:
  case Family::Packed:
    return uniformWidths(countResults(instruction), 2);
  case Family::Conversion:
    return conversionWidths(instruction);
  case Family::Vote:
    return uniformWidths(instruction.operands.empty() ? 0 : instruction.operands.size() - 1, 1);
  case Family::Arithmetic:
    break;
  }
  return arithmeticWidths(instruction);
}

} // namespace tilescope::compiler::machine
