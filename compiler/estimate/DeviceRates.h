// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::compiler::estimate {

/// What a GPU can do. docs/estimate.md says where each number comes from.
struct DeviceRates {
  /// `cuda:90`.
  std::string_view target;
  /// `H100 SXM`.
  std::string_view name;
  /// As the driver calls it.
  std::string_view driverName;
  int32_t multiprocessors = 0;
  /// Under load.
  double clockGhz = 0;
  /// Of the memory: what its clock and its bus allow.
  double dramGbPerS = 0;
  double l2Bytes = 0;
  /// L1 and shared memory of a multiprocessor together.
  double l1Bytes = 0;
  /// What a multiprocessor gets from L2 in a cycle, all of them reading.
  double l2BytesPerCycle = 0;
  /// Of a quarter of a multiprocessor: lanes that its pipes serve in a cycle.
  double fmaLanes = 0, aluLanes = 0, specialLanes = 0, fp64Lanes = 0;
  /// Of a quarter: floating-point operations on fp16 factors in a cycle, by instructions of a warp
  /// (`mma.sync`) and, where there are any, of four warps together (`wgmma`).
  double warpTensorFlops = 0, groupTensorFlops = 0;
  /// In cycles, without load.
  double sharedLatency = 0, l2Latency = 0, dramLatency = 0;
};

/// Of the device that the driver calls so; the usual one of the target where `device` is empty.
/// Nothing for one that is not in the table.
std::optional<DeviceRates> deviceRates(std::string_view target, std::string_view device = {});

} // namespace tilescope::compiler::estimate
