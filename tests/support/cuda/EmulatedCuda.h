// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the functions of the emulated driver share: its memory, and kernels as PTX.
#pragma once

#include "profiler/deploy/runtime/tilescope_cuda.h"
#include "tests/support/ptx/PtxEmulator.h"
#include "tests/support/ptx/PtxTensorMap.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace tilescope::tests {

namespace cuda = tilescope_deploy::cuda;
using cuda::Address;
using cuda::Result;

inline constexpr Result kInvalidValue = 1, kOutOfMemory = 2, kNoBinary = 209, kInvalidPtx = 218,
                        kNotFound = 500, kLaunchFailed = 719;
/// An emulated device is small.
inline constexpr size_t kMostMemory = size_t(1) << 32;

struct EmulatedModule {
  PtxModule ptx;
};
struct EmulatedFunction {
  const EmulatedModule *module;
  const PtxProgram *program;
};
struct EmulatedNode {
  size_t number = 0;
  PtxLaunch launch;
  EmulatedFunction *function = nullptr;
  std::set<size_t> after;
};
struct EmulatedGraph {
  std::vector<std::unique_ptr<EmulatedNode>> nodes;
};

/// Sizes by address.
inline std::map<Address, size_t> &allocations() {
  static std::map<Address, size_t> all;
  return all;
}

/// The bytes from an address to the end of what was allocated there; empty: it is not an address.
inline std::span<uint8_t> bytesAt(Address address) {
  auto after = allocations().upper_bound(address);
  if (after == allocations().begin())
    return {};
  const auto &[begin, size] = *std::prev(after);
  if (address >= begin + size)
    return {};
  return {reinterpret_cast<uint8_t *>(address), static_cast<size_t>(begin + size - address)};
}

inline PtxArgument argumentOf(const PtxParameter &parameter, const void *value) {
  PtxArgument argument;
  if (parameter.sizeBytes > 8) {
    const auto *bytes = static_cast<const uint8_t *>(value);
    argument.bytes.assign(bytes, bytes + parameter.sizeBytes);
    PtxTensorMap map;
    std::memcpy(&map, value, sizeof(map));
    argument.buffer = bytesAt(map.base);
    return argument;
  }
  std::memcpy(&argument.scalar, value, static_cast<size_t>(parameter.sizeBytes));
  if (parameter.sizeBytes == 8)
    argument.buffer = bytesAt(argument.scalar);
  return argument;
}

/// False: the kernel is at fault, which standard error says.
inline bool run(const EmulatedNode &node) {
  const PtxOutcome outcome =
      emulatePtx(node.function->module->ptx, *node.function->program, node.launch);
  if (!outcome.error.empty())
    std::fprintf(stderr, "emulated kernel `%s`: %s\n", node.function->program->name.c_str(),
                 outcome.error.c_str());
  return outcome.error.empty();
}

} // namespace tilescope::tests
