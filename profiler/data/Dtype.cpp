// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Dtype.h"

#include <cmath>

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

size_t dtypeSize(Dtype dtype) { return (static_cast<size_t>(scalarInfo(dtype).bits) + 7) / 8; }
bool isFloat(Dtype dtype) { return scalarInfo(dtype).category == ScalarClass::Floating; }
bool isSigned(Dtype dtype) {
  return isFloat(dtype) || scalarInfo(dtype).category == ScalarClass::Signed;
}
double dtypeEpsilon(Dtype dtype) {
  return isFloat(dtype) ? std::ldexp(1.0, -scalarInfo(dtype).mantissaBits) : 0;
}

} // namespace tilescope::profiler
