// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/SelectionArguments.h"

#include <string>
#include <vector>

/// One function per subcommand. Each takes what was typed and gives the exit status.
namespace tilescope::app {

struct CheckArguments {
  std::vector<std::string> files;
  SelectionArguments selection;
  bool syntaxOnly = false;
  bool asJson = false;
};
/// Parses and type-checks every kernel that can be specialized; folders are searched for `.py`
/// files.
int runCheck(const CheckArguments &arguments);

struct CompileArguments {
  std::string file;
  SelectionArguments selection;
  std::string emit;
  std::string out;
  bool timings = false;
  bool passes = false;
  bool asJson = false;
};
int runCompile(const CompileArguments &arguments);

struct PackageArguments {
  std::string file;
  SelectionArguments selection;
  std::string out;
};
int runPackage(const PackageArguments &arguments);

struct RunArguments {
  std::string file;
  SelectionArguments selection;
  /// `cpu`, `cuda`, `cuda:N`, `ssh://[user@]host`; empty: a GPU when there is one.
  std::string where;
  std::string dump;
  bool compare = false;
  bool asJson = false;
  /// Times are what is wanted: `profile`.
  bool profile = false;
};
/// `run` and `profile`.
int runLaunch(const RunArguments &arguments);

} // namespace tilescope::app
