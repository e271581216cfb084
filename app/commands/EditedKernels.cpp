// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/EditedKernels.h"

#include <sstream>

namespace tilescope::app {

/// The file without its launch blocks, of which each line becomes an empty comment: lines keep their numbers.
static std::string withoutLaunches(const std::string &text) {
  std::istringstream lines(text);
  std::string kept, line;
  bool isInBlock = false;
  while (std::getline(lines, line)) {
    const bool isEnd = isInBlock && line == "# ///";
    isInBlock |= line == "# /// tilescope";
    kept += (isInBlock ? "#" : line) + "\n";
    isInBlock &= !isEnd;
  }
  return kept;
}

static bool defines(const std::string &text, const std::string &function) {
  return text.find("\ndef " + function + "(") != std::string::npos;
}

/// The kernel, without what it imports and calls.
static std::string ownText(const std::string &definition) {
  const size_t begin = definition.rfind("@triton.jit\n");
  return begin == std::string::npos ? definition : definition.substr(begin);
}

Status useKernels(const std::string &text, const std::string &file, ModelPlan &plan) {
  const std::string kernels = withoutLaunches(text);
  for (auto &[function, definition] : plan.functions) {
    if (!defines(kernels, function))
      return Error{ErrorCode::InvalidInput,
                   "`" + file + "` does not define `" + function + "`, which the model needs",
                   "`tilescope model compile` with the same `--dim` and `--form` writes it"};
    if (kernels.find(ownText(definition)) == std::string::npos)
      plan.editedFunctions.insert(function);
    definition = kernels;
  }
  return {};
}

} // namespace tilescope::app
