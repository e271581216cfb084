// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SelectionArguments.h"

#include <CLI/CLI.hpp>

namespace tilescope::app {

void addSelectionOptions(CLI::App &command, SelectionArguments &arguments) {
  command.add_option("--kernel", arguments.kernel, "Which @triton.jit function");
  command.add_option("--launch", arguments.launch, "Which launch block, by name or position");
  // One argument each: the lists are cut here, where brackets and quotes are known.
  auto addList = [&](const char *name, std::vector<std::string> &list, const char *help) {
    command.add_option(name, list, help)->expected(1)->take_all()->allow_extra_args(false);
  };
  addList("--signature", arguments.signature,
          "Argument types by name, e.g. x_ptr=*fp32:16,n=i32:16");
  addList("--constexpr", arguments.constexprs,
          "Compile-time values by name, e.g. BLOCK=1024,ACT=\"relu\"");
  addList("--option", arguments.options, "Launch options, e.g. num_warps=8,num_stages=3");
  addList("--set", arguments.sizes, "Sizes of the launch block, e.g. n=4096");
  command.add_option("--target", arguments.target, "cuda:80, 86, 89, 90, 100 or 120");
}

std::vector<std::string> splitList(std::string_view list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (char c : list) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    if (c == ',' && depth == 0 && !quote)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

static std::string trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  size_t end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

static Status addEntries(const std::vector<std::string> &lists, const char *option,
                         std::map<std::string, std::string> &entries) {
  for (const std::string &list : lists)
    for (const std::string &part : splitList(list)) {
      size_t equals = part.find('=');
      std::string name = trim(std::string_view(part).substr(0, equals));
      if (equals == std::string::npos || name.empty())
        return Error{ErrorCode::Usage, "`" + part + "` of " + option + " is not NAME=VALUE", ""};
      entries[name] = trim(std::string_view(part).substr(equals + 1));
    }
  return {};
}

Result<compiler::Selection> toSelection(const SelectionArguments &arguments) {
  compiler::Selection selection;
  selection.kernel = arguments.kernel;
  selection.launch = arguments.launch;
  selection.target = arguments.target;
  for (Status status : {addEntries(arguments.signature, "--signature", selection.signature),
                        addEntries(arguments.constexprs, "--constexpr", selection.constexprs),
                        addEntries(arguments.options, "--option", selection.options),
                        addEntries(arguments.sizes, "--set", selection.sizes)})
    if (status)
      return *status;
  return selection;
}

} // namespace tilescope::app
