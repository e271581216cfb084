// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ShownPadding.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>

namespace tilescope::app {

using profiler::Tensor;

std::optional<std::string> withAnotherFiller(const std::string &code) {
  constexpr std::string_view kOther = "other=";
  const size_t name = code.rfind(kOther);
  if (name == std::string::npos)
    return std::nullopt;
  const size_t begin = name + kOther.size();
  const std::string filler = code.substr(begin, std::min(code.find(',', begin), code.size()) - begin);
  const bool isFloat = filler.find_first_of(".f") != std::string::npos;
  const bool isNumber = !filler.empty() && (std::isdigit(static_cast<unsigned char>(filler[0])) ||
                                            filler[0] == '-' || filler.starts_with("float("));
  if (!isNumber)
    return std::nullopt;
  // In a minimum, what is larger than all others changes nothing.
  const bool isLargest = filler.find("inf") != std::string::npos &&
                         filler.find('-') == std::string::npos;
  return code.substr(0, begin) + (isLargest ? "-" : "") + (isFloat ? "77.0" : "77") +
         code.substr(begin + filler.size());
}

static std::string_view elementAt(const Tensor &tensor, int64_t index) {
  return {reinterpret_cast<const char *>(tensor.element(index)), profiler::dtypeSize(tensor.dtype)};
}

/// Whether an element depends on the filler: it is off by more than sums in another order are.
static bool differs(const Tensor &filled, const Tensor &refilled, int64_t index) {
  if (elementAt(filled, index) == elementAt(refilled, index))
    return false;
  constexpr double kRounding = 1e-3;
  const double left = filled.at(index), right = refilled.at(index);
  return !profiler::isFloat(filled.dtype) || !std::isfinite(left) || !std::isfinite(right) ||
         std::abs(left - right) > kRounding * std::max({1.0, std::abs(left), std::abs(right)});
}

bool showsPadding(const Tensor &filled, const Tensor &refilled) {
  // More would take too long.
  constexpr int64_t kMostElements = 1 << 22;
  if (filled.dtype != refilled.dtype || filled.shape != refilled.shape ||
      filled.numElements() > kMostElements)
    return false;
  std::map<std::string_view, int64_t> padded, others;
  int64_t numPadded = 0, numOthers = 0;
  for (int64_t i = 0; i < filled.numElements(); ++i) {
    const std::string_view value = elementAt(filled, i);
    const bool isPadded = differs(filled, refilled, i);
    ++(isPadded ? padded : others)[value];
    ++(isPadded ? numPadded : numOthers);
  }
  if (numPadded == 0)
    return false;
  const auto most = std::ranges::max_element(padded, {}, [](const auto &each) { return each.second; });
  const auto beside = others.find(most->first);
  const int64_t numBeside = beside == others.end() ? 0 : beside->second;
  // Small integers are equal by chance, and so are results that are 0 for a reason of their own.
  const int64_t leastPercent = profiler::isFloat(filled.dtype) ? 10 : 60;
  return most->second > 1 && 100 * most->second >= leastPercent * numPadded &&
         20 * numBeside <= numOthers;
}

} // namespace tilescope::app
