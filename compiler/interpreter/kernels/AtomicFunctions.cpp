// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/AtomicFunctions.h"

namespace tilescope::compiler::interpreter {
namespace {

struct Second {
  template <typename T> static T apply(T, T b) { return b; }
};

} // namespace

/// Empty: none.
static std::string_view operationOf(AtomicKind kind, bool ofFloats) {
  switch (kind) {
  case AtomicKind::And:
    return "arith.andi";
  case AtomicKind::Or:
    return "arith.ori";
  case AtomicKind::Xor:
    return "arith.xori";
  case AtomicKind::Add:
    return "arith.addi";
  case AtomicKind::FAdd:
    return "arith.addf";
  case AtomicKind::Max:
    return ofFloats ? "arith.maxnumf" : "arith.maxsi";
  case AtomicKind::Min:
    return ofFloats ? "arith.minnumf" : "arith.minsi";
  case AtomicKind::UMax:
    return "arith.maxui";
  case AtomicKind::UMin:
    return "arith.minui";
  case AtomicKind::Exchange:
    break;
  }
  return "";
}

ElementwiseFunction findAtomic(AtomicKind kind, Element element) {
  if (kind != AtomicKind::Exchange)
    return findElementwise(operationOf(kind, isFloat(element)), element);
  switch (storageSize(element)) {
  case 1:
    return binary<Second, uint8_t, uint8_t, uint8_t>;
  case 2:
    return binary<Second, uint16_t, uint16_t, uint16_t>;
  case 4:
    return binary<Second, uint32_t, uint32_t, uint32_t>;
  default:
    return binary<Second, uint64_t, uint64_t, uint64_t>;
  }
}

} // namespace tilescope::compiler::interpreter
