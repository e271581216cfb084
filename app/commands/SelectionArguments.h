// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace tilescope::app {

/// The selection options as typed: lists that may repeat and accumulate.
struct SelectionArguments {
  std::string kernel;
  std::string launch;
  std::vector<std::string> signature;
  std::vector<std::string> constexprs;
  std::vector<std::string> options;
  std::vector<std::string> sizes;
  std::string target;
};

/// Declares `--kernel --launch --signature --constexpr --option --target --set` on a subcommand.
void addSelectionOptions(CLI::App &command, SelectionArguments &arguments);

/// The selection they mean, or what is wrong with them.
Result<compiler::Selection> toSelection(const SelectionArguments &arguments);

/// Cuts `a=1,b=f(2,3),c="x,y"` at the commas outside brackets and quotes.
std::vector<std::string> splitList(std::string_view list);

} // namespace tilescope::app
