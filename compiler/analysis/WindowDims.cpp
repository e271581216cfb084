// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/WindowDims.h"

#include <utility>

namespace tilescope::compiler {

/// How far the place in a window goes, where that is known.
static std::optional<LinearEnd> lengthOfWindow(const AccessDim &place) {
  LinearEnd length;
  if (place.sum)
    return place.sum;
  const ArgumentSet &ends = place.masked.empty() ? place.looped : place.masked;
  const bool isKnown = ends.size() <= 1 && place.product.empty() && place.free.empty() &&
                       !place.isUnknown && !place.indexedBy;
  if (!isKnown)
    return std::nullopt;
  if (ends.empty())
    length.constant = place.span + std::max<int64_t>(place.shift, 0);
  else
    length.add(*ends.begin(), 1);
  return length;
}

/// Where the last window ends: at `n - k + k` for `(n - k) // s + 1` of `k` elements that begin `s` apart.
static std::optional<LinearEnd> endOfWindows(const AccessDim &number, const AccessDim &place) {
  const bool isStride = number.strides.size() == 1 && place.strides.empty() &&
                        number.step == place.step && number.sum &&
                        number.sum->quotients.size() == 1 && number.sum->factors.empty();
  const std::optional<LinearEnd> length = lengthOfWindow(place);
  if (!isStride || !length)
    return std::nullopt;
  const EndQuotient &quotient = number.sum->quotients.front();
  if (quotient.divisor.argument() != number.strides.front() || quotient.divisor.constant != 0)
    return std::nullopt;
  LinearEnd end = quotient.dividend;
  end.add(quotient.divisor, number.sum->constant - 1);
  end.add(*length, 1);
  return end;
}

void joinWindows(std::vector<AccessDim> &dims) {
  for (size_t i = 1; i < dims.size(); ++i) {
    std::optional<LinearEnd> end = endOfWindows(dims[i - 1], dims[i]);
    if (!end)
      continue;
    AccessDim whole;
    whole.step = dims[i].step;
    whole.isRepeated = true;
    if (const std::optional<unsigned> argument = end->argument(); argument && end->constant == 0)
      whole.masked = {*argument};
    else
      whole.sum = std::move(end);
    dims[i - 1] = std::move(whole);
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

bool isPartOfEnd(const AccessDim &dim) {
  if (!dim.sum || dim.sum->quotients.size() != 1 || !dim.sum->factors.empty())
    return false;
  const std::optional<unsigned> whole = dim.sum->quotients.front().dividend.argument();
  return whole && dim.masked.contains(*whole);
}

} // namespace tilescope::compiler
