// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What `device_print` writes: a line per element, as on the device.
//
//   pid (1, 0, 0) idx ( 7) x: 0.500000
#pragma once

#include "compiler/interpreter/Program.h"
#include "compiler/interpreter/kernels/Element.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilescope::compiler::interpreter {

/// A block, or one number.
struct PrintedValue {
  Element element{};
  Shape shape;
  bool isSigned = false;
  /// As blocks hold them, row-major.
  const std::byte *elements = nullptr;
  /// Per element, whether it is defined. Null: all are.
  const std::byte *defined = nullptr;
};

std::string printText(const std::array<int32_t, 3> &programId, std::string_view prefix, bool isHex,
                      std::span<const PrintedValue> values);

} // namespace tilescope::compiler::interpreter
