// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/TargetSpec.h"

#include "compiler/artifacts/CpuTarget.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tilescope::compiler {

namespace {

struct KnownTarget {
  int capability;
  /// The oldest that has all instructions that are written for it.
  int minimumPtxVersion;
  int maxSharedKilobytes;
};

} // namespace

static constexpr std::array kKnownTargets = {KnownTarget{80, 70, 163}, KnownTarget{86, 71, 99},
                                             // Products of fp8, and reductions of vectors.
                                             KnownTarget{89, 84, 99}, KnownTarget{90, 81, 227},
                                             KnownTarget{100, 86, 227}, KnownTarget{120, 87, 99}};
/// The newest PTX that LLVM 22 writes.
static constexpr int kNewestPtxVersion = 90;

std::string TargetSpec::name() const {
  return isCpu() ? cpu : "cuda:" + std::to_string(capability);
}

std::string TargetSpec::processor() const {
  return "sm_" + std::to_string(capability) + (capability >= 90 ? "a" : "");
}

int TargetSpec::minimumPtxVersion() const {
  for (const KnownTarget &known : kKnownTargets)
    if (known.capability == capability)
      return known.minimumPtxVersion;
  return kNewestPtxVersion;
}

int64_t TargetSpec::maxSharedBytes() const {
  for (const KnownTarget &known : kKnownTargets)
    if (known.capability == capability)
      return int64_t{known.maxSharedKilobytes} << 10;
  return int64_t{kKnownTargets.front().maxSharedKilobytes} << 10;
}

Result<TargetSpec> parseTarget(std::string_view text) {
  text = fullTargetName(text);
  std::vector<TargetSpec> targets;
  for (const KnownTarget &known : kKnownTargets)
    targets.push_back({known.capability});
  for (const CpuTarget &known : kCpuTargets)
    targets.push_back({.cpu = std::string(known.name)});
  std::string names;
  for (const TargetSpec &target : targets) {
    if (text == target.name())
      return target;
    names += (names.empty() ? "`" : ", `") + target.name() + "`";
  }
  return Error{ErrorCode::InvalidInput, "unknown target `" + std::string(text) + "`",
               "known targets are " + names};
}

int choosePtxVersion(const TargetSpec &target, int assemblerMajor, int assemblerMinor) {
  const int oldest = target.minimumPtxVersion();
  if (assemblerMajor == 0)
    return oldest;
  // CUDA 12.m came with PTX 8.m (one less from 12.6 on), CUDA 13.m with PTX 9.m.
  int newest = kNewestPtxVersion;
  if (assemblerMajor < 12)
    newest = oldest;
  else if (assemblerMajor == 12)
    newest = 80 + (assemblerMinor < 6 ? assemblerMinor : assemblerMinor - 1);
  else
    newest = 90 + assemblerMinor;
  // LLVM has no PTX version 8.9 and nothing after 9.0.
  newest = std::min(newest, kNewestPtxVersion);
  return std::max(newest, oldest);
}

} // namespace tilescope::compiler
