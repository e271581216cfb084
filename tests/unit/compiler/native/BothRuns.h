// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// One kernel executed twice: by the interpreter and as native code.
#pragma once

#include "compiler/native/NativeKernel.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::tests {

/// An argument of a launch: memory, or a scalar.
struct TestArgument {
  std::vector<uint8_t> memory;
  /// A scalar's bits.
  std::optional<uint64_t> bits;
};

template <typename T> TestArgument memoryOf(const std::vector<T> &elements) {
  TestArgument argument;
  argument.memory.resize(elements.size() * sizeof(T));
  std::memcpy(argument.memory.data(), elements.data(), argument.memory.size());
  return argument;
}
/// Memory of which every byte says that nothing has written it.
TestArgument poisoned(size_t bytes);
TestArgument number(uint64_t bits);

struct BothRuns {
  /// Why one of them did not complete; empty otherwise.
  std::string errors;
  std::string cpuIr;
  /// The arguments' memory afterwards.
  std::vector<std::vector<uint8_t>> interpreted, native;

  template <typename T> std::vector<T> elements(size_t argument, bool ofNative) const {
    const std::vector<uint8_t> &bytes = (ofNative ? native : interpreted).at(argument);
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

BothRuns runBoth(const std::string &ttir, std::array<int32_t, 3> grid,
                 const std::vector<TestArgument> &arguments,
                 const native::NativeOptions &options = {});

/// The first element, of floats of this type ("f32") or of integers otherwise, that differs in more
/// than the bits of a NaN; -1 if all agree.
int64_t firstDifference(const std::vector<uint8_t> &left, const std::vector<uint8_t> &right,
                        const std::string &type);

/// A program with these arguments, of which the interpreter's results are expected bit for bit.
void checkAgrees(const std::string &ttir, std::array<int32_t, 3> grid,
                 const std::vector<TestArgument> &arguments, const std::vector<std::string> &types);

/// `count` elements of a type of TTIR: numbers of all sizes, and the special ones.
TestArgument sampleOf(const std::string &type, size_t count, unsigned seed);
size_t bytesOf(const std::string &type);

} // namespace tilescope::tests
