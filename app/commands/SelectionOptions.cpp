// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SelectionOptions.h"

#include "compiler/artifacts/CpuTarget.h"
#include "compiler/artifacts/LaunchOptions.h"
#include "compiler/support/NearestName.h"
#include "compiler/support/Text.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <filesystem>

namespace tilescope::app {

void addSelectionOptions(CLI::App &command, SelectionOptions &options) {
  const auto addList = [&command](const char *name, std::vector<std::string> &list,
                                  const char *help) {
    // One value per occurrence, so that the file name may follow.
    command.add_option(name, list, help)->allow_extra_args(false)->type_name("LIST");
  };
  command.add_option("--kernel", options.kernel, "which @triton.jit function")->type_name("NAME");
  command
      .add_option("--launch", options.launch,
                  "which launch block, by name or number, or by its kernel")
      ->type_name("NAME");
  addList("--signature", options.signature,
          "argument types in Triton's notation: x_ptr=*fp32:16,n=i32");
  addList("--constexpr", options.constexprs, "compile-time values: BLOCK=1024,ACT=\"relu\"");
  addList("--option", options.options, "num_warps, num_stages, …: num_warps=8");
  addList("--set", options.sizes, "sizes of the launch block: n=4096");
  command
      .add_option("--target", options.target,
                  "cuda:80, 86, 89, 90, 100 or 120; cpu:native, x86-64-v3, x86-64-v4, "
                  "sapphirerapids or neoverse-v1")
      ->type_name("TARGET");
  command
      .add_option("--import-path", options.importPaths,
                  "folder in which imported kernels are looked up")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
}

std::vector<std::string_view> splitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Result<std::map<std::string, std::string>> parseAssignments(std::string_view text) {
  std::map<std::string, std::string> assignments;
  for (std::string_view part : splitAtCommas(text)) {
    part = trimmed(part);
    if (part.empty())
      continue;
    const size_t equals = part.find('=');
    const std::string_view name = trimmed(part.substr(0, equals));
    if (equals == std::string_view::npos || name.empty() ||
        trimmed(part.substr(equals + 1)).empty())
      return Error{ErrorCode::Usage, "`" + std::string(part) + "` is not of the form NAME=VALUE",
                   ""};
    assignments[std::string(name)] = std::string(trimmed(part.substr(equals + 1)));
  }
  return assignments;
}

static Status collect(const std::vector<std::string> &lists,
                      std::map<std::string, std::string> &target) {
  for (const std::string &list : lists) {
    Result<std::map<std::string, std::string>> parsed = parseAssignments(list);
    if (!parsed)
      return parsed.error();
    for (auto &[name, value] : *parsed)
      target[name] = value;
  }
  return {};
}

/// The first name that launches have no option of.
static Status checkOptionNames(const std::map<std::string, std::string> &options) {
  for (const auto &[name, value] : options) {
    if (compiler::isLaunchOption(name))
      continue;
    const std::string_view nearest = closestName(name, compiler::launchOptions());
    return Error{ErrorCode::Usage, "`--option`: launches have no option `" + name + "`",
                 nearest.empty() ? "num_warps, num_stages, num_ctas, maxnreg and enable_fp_fusion "
                                   "are some; `--constexpr` sets what a kernel declares itself"
                                 : "did you mean `" + std::string(nearest) + "`?"};
  }
  return {};
}

Result<compiler::Selection> toSelection(const SelectionOptions &options) {
  compiler::Selection selection;
  selection.kernel = options.kernel;
  selection.launch = options.launch;
  selection.target = compiler::fullTargetName(options.target);
  for (const std::string &folder : options.importPaths)
    selection.importPaths.push_back(std::filesystem::absolute(folder).string());
  for (Status status :
       {collect(options.signature, selection.signature),
        collect(options.constexprs, selection.constexprs),
        collect(options.options, selection.options), checkOptionNames(selection.options),
        collect(options.sizes, selection.sizes)})
    if (!status)
      return status.error();
  return selection;
}

} // namespace tilescope::app
