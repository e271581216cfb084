// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Builds tables of functions from lambdas on single elements:
//
//   table.add<[](float x, int32_t n) { return std::ldexp(x, n); }>("ldexpf");
#pragma once

#include "compiler/interpreter/kernels/Elementwise.h"

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler::interpreter {

class LibraryTable {
public:
  /// The function `__nv_` + name; its first operand's type is the row's.
  template <auto F> void add(const std::string &name) { addSigned<F>(name, +F); }

  const std::vector<ElementwiseEntry> &entries() const { return m_entries; }

private:
  template <typename T> static constexpr Element elementOf() {
    if constexpr (std::is_same_v<T, float>)
      return Element::F32;
    else if constexpr (std::is_same_v<T, double>)
      return Element::F64;
    else
      return sizeof(T) == 8 ? Element::I64 : sizeof(T) == 4 ? Element::I32 : Element::I16;
  }

  template <auto F, typename R, typename... A, size_t... I>
  static void loop(R *__restrict out, const std::byte *const *in, unsigned dense, size_t n,
                   std::index_sequence<I...>) {
    for (size_t i = 0; i < n; ++i)
      out[i] = F(reinterpret_cast<const A *>(in[I])[dense >> I & 1 ? i : 0]...);
  }

  template <auto F, typename R, typename First, typename... Rest>
  void addSigned(const std::string &name, R (*)(First, Rest...)) {
    m_names.push_back("__nv_" + name);
    ElementwiseFunction function = [](std::byte *out, const std::byte *const *in, unsigned dense,
                                      size_t n) {
      loop<F, R, First, Rest...>(reinterpret_cast<R *>(out), in, dense, n,
                                 std::make_index_sequence<1 + sizeof...(Rest)>());
    };
    static constexpr std::array kOperands = {elementOf<First>(), elementOf<Rest>()...};
    m_entries.push_back({m_names.back(), kOperands.front(), function, kOperands, elementOf<R>()});
  }

  // Names must stay where they are while the entries refer to them.
  std::deque<std::string> m_names;
  std::vector<ElementwiseEntry> m_entries;
};

// The library by family.
void addLibraryMath(LibraryTable &table);
void addLibraryRounded(LibraryTable &table);
void addLibraryIntegers(LibraryTable &table);

} // namespace tilescope::compiler::interpreter
