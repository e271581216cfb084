// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The kernel package (`.tskernel`): everything the machine with the GPU needs, in one file of the form that
/// BlobFile.h describes. Its header has the launch's facts and plan, its blobs are machine code.
namespace tilescope::profiler {

inline constexpr uint32_t kPackageVersion = 1;

struct PackageParameter {
  std::string name;
  /// Triton's notation without hints: `*fp32`, `i32`, `fp32`, `u1`.
  std::string type;
  bool operator==(const PackageParameter &) const = default;
};

struct KernelPackage {
  /// Symbol of the entry function.
  std::string symbol;
  /// `cuda:90`.
  std::string target;
  int32_t numWarps = 4;
  int32_t numCtas = 1;
  int64_t sharedBytes = 0;
  int64_t globalScratchBytes = 0;
  /// In launch order; two pointers (global scratch, profile scratch) follow them.
  std::vector<PackageParameter> parameters;
  std::optional<int64_t> registers;
  std::optional<int64_t> spillBytes;
  /// Of a kernel that was compiled with clock reads; the profile scratch is for what they record.
  std::optional<TraceTable> trace;
  LaunchPlan plan;
  /// Where the kernel came from, for reports; may be empty.
  std::string sourcePath;
  std::string sourceText;
  /// What wrote the package, e.g. `tilescope 0.1.0`.
  std::string generator;
  /// At least one of them is there; the driver compiles PTX for devices that the cubin does not
  /// fit.
  std::string cubin;
  std::string ptx;
  bool operator==(const KernelPackage &) const = default;
};

/// Whether a device runs machine code of a target, as `cuda:90`: that of its own generation, and not
/// of a later member.
bool targetFits(std::string_view target, const DeviceInfo &device);

std::string encodePackage(const KernelPackage &package);
/// Files cut off, altered or made by hand lead to an error that says what is wrong.
Result<KernelPackage> decodePackage(std::string_view bytes);

Status writePackage(const std::string &path, const KernelPackage &package);
Result<KernelPackage> readPackage(const std::string &path);

} // namespace tilescope::profiler
