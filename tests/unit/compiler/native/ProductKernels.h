// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// TTIR of products of matrices.
#pragma once

#include <string>

namespace tilescope::tests {

/// Of a product: [m, k] times [k, n].
struct Extents {
  int m, n, k;
};

/// Defines `%<name>p`, pointers of [rows, columns] into memory from `pointer` on, row after row, and other values whose names
/// begin with `name`.
std::string blockOf(const std::string &name, const std::string &pointer, const std::string &type,
                    int rows, int columns);

/// z += x y
std::string productKernel(const std::string &factor, const std::string &sum, Extents e);

} // namespace tilescope::tests
