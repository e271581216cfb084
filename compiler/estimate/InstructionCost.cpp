// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/InstructionCost.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tilescope::compiler::estimate {

using machine::SassInstruction;

static constexpr double kWarp = 32;

namespace {
/// Rows, columns and the inner dimension of a product.
struct ProductShape {
  double m = 0, n = 0, k = 0;
};
} // namespace

/// `64x256x16` of `wgmma`, and `16816` of `mma.sync`.
static std::optional<ProductShape> shapeOf(const SassInstruction &instruction) {
  for (const std::string_view text : instruction.modifiers) {
    std::array<double, 3> numbers{};
    const char *at = text.data(), *end = at + text.size();
    size_t count = 0;
    for (; count < 3; ++count) {
      int number = 0;
      const auto [next, fault] = std::from_chars(at, end, number);
      if (fault != std::errc())
        break;
      numbers[count] = number;
      at = next + (next != end && *next == 'x');
    }
    if (count == 3 && at == end)
      return ProductShape{numbers[0], numbers[1], numbers[2]};
    static constexpr auto kWarpShapes =
        std::to_array<std::pair<std::string_view, ProductShape>>({{"1688", {16, 8, 8}},
                                                                  {"16816", {16, 8, 16}},
                                                                  {"16832", {16, 8, 32}},
                                                                  {"1684", {16, 8, 4}},
                                                                  {"884", {8, 8, 4}},
                                                                  {"8816", {8, 8, 16}},
                                                                  {"16864", {16, 8, 64}}});
    for (const auto &[name, shape] : kWarpShapes)
      if (text == name)
        return shape;
  }
  return std::nullopt;
}

/// Bytes of an element of the factors.
static double factorBytes(const SassInstruction &instruction) {
  const std::string_view name = instruction.operation;
  if (name.starts_with('I') || name.starts_with('Q'))
    return 1;
  if (name.starts_with('D'))
    return 8;
  return instruction.has("TF32") ? 4 : 2;
}

static InstructionCost productCost(const SassInstruction &instruction, const DeviceRates &device) {
  InstructionCost cost{.pipe = MachinePipe::Tensor};
  const bool isGroup = instruction.operation.ends_with("GMMA");
  const std::optional<ProductShape> shape = shapeOf(instruction);
  if (!shape)
    return cost;
  const double bytes = factorBytes(instruction);
  // Each warp of a group has a quarter of the product, in its own quarter of the multiprocessor.
  const double shares = isGroup ? 4 : 1;
  const double flops = 2 * shape->m * shape->n * shape->k / shares;
  const double rate = isGroup ? device.groupTensorFlops : device.warpTensorFlops;
  if (rate > 0)
    cost.pipeCycles = flops / rate * bytes / 2;
  cost.latency = 18;
  if (!isGroup)
    return cost;
  // A factor in registers has no descriptor of its own.
  const auto numDescriptors = std::ranges::count_if(
      instruction.operands, [](std::string_view text) { return text.starts_with("gdesc"); });
  const bool readsRows = numDescriptors > 0 && !instruction.operands.empty() &&
                         instruction.operands.size() > 1 &&
                         instruction.operands[1].starts_with("gdesc");
  const double elements = shape->n * shape->k + (readsRows ? shape->m * shape->k : 0);
  cost.wavefronts = elements * bytes / 128 / shares;
  return cost;
}

namespace {
/// A row of the table of instructions: names that begin so.
struct Row {
  std::string_view prefix;
  MachinePipe pipe;
  /// Lanes, as in `DeviceRates`; 0: those of the pipe.
  double lanes = 0;
  double latency = 0;
};
} // namespace

/// The longest prefix that fits counts.
static constexpr auto kRows = std::to_array<Row>({
    {"FFMA", MachinePipe::Fma},
    {"FMUL", MachinePipe::Fma},
    {"FADD", MachinePipe::Fma},
    {"HFMA2", MachinePipe::Fma},
    {"HADD2", MachinePipe::Fma},
    {"HMUL2", MachinePipe::Fma},
    {"IMAD", MachinePipe::Fma, 16},
    {"DFMA", MachinePipe::Fp64},
    {"DADD", MachinePipe::Fp64},
    {"DMUL", MachinePipe::Fp64},
    {"DSETP", MachinePipe::Fp64},
    {"MUFU", MachinePipe::Special, 0, 23},
    {"I2F", MachinePipe::Special, 0, 20},
    {"I2FP", MachinePipe::Alu},
    {"F2I", MachinePipe::Special, 0, 20},
    {"F2F", MachinePipe::Special, 0, 20},
    {"F2FP", MachinePipe::Alu},
    {"FRND", MachinePipe::Special, 0, 20},
    {"POPC", MachinePipe::Special, 0, 20},
    {"FLO", MachinePipe::Special, 0, 20},
    {"LD", MachinePipe::LoadStore, 32, 29},
    {"ST", MachinePipe::LoadStore, 32, 12},
    {"ATOM", MachinePipe::LoadStore, 32, 40},
    {"RED", MachinePipe::LoadStore, 32, 12},
    {"REDUX", MachinePipe::Special, 0, 30},
    {"SHFL", MachinePipe::LoadStore, 32, 24},
    {"LDC", MachinePipe::LoadStore, 32, 30},
    {"LDGDEPBAR", MachinePipe::LoadStore, 32, 0},
    {"S2R", MachinePipe::Uniform, 0, 25},
    {"S2UR", MachinePipe::Uniform, 0, 25},
    {"CS2R", MachinePipe::Alu},
    {"R2UR", MachinePipe::Uniform, 0, 12},
    {"U", MachinePipe::Uniform},
    {"MUL", MachinePipe::Fma},
});

static const Row *rowOf(std::string_view operation) {
  const Row *best = nullptr;
  for (const Row &row : kRows)
    if (operation.starts_with(row.prefix) &&
        (best == nullptr || row.prefix.size() > best->prefix.size()))
      best = &row;
  return best;
}

static double lanesOf(MachinePipe pipe, const DeviceRates &device) {
  switch (pipe) {
  case MachinePipe::Fma:
    return device.fmaLanes;
  case MachinePipe::Alu:
    return device.aluLanes;
  case MachinePipe::Special:
    return device.specialLanes;
  case MachinePipe::Fp64:
    return device.fp64Lanes;
  case MachinePipe::Uniform:
    return 16;
  case MachinePipe::LoadStore:
  case MachinePipe::Tensor:
    break;
  }
  return kWarp;
}

/// Branches, barriers and what only synchronizes: no pipe with a limit of its own.
static bool isControl(std::string_view operation) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"BRA",  "EXIT",  "BAR",  "DEPBAR",   "WARPGROUP", "BSSY",        "BSYNC",       "BREAK",
       "CALL", "RET",   "NOP",  "WARPSYNC", "MEMBAR",    "ERRBAR",      "CGAERRBAR",   "FENCE",
       "CCTL", "SYNCS", "BMOV", "YIELD",    "NANOSLEEP", "UCGABAR_ARV", "UCGABAR_WAIT"});
  return std::ranges::find(kNames, operation) != kNames.end();
}

InstructionCost costOf(const SassInstruction &instruction, const DeviceRates &device) {
  if (isControl(instruction.operation))
    return {};
  if (instruction.operation.ends_with("MMA"))
    return productCost(instruction, device);
  const Row *row = rowOf(instruction.operation);
  InstructionCost cost{.pipe = row ? row->pipe : MachinePipe::Alu};
  const double lanes = row && row->lanes > 0 ? row->lanes : lanesOf(*cost.pipe, device);
  cost.pipeCycles = lanes > 0 ? kWarp / std::min(lanes, kWarp) : 0;
  cost.latency = row ? row->latency : 0;
  if (instruction.operation == "SHFL")
    cost.wavefronts = 1;
  if (instruction.operation == "LDL" || instruction.operation == "STL") {
    cost.wavefronts = instruction.has("128") ? 4 : instruction.has("64") ? 2 : 1;
    cost.spilledBytes = 128 * cost.wavefronts;
  }
  return cost;
}

std::optional<MemoryAction> memoryActionOf(const SassInstruction &instruction) {
  static constexpr auto kActions = std::to_array<std::pair<std::string_view, MemoryAction>>({
      {"LDG", MemoryAction::GlobalLoad},
      {"STG", MemoryAction::GlobalStore},
      {"ATOMG", MemoryAction::GlobalAtomic},
      {"RED", MemoryAction::GlobalReduction},
      {"REDG", MemoryAction::GlobalReduction},
      {"LDGSTS", MemoryAction::AsyncCopy},
      {"LDS", MemoryAction::SharedLoad},
      {"STS", MemoryAction::SharedStore},
      {"LDSM", MemoryAction::MatrixLoad},
  });
  for (const auto &[name, action] : kActions)
    if (instruction.operation == name)
      return action;
  return std::nullopt;
}

} // namespace tilescope::compiler::estimate
