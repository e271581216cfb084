// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/native/BothRuns.h"

#include "tests/unit/compiler/interpreter/RunTtir.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <random>

namespace tilescope::tests {

TestArgument poisoned(size_t bytes) { return {std::vector<uint8_t>(bytes, 0xA5), std::nullopt}; }

TestArgument number(uint64_t bits) { return {{}, bits}; }

BothRuns runBoth(const std::string &ttir, std::array<int32_t, 3> grid,
                 const std::vector<TestArgument> &arguments, const native::NativeOptions &options) {
  BothRuns runs;
  compiler::InterpreterLaunch launch{grid, {}};
  std::vector<uint64_t> words;
  for (const TestArgument &argument : arguments) {
    runs.interpreted.push_back(argument.memory);
    runs.native.push_back(argument.memory);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = "argument" + std::to_string(i);
    const std::optional<uint64_t> &bits = arguments[i].bits;
    launch.arguments.push_back(bits ? scalar(name, static_cast<int64_t>(*bits))
                                    : memory(name, runs.interpreted[i]));
    words.push_back(bits ? *bits : word(runs.native[i]));
  }
  if (options.checkBounds)
    for (const TestArgument &argument : arguments)
      words.push_back(argument.memory.size());
  const compiler::Interpretation interpretation = runTtir(ttir, launch);
  if (!interpretation.completed)
    runs.errors = "the interpreter did not complete\n";
  for (const compiler::InterpreterFinding &finding : interpretation.findings)
    runs.errors += finding.message + "\n";
  const NativeRun native = runNative(ttir, grid, words, options);
  runs.errors += native.errors;
  runs.cpuIr = native.cpuIr;
  return runs;
}

size_t bytesOf(const std::string &type) {
  if (type == "bf16")
    return 2;
  const int bits = std::stoi(type.substr(1));
  return bits == 1 ? 1 : static_cast<size_t>(bits / 8);
}

/// Whether the bits, of a float of this type, are those of a NaN.
static bool isNan(uint64_t bits, const std::string &type) {
  const auto is = [&](uint64_t exponent, uint64_t mantissa) {
    return (bits & exponent) == exponent && (bits & mantissa) != 0;
  };
  return type == "f16"    ? is(0x7c00, 0x03ff)
         : type == "bf16" ? is(0x7f80, 0x007f)
         : type == "f32"  ? is(0x7f800000, 0x007fffff)
         : type == "f64"  ? is(0x7ff0000000000000, 0x000fffffffffffff)
                          : false;
}

static uint64_t elementAt(const std::vector<uint8_t> &memory, size_t index, size_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, &memory[index * size], size);
  return bits;
}

int64_t firstDifference(const std::vector<uint8_t> &left, const std::vector<uint8_t> &right,
                        const std::string &type) {
  const size_t size = bytesOf(type);
  for (size_t i = 0; i < left.size() / size; ++i) {
    const uint64_t a = elementAt(left, i, size), b = elementAt(right, i, size);
    if (a != b && !(isNan(a, type) && isNan(b, type)))
      return static_cast<int64_t>(i);
  }
  return -1;
}

void checkAgrees(const std::string &ttir, std::array<int32_t, 3> grid,
                 const std::vector<TestArgument> &arguments,
                 const std::vector<std::string> &types) {
  INFO(ttir);
  const BothRuns runs = runBoth(ttir, grid, arguments);
  INFO(runs.cpuIr);
  REQUIRE(runs.errors == "");
  for (size_t i = 0; i < types.size(); ++i) {
    INFO("argument " << i);
    CHECK(firstDifference(runs.interpreted[i], runs.native[i], types[i]) == -1);
  }
}

/// Special values in the highest bits of a type, as fp32 has them.
static uint64_t specialFloat(unsigned choice, const std::string &type) {
  static constexpr uint64_t kFp32[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0x3f800000, 0xbf800000, 0x3f000000};
  static constexpr uint64_t kFp16[] = {0x0000, 0x8000, 0x7c00, 0xfc00,
                                       0x7e00, 0x3c00, 0xbc00, 0x3800};
  static constexpr uint64_t kFp64[] = {0x0000000000000000, 0x8000000000000000, 0x7ff0000000000000,
                                       0xfff0000000000000, 0x7ff8000000000000, 0x3ff0000000000000,
                                       0xbff0000000000000, 0x3fe0000000000000};
  choice %= 8;
  return type == "f16"    ? kFp16[choice]
         : type == "bf16" ? kFp32[choice] >> 16
         : type == "f32"  ? kFp32[choice]
                          : kFp64[choice];
}

static uint64_t specialInteger(unsigned choice, size_t bits) {
  const uint64_t values[] = {
      0, 1, ~uint64_t(0), uint64_t(1) << (bits - 1), (uint64_t(1) << (bits - 1)) - 1, 2, 7, bits};
  return values[choice % 8];
}

TestArgument sampleOf(const std::string &type, size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  const size_t size = bytesOf(type);
  const bool isFloat = type[0] != 'i';
  TestArgument argument = poisoned(count * size);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = random();
    if (random() % 4 == 0)
      bits = isFloat ? specialFloat(static_cast<unsigned>(random()), type)
                     : specialInteger(static_cast<unsigned>(random()), size * 8);
    else if (isFloat && random() % 2 == 0) {
      // Numbers of a size that kernels have: exponents near zero.
      const double value = std::normal_distribution<double>()(random);
      const float narrow = static_cast<float>(value);
      uint32_t fp32 = 0;
      std::memcpy(&fp32, &narrow, 4);
      const auto half = static_cast<_Float16>(value);
      uint16_t fp16 = 0;
      std::memcpy(&fp16, &half, 2);
      uint64_t fp64 = 0;
      std::memcpy(&fp64, &value, 8);
      bits = type == "f16" ? fp16 : type == "bf16" ? fp32 >> 16 : type == "f32" ? fp32 : fp64;
    }
    if (type == "i1")
      bits &= 1;
    std::memcpy(&argument.memory[i * size], &bits, size);
  }
  return argument;
}

} // namespace tilescope::tests
