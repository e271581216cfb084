// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/KernelText.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// What begins in a narrow type, and to which each turn of a loop adds:
///
///     acc = tl.zeros([BN], dtype=tl.float16)      type
///     for r in range(0, M):
///         acc += tl.load(x_ptr + r * N + i)       update
struct NarrowAccumulator {
  std::string name;
  const compiler::ast::Attribute *type = nullptr;
  const compiler::ast::Stmt *update = nullptr;
};

/// Its type as the kernel writes it, with another name: `tl.float32` in the place of `tl.float16`.
std::string typeNamed(const KernelText &kernel, const NarrowAccumulator &sum,
                      std::string_view name);

/// Visits what loops carry from turn to turn: the name, and the statement of the loop that makes it anew.
void walkCarried(const KernelText &kernel,
                 const std::function<void(const compiler::ast::Stmt &loop, std::string_view name,
                                          const compiler::ast::Stmt &update)> &visit);

/// Those of a kernel that begin in one of these types of the language: `float16`.
std::vector<NarrowAccumulator> narrowAccumulators(const KernelText &kernel,
                                                  std::initializer_list<std::string_view> types);

} // namespace tilescope::app
