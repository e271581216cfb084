// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/native/ProductKernels.h"

#include <utility>

namespace tilescope::tests {

std::string blockOf(const std::string &name, const std::string &pointer, const std::string &type,
                    int rows, int columns) {
  std::string text = R"(
  %NAMEr = tt.make_range {end = ROWS : i32, start = 0 : i32} : tensor<ROWSxi32>
  %NAMEc = tt.make_range {end = COLS : i32, start = 0 : i32} : tensor<COLSxi32>
  %NAMEr1 = tt.expand_dims %NAMEr {axis = 1 : i32} : tensor<ROWSxi32> -> tensor<ROWSx1xi32>
  %NAMEc1 = tt.expand_dims %NAMEc {axis = 0 : i32} : tensor<COLSxi32> -> tensor<1xCOLSxi32>
  %NAMEw = arith.constant dense<COLS> : tensor<ROWSx1xi32>
  %NAMEb = arith.muli %NAMEr1, %NAMEw : tensor<ROWSx1xi32>
  %NAMEb2 = tt.broadcast %NAMEb : tensor<ROWSx1xi32> -> tensor<ROWSxCOLSxi32>
  %NAMEc2 = tt.broadcast %NAMEc1 : tensor<1xCOLSxi32> -> tensor<ROWSxCOLSxi32>
  %NAMEo = arith.addi %NAMEb2, %NAMEc2 : tensor<ROWSxCOLSxi32>
  %NAMEs = tt.splat POINTER : !tt.ptr<TYPE> -> tensor<ROWSxCOLSx!tt.ptr<TYPE>>
  %NAMEp = tt.addptr %NAMEs, %NAMEo : tensor<ROWSxCOLSx!tt.ptr<TYPE>>, tensor<ROWSxCOLSxi32>
)";
  for (const auto &[what, with] : {std::pair<std::string, std::string>("NAME", name),
                                   {"POINTER", pointer},
                                   {"TYPE", type},
                                   {"ROWS", std::to_string(rows)},
                                   {"COLS", std::to_string(columns)}})
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
      text.replace(at, what.size(), with);
  return text;
}

std::string productKernel(const std::string &factor, const std::string &sum, Extents e) {
  const auto tensor = [](int rows, int columns, const std::string &type) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
  };
  const auto pointers = [&](int rows, int columns, const std::string &type) {
    return tensor(rows, columns, "!tt.ptr<" + type + ">");
  };
  const std::string a = tensor(e.m, e.k, factor), b = tensor(e.k, e.n, factor),
                    c = tensor(e.m, e.n, sum);
  return "tt.func public @k(%x: !tt.ptr<" + factor + ">, %y: !tt.ptr<" + factor +
         ">, %z: !tt.ptr<" + sum + ">) {" + blockOf("a", "%x", factor, e.m, e.k) +
         blockOf("b", "%y", factor, e.k, e.n) + blockOf("c", "%z", sum, e.m, e.n) +
         "  %u = tt.load %ap : " + pointers(e.m, e.k, factor) +
         "\n  %v = tt.load %bp : " + pointers(e.k, e.n, factor) +
         "\n  %w = tt.load %cp : " + pointers(e.m, e.n, sum) + "\n  %d = tt.dot %u, %v, %w : " + a +
         " * " + b + " -> " + c + "\n  tt.store %cp, %d : " + pointers(e.m, e.n, sum) +
         "\n  tt.return\n}\n";
}

} // namespace tilescope::tests
