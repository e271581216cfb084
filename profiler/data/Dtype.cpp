// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Dtype.h"

#include "compiler/support/NearestName.h"
#include "profiler/data/PowerOfTwo.h"

#include <utility>
#include <vector>

namespace tilescope::profiler {

using compiler::ScalarClass;
using compiler::scalarInfo;

std::span<const compiler::ScalarInfo> allDtypes() {
  return std::span(compiler::kScalars).subspan(1);
}

std::optional<Dtype> parseDtype(std::string_view name) {
  if (name == "bool")
    return Dtype::Int1;
  std::optional<Dtype> dtype = compiler::scalarFromSignature(name);
  if (!dtype)
    dtype = compiler::scalarFromLanguageName(name);
  return dtype == Dtype::Void ? std::nullopt : dtype;
}

std::optional<Dtype> meantDtype(std::string_view name) {
  static constexpr std::pair<std::string_view, Dtype> kForeign[] = {
      {"float", Dtype::Fp32}, {"f32", Dtype::Fp32},    {"single", Dtype::Fp32},
      {"f16", Dtype::Fp16},   {"half", Dtype::Fp16},   {"double", Dtype::Fp64},
      {"f64", Dtype::Fp64},   {"bfloat", Dtype::Bf16}, {"int", Dtype::Int32},
      {"long", Dtype::Int64}, {"short", Dtype::Int16}, {"char", Dtype::Int8},
      {"byte", Dtype::Uint8}, {"uint", Dtype::Uint32}, {"boolean", Dtype::Int1}};
  // What is in front of the dot names a library: `np.float32`.
  name = name.substr(name.rfind('.') + 1);
  if (const std::optional<Dtype> known = parseDtype(name))
    return known;
  for (const auto &[foreign, dtype] : kForeign)
    if (name == foreign)
      return dtype;
  std::vector<std::string_view> names;
  for (const compiler::ScalarInfo &type : allDtypes()) {
    names.push_back(type.signatureName);
    names.push_back(type.languageName);
  }
  return parseDtype(closestName(name, names));
}

size_t dtypeSize(Dtype dtype) { return (static_cast<size_t>(scalarInfo(dtype).bits) + 7) / 8; }
bool isFloat(Dtype dtype) { return scalarInfo(dtype).category == ScalarClass::Floating; }
bool isSigned(Dtype dtype) {
  return isFloat(dtype) || scalarInfo(dtype).category == ScalarClass::Signed;
}
double dtypeEpsilon(Dtype dtype) {
  return isFloat(dtype) ? powerOfTwo(-scalarInfo(dtype).mantissaBits) : 0;
}

} // namespace tilescope::profiler
