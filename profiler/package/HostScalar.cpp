// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/HostScalar.h"

#include <cstdint>
#include <limits>
#include <variant>

namespace tilescope::profiler {

std::optional<PlanScalar> scalarOf(const LaunchValue &value) {
  if (auto *flag = std::get_if<bool>(&value.value))
    return PlanScalar{"u1", *flag};
  if (auto *number = std::get_if<int64_t>(&value.value)) {
    bool small = *number >= std::numeric_limits<int32_t>::min() &&
                 *number <= std::numeric_limits<int32_t>::max();
    return PlanScalar{small ? "i32" : "i64", *number};
  }
  if (auto *number = std::get_if<uint64_t>(&value.value))
    return PlanScalar{"u64", *number};
  if (auto *number = std::get_if<double>(&value.value))
    return PlanScalar{"fp32", *number};
  return std::nullopt;
}

std::optional<PlanScalar> convertScalar(const PlanScalar &scalar, Dtype dtype,
                                        const std::string &type) {
  if (isFloat(dtype)) {
    double number = std::visit([](auto each) { return double(each); }, scalar.value);
    return PlanScalar{type, number};
  }
  if (std::holds_alternative<double>(scalar.value))
    return std::nullopt;
  if (auto *flag = std::get_if<bool>(&scalar.value); flag && dtype != Dtype::Int1)
    return PlanScalar{type, int64_t(*flag)};
  return PlanScalar{type, scalar.value};
}

} // namespace tilescope::profiler
