// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the entries of a kernel's `@triton.autotune` set, worked out from the file's text.
#pragma once

#include "compiler/artifacts/LaunchFacts.h"
#include "compiler/syntax/ModuleIndex.h"

#include <string>
#include <vector>

namespace tilescope::compiler::inference {

/// The choices that the kernel's `@triton.autotune` lists, in its order, as far as they can be
/// worked out without running the file.
std::vector<Configuration> configurationsOf(const ast::ModuleIndex &index,
                                            const ast::JitFunction &kernel);

/// A constexpr or a launch option that a configuration sets.
struct ConfiguredValue {
  enum class Kind { Constexpr, Option };
  Kind kind = Kind::Constexpr;
  std::string name;
  /// As the kernel language writes it.
  std::string text;
};

/// What the first `Config(...)` sets, in its order. Read from the call itself, so the list around it
/// may be one that cannot be worked out.
std::vector<ConfiguredValue> firstConfiguration(const ast::ModuleIndex &index,
                                                const ast::JitFunction &kernel);

} // namespace tilescope::compiler::inference
