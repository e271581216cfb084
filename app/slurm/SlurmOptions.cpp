// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/slurm/SlurmOptions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace tilescope::app {

/// What is handed to `sbatch` as it is.
static constexpr std::array<std::string_view, 14> kBatchNames = {
    "partition", "gres",     "time",    "account",     "qos",  "constraint", "cpus-per-task",
    "mem",       "nodelist", "exclude", "reservation", "nice", "gpus",       "exclusive"};

template <typename T>
static Status readNumber(std::string_view name, std::string_view text, T least,
                         std::optional<T> &value) {
  T number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || !(number >= least) ||
      number > T(100'000'000))
    return Error{ErrorCode::Usage,
                 "`--slurm`: `" + std::string(name) + "=" + std::string(text) +
                     "` is not a number that can be",
                 ""};
  value = number;
  return {};
}

static constexpr std::string_view kValueLetters = "_-.:+@/&|*%[](){}";

/// A line of the script holds it: nothing that a shell or `sbatch` would read as more than a value.
static bool isPlainValue(std::string_view value) {
  return !value.empty() && std::ranges::all_of(value, [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           kValueLetters.find(static_cast<char>(letter)) != std::string_view::npos;
  });
}

static Status takeOption(std::string_view part, SlurmOptions &options) {
  const size_t equals = part.find('=');
  const std::string_view name = part.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
  if (name == "array")
    return readNumber<size_t>(name, value, 1, options.numTasks);
  if (name == "running")
    return readNumber<size_t>(name, value, 1, options.numRunning);
  if (name == "slow")
    return readNumber<double>(name, value, 0.001, options.slowSeconds);
  if (std::ranges::find(kBatchNames, name) == kBatchNames.end())
    return Error{ErrorCode::Usage, "`--slurm`: there is no option `" + std::string(name) + "`",
                 "options are array, running, slow, and of sbatch partition, gres, gpus, time, "
                 "account, qos, constraint, cpus-per-task, mem, nodelist, exclude, reservation, "
                 "nice, exclusive"};
  if (!isPlainValue(value))
    return Error{ErrorCode::Usage,
                 "`--slurm`: `" + std::string(part) + "` has no value that sbatch takes", ""};
  options.batch.emplace_back(name, value);
  return {};
}

Result<SlurmOptions> parseSlurmOptions(const std::string &text) {
  SlurmOptions options;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    std::string_view part = std::string_view(text).substr(begin, end - begin);
    while (part.starts_with(' '))
      part.remove_prefix(1);
    while (part.ends_with(' '))
      part.remove_suffix(1);
    if (!part.empty())
      if (Status status = takeOption(part, options); !status)
        return status.error();
    begin = end + 1;
  }
  return options;
}

} // namespace tilescope::app
