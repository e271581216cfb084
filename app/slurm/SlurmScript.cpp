// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/slurm/SlurmScript.h"

#include <algorithm>

namespace tilescope::app {

static std::string quoted(const std::string &word) {
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

/// What a line of `#SBATCH` holds without meaning more.
static std::string plainName(const std::string &name) {
  std::string plain;
  for (const unsigned char letter : name)
    plain += std::isalnum(letter) != 0 || letter == '_' ? static_cast<char>(letter) : '_';
  return plain.substr(0, 64);
}

std::string slurmScript(const SlurmJob &job, const SlurmOptions &options) {
  std::string text = "#!/bin/sh\n#SBATCH --job-name=tilescope-" + plainName(job.name) + "\n";
  // A task that a node takes with it runs again, and goes on from what it wrote.
  text += "#SBATCH --requeue\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n"
          "#SBATCH --output=/dev/null\n";
  for (const auto &[name, value] : options.batch)
    text += "#SBATCH --" + name + "=" + value + "\n";
  text += "cd " + quoted(job.folder) + " || exit 1\nexec";
  for (const std::string &word : job.command)
    text += " " + quoted(word);
  return text + " \"$(($1 + SLURM_ARRAY_TASK_ID))\"\n";
}

std::vector<SlurmArray> slurmArrays(std::span<const size_t> tasks, size_t arrayLimit) {
  const size_t limit = std::max<size_t>(arrayLimit, 1);
  std::vector<SlurmArray> arrays;
  for (size_t i = 0; i < tasks.size();) {
    SlurmArray array;
    array.first = tasks[i] / limit * limit;
    while (i < tasks.size() && tasks[i] < array.first + limit) {
      const size_t begin = tasks[i];
      size_t end = begin;
      do {
        end = tasks[i++];
      } while (i < tasks.size() && tasks[i] == end + 1 && tasks[i] < array.first + limit);
      array.indices += (array.indices.empty() ? "" : ",") + std::to_string(begin - array.first);
      if (end > begin)
        array.indices += "-" + std::to_string(end - array.first);
      array.numTasks += end - begin + 1;
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

} // namespace tilescope::app
