// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/KernelText.h"

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

/// Those of a kernel that begin in one of these types of the language: `float16`.
std::vector<NarrowAccumulator> narrowAccumulators(const KernelText &kernel,
                                                  std::initializer_list<std::string_view> types);

} // namespace tilescope::app
