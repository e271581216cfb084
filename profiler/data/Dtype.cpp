// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Dtype.h"

#include <array>
#include <string>
#include <utility>

namespace tilescope::profiler {

namespace {
struct DtypeInfo {
  std::string_view name;
  size_t size;
  bool isFloat;
  bool isSigned;
  double epsilon;
};
} // namespace

static constexpr std::array<DtypeInfo, kNumDtypes> kInfos = {{
    {"i1", 1, false, false, 0},
    {"i8", 1, false, true, 0},
    {"i16", 2, false, true, 0},
    {"i32", 4, false, true, 0},
    {"i64", 8, false, true, 0},
    {"u8", 1, false, false, 0},
    {"u16", 2, false, false, 0},
    {"u32", 4, false, false, 0},
    {"u64", 8, false, false, 0},
    {"fp8e4nv", 1, true, true, 0x1p-3},
    {"fp8e5", 1, true, true, 0x1p-2},
    {"fp8e4b8", 1, true, true, 0x1p-3},
    {"fp8e5b16", 1, true, true, 0x1p-2},
    {"fp8e4b15", 1, true, true, 0x1p-3},
    {"fp16", 2, true, true, 0x1p-10},
    {"bf16", 2, true, true, 0x1p-7},
    {"fp32", 4, true, true, 0x1p-23},
    {"fp64", 8, true, true, 0x1p-52},
}};

static const DtypeInfo &info(Dtype dtype) { return kInfos[static_cast<size_t>(dtype)]; }

std::string_view dtypeName(Dtype dtype) { return info(dtype).name; }

/// `i8` for the language's `int8`, `fp16` for `float16`.
static std::string shortName(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kPrefixes[] = {
      {"int", "i"}, {"uint", "u"}, {"bfloat", "bf"}, {"float", "fp"}};
  for (const auto &[longForm, shortForm] : kPrefixes)
    if (name.starts_with(longForm))
      return std::string(shortForm) + std::string(name.substr(longForm.size()));
  return std::string(name);
}

std::optional<Dtype> parseDtype(std::string_view name) {
  if (name == "u1" || name == "bool")
    return Dtype::I1;
  const std::string wanted = shortName(name);
  for (size_t i = 0; i < kInfos.size(); ++i)
    if (kInfos[i].name == wanted)
      return static_cast<Dtype>(i);
  return std::nullopt;
}

size_t dtypeSize(Dtype dtype) { return info(dtype).size; }
bool isFloat(Dtype dtype) { return info(dtype).isFloat; }
bool isSigned(Dtype dtype) { return info(dtype).isSigned; }
double dtypeEpsilon(Dtype dtype) { return info(dtype).epsilon; }

} // namespace tilescope::profiler
