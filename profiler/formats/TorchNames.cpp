// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/TorchNames.h"

#include <utility>

namespace tilescope::profiler {

/// Those that Triton calls differently.
static constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"float8_e4m3fn", "fp8e4nv"}, {"float8_e5m2", "fp8e5"}, {"bool", "i1"}};

std::optional<Dtype> dtypeOfTorch(std::string_view name) {
  if (name.starts_with("torch."))
    name.remove_prefix(6);
  for (const auto &[torch, ours] : kOtherNames)
    if (name == torch)
      return parseDtype(ours);
  return parseDtype(name);
}

std::string torchName(Dtype dtype) {
  for (const auto &[torch, ours] : kOtherNames)
    if (dtypeName(dtype) == ours)
      return "torch." + std::string(torch);
  return "torch." + std::string(compiler::scalarInfo(dtype).languageName);
}

} // namespace tilescope::profiler
