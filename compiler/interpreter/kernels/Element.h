// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Element types of blocks. Floats of 8 and 16 bits are held as `float` in blocks, rounded to their
// type after every operation; in the arguments' memory they have their own width.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilescope::compiler::interpreter {

enum class Element : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  Pointer,
  F8E5M2,
  F8E4M3,
  F8E5M2FNUZ,
  F8E4M3FNUZ,
  F16,
  BF16,
  F32,
  F64
};

/// Bytes of one element in a block.
constexpr size_t storageSize(Element element) {
  switch (element) {
  case Element::I1:
  case Element::I8:
    return 1;
  case Element::I16:
    return 2;
  case Element::I64:
  case Element::Pointer:
  case Element::F64:
    return 8;
  default:
    return 4;
  }
}

/// Bytes of one element in the arguments' memory.
constexpr size_t memorySize(Element element) {
  switch (element) {
  case Element::F8E5M2:
  case Element::F8E4M3:
  case Element::F8E5M2FNUZ:
  case Element::F8E4M3FNUZ:
    return 1;
  case Element::F16:
  case Element::BF16:
    return 2;
  default:
    return storageSize(element);
  }
}

constexpr bool isInteger(Element element) { return element <= Element::I64; }
constexpr bool isFloat(Element element) { return element >= Element::F8E5M2; }
/// Floats narrower than what a block holds them in.
constexpr bool isSmallFloat(Element element) {
  return element >= Element::F8E5M2 && element <= Element::BF16;
}
/// Width of an integer or pointer.
constexpr unsigned integerWidth(Element element) {
  return element == Element::I1 ? 1 : static_cast<unsigned>(storageSize(element) * 8);
}

} // namespace tilescope::compiler::interpreter
