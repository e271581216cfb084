// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/OtherSizes.h"

#include "compiler/support/WholeNumber.h"

#include <optional>

namespace tilescope::app {

/// Half of a size and a little more, so that it is neither a multiple of a block nor its power.
static std::optional<std::string> otherSize(const std::string &size) {
  constexpr int64_t kLeast = 8;
  const std::optional<int64_t> number = wholeNumber(size);
  return number && *number >= kLeast ? std::optional(std::to_string(*number / 2 + 3))
                                     : std::nullopt;
}

std::vector<Sizes> otherSizes(compiler::WorkerClient &worker, const LaunchRequest &request,
                              const std::stop_token &stop) {
  const Result<CompiledFile> file = resolveInput(worker, request.input, request.selection, stop);
  if (!file || !file->plan || !request.inputFolder.empty())
    return {};
  Sizes all = request.selection.sizes;
  std::vector<Sizes> choices;
  for (const auto &[name, value] : file->plan->sizes)
    if (const std::optional<std::string> other = otherSize(value)) {
      all[name] = *other;
      choices.push_back(request.selection.sizes);
      choices.back()[name] = *other;
    }
  if (choices.size() > 1)
    choices.insert(choices.begin(), std::move(all));
  return choices;
}

std::optional<Sizes> doubledSizes(compiler::WorkerClient &worker, const LaunchRequest &request,
                                  const std::stop_token &stop) {
  const Result<CompiledFile> file = resolveInput(worker, request.input, request.selection, stop);
  if (!file || !file->plan || file->plan->sizes.empty() || !request.inputFolder.empty())
    return std::nullopt;
  Sizes doubled = request.selection.sizes;
  for (const auto &[name, value] : file->plan->sizes) {
    const std::optional<int64_t> number = wholeNumber(value);
    if (!number)
      return std::nullopt;
    doubled[name] = std::to_string(2 * *number);
  }
  return doubled;
}

} // namespace tilescope::app
