// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/PrintText.h"

#include "compiler/interpreter/Frame.h"

#include <cstdio>
#include <cstring>

namespace tilescope::compiler::interpreter {

static std::string format(const char *pattern, auto... values) {
  // The largest number of fp64 has 309 digits.
  char buffer[400];
  std::snprintf(buffer, sizeof(buffer), pattern, values...);
  return buffer;
}

static std::string formatElement(const std::byte *data, Element element, bool isSigned, bool hex) {
  if (isFloat(element)) {
    double value = 0;
    if (element == Element::F64) {
      std::memcpy(&value, data, sizeof(value));
    } else {
      float narrow;
      std::memcpy(&narrow, data, sizeof(narrow));
      value = narrow;
    }
    return format(hex ? "%a" : "%f", value);
  }
  int64_t value = loadInteger(data, element);
  unsigned width = integerWidth(element);
  uint64_t bits = width == 64 ? static_cast<uint64_t>(value)
                              : static_cast<uint64_t>(value) & ((uint64_t(1) << width) - 1);
  if (hex)
    return format("0x%0*llx", static_cast<int>((width + 3) / 4),
                  static_cast<unsigned long long>(bits));
  if (element == Element::Pointer)
    return format("0x%llx", static_cast<unsigned long long>(bits));
  return isSigned ? format("%lld", static_cast<long long>(value))
                  : format("%llu", static_cast<unsigned long long>(bits));
}

static int numDigits(int64_t extent) {
  int digits = 0;
  for (int64_t power = 1; power < extent; power *= 10)
    ++digits;
  return digits;
}

/// "(0, 12)": the index of an element, padded as on the device.
static std::string formatIndex(int64_t element, const Shape &shape) {
  std::string text;
  for (int d = shape.rank - 1; d >= 0; --d) {
    std::string index = format("%*lld", numDigits(shape.extent[d]),
                               static_cast<long long>(element % shape.extent[d]));
    text = text.empty() ? index : index + ", " + text;
    element /= shape.extent[d];
  }
  return "(" + text + ")";
}

std::string printText(const std::array<int32_t, 3> &programId, std::string_view prefix, bool isHex,
                      std::span<const PrintedValue> values) {
  const std::string pid = format("pid (%d, %d, %d)", programId[0], programId[1], programId[2]);
  if (values.empty())
    return pid + std::string(prefix) + "\n";
  std::string lines;
  for (size_t number = 0; number < values.size(); ++number) {
    const PrintedValue &value = values[number];
    const auto size = static_cast<int64_t>(storageSize(value.element));
    const std::string which = values.size() > 1 ? format("(operand %zu) ", number) : "";
    for (int64_t i = 0; i < value.shape.count; ++i) {
      // A number would look like what was computed.
      const bool isDefined = !value.defined || value.defined[i] != std::byte{0};
      lines += pid + " idx " + formatIndex(i, value.shape) + std::string(prefix) + which +
               (isDefined
                    ? formatElement(value.elements + i * size, value.element, value.isSigned, isHex)
                    : "undefined") +
               "\n";
    }
  }
  return lines;
}

} // namespace tilescope::compiler::interpreter
