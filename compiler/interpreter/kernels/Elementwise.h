// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops over arrays of elements, one function per operation and type, in a form that compilers
// vectorise.
#pragma once

#include "compiler/interpreter/kernels/Element.h"
#include "compiler/interpreter/kernels/FloatFormats.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace tilescope::compiler::interpreter {

/// Computes `count` elements. Operand k is an array if bit k of `dense` is set, else one element
/// for all.
using ElementwiseFunction = void (*)(std::byte *out, const std::byte *const *in, unsigned dense,
                                     size_t count);

/// One row of a table of functions, which together say what operations mean: the name of the operation in the IR, the
/// type of its first operand.
struct ElementwiseEntry {
  std::string_view name;
  Element element;
  ElementwiseFunction function;
  /// Of functions of the device's library, whose names do not say it: what they take and return.
  std::span<const Element> operands = {};
  Element result = {};
};

/// The function for an operation, or null. `name` is that of the IR; comparisons have their
/// predicate appended
/// (`arith.cmpi.slt`), casts the type that they return (`arith.sitofp.f32`).
ElementwiseFunction findElementwise(std::string_view name, Element operand);
/// The word for a type in names of casts.
std::string_view elementName(Element element);

// The tables by family.
std::span<const ElementwiseEntry> integerFunctions();
std::span<const ElementwiseEntry> floatFunctions();
std::span<const ElementwiseEntry> mathFunctions();
std::span<const ElementwiseEntry> castFunctions();
/// What kernels call by the names of the device's library: `__nv_sinf`.
std::span<const ElementwiseEntry> libraryFunctions();

/// How the elements of a type are held, and how results are rounded to it.
template <typename T> struct Exact {
  using Storage = T;
  static T round(T value) { return value; }
};
template <Format F> struct Rounded {
  using Storage = float;
  static float round(float value) { return roundTo<F>(value); }
};
using TypeF16 = Rounded<kF16>;
using TypeBF16 = Rounded<kBF16>;
using TypeF32 = Exact<float>;
using TypeF64 = Exact<double>;

template <typename Op, typename R, typename A>
void unary(std::byte *out, const std::byte *const *in, unsigned, size_t n) {
  R *__restrict r = reinterpret_cast<R *>(out);
  const A *__restrict a = reinterpret_cast<const A *>(in[0]);
  for (size_t i = 0; i < n; ++i)
    r[i] = Op::apply(a[i]);
}

template <typename Op, typename R, typename A, typename B>
void binary(std::byte *out, const std::byte *const *in, unsigned dense, size_t n) {
  R *__restrict r = reinterpret_cast<R *>(out);
  const A *__restrict a = reinterpret_cast<const A *>(in[0]);
  const B *__restrict b = reinterpret_cast<const B *>(in[1]);
  if (dense == 3) {
    for (size_t i = 0; i < n; ++i)
      r[i] = Op::apply(a[i], b[i]);
  } else if (dense == 1) {
    const B b0 = *b;
    for (size_t i = 0; i < n; ++i)
      r[i] = Op::apply(a[i], b0);
  } else {
    const A a0 = *a;
    for (size_t i = 0; i < n; ++i)
      r[i] = Op::apply(a0, b[i * ((dense >> 1) & 1)]);
  }
}

namespace detail {
template <typename Op, bool DenseA, bool DenseB, bool DenseC, typename R, typename A, typename B,
          typename C>
void ternaryLoop(R *__restrict r, const A *__restrict a, const B *__restrict b,
                 const C *__restrict c, size_t n) {
  for (size_t i = 0; i < n; ++i)
    r[i] = Op::apply(a[DenseA ? i : 0], b[DenseB ? i : 0], c[DenseC ? i : 0]);
}
} // namespace detail

template <typename Op, typename R, typename A, typename B, typename C>
void ternary(std::byte *out, const std::byte *const *in, unsigned dense, size_t n) {
  R *r = reinterpret_cast<R *>(out);
  const A *a = reinterpret_cast<const A *>(in[0]);
  const B *b = reinterpret_cast<const B *>(in[1]);
  const C *c = reinterpret_cast<const C *>(in[2]);
  switch (dense) {
  case 1:
    return detail::ternaryLoop<Op, true, false, false>(r, a, b, c, n);
  case 2:
    return detail::ternaryLoop<Op, false, true, false>(r, a, b, c, n);
  case 3:
    return detail::ternaryLoop<Op, true, true, false>(r, a, b, c, n);
  case 4:
    return detail::ternaryLoop<Op, false, false, true>(r, a, b, c, n);
  case 5:
    return detail::ternaryLoop<Op, true, false, true>(r, a, b, c, n);
  case 6:
    return detail::ternaryLoop<Op, false, true, true>(r, a, b, c, n);
  case 7:
    return detail::ternaryLoop<Op, true, true, true>(r, a, b, c, n);
  default:
    return detail::ternaryLoop<Op, false, false, false>(r, a, b, c, n);
  }
}

} // namespace tilescope::compiler::interpreter
