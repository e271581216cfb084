// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/support/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace tilescope::app {

/// The selection as the command line states it; each list may be given several times.
struct SelectionOptions {
  std::string kernel;
  std::string launch;
  std::vector<std::string> signature;
  std::vector<std::string> constexprs;
  std::vector<std::string> options;
  std::vector<std::string> sizes;
  std::string target;
  std::vector<std::string> importPaths;
};

/// Declares the options of commands.md's selection.
void addSelectionOptions(CLI::App &command, SelectionOptions &options);

/// The lists taken apart; a malformed one is a usage error.
Result<compiler::Selection> toSelection(const SelectionOptions &options);

/// The parts of a list; commas inside quotes and brackets belong to a part.
std::vector<std::string_view> splitAtCommas(std::string_view text);

/// `name=value,name=value`: commas inside quotes and brackets belong to the value.
Result<std::map<std::string, std::string>> parseAssignments(std::string_view text);

} // namespace tilescope::app
