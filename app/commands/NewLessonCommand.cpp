// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/LessonCommands.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tilescope::app {

static constexpr const char *kLesson =
    R"(title = "Scale a vector"
summary = "Multiply every element by a number, without touching anything past the end."
minutes = 15
target = "cuda:90"
hints = [
  "Programs are numbered from 0: `tl.program_id(0)` is the number of this one.",
  "The last block sticks out over the end: `offsets < n` is true for the elements that exist.",
]

[[goals]]
kind = "outputs"
text = "Every element of `out_ptr` is `2 * x_ptr`"
launch = "odd size"

[[goals]]
kind = "no-faults"
text = "Nothing past the end is read or written"
launch = "odd size"
met_at_start = true

[[questions]]
kind = "programs"
text = "How many programs does this launch start for 1000 elements?"
launch = "odd size"
)";

static constexpr const char *kText =
    R"(# Scale a vector

The kernel on the right handles one block of 256 elements, whatever `n` is. Make it handle all of
them.
)";

static constexpr const char *kHead = R"toml(import triton
import triton.language as tl

# /// tilescope
# kernel = "scale"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "2 * x_ptr" }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
)toml";

static constexpr const char *kStart = R"(    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, 2 * x)
)";

static constexpr const char *kSolution =
    R"(    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, 2 * x, mask=mask)
)";

static constexpr const char *kLaunches = R"toml(# /// tilescope
# name = "odd size"
# kernel = "scale"
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "2 * x_ptr" }
# ///
)toml";

static Status writeLesson(const std::filesystem::path &folder) {
  std::error_code error;
  if (std::filesystem::exists(folder, error))
    return Error{ErrorCode::InvalidInput, "`" + folder.string() + "` exists already",
                 "choose a folder that does not exist yet"};
  std::filesystem::create_directories(folder, error);
  if (error)
    return Error{ErrorCode::Environment,
                 "cannot make the folder `" + folder.string() + "`: " + error.message(), ""};
  const std::pair<const char *, std::string> files[] = {
      {"lesson.toml", kLesson},
      {"text.md", kText},
      {"start.py", std::string(kHead) + kStart},
      {"solution.py", std::string(kHead) + kSolution},
      {"launches.py", kLaunches}};
  for (const auto &[name, text] : files)
    if (Status status = profiler::writeFile((folder / name).string(), text); !status)
      return status;
  return {};
}

/// As a shell takes it for one word.
static std::string quoted(const std::string &word) {
  const bool isPlain = std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_./-+", c) != nullptr;
  });
  if (isPlain)
    return word;
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

int runNewLesson(const std::string &folder) {
  if (Status status = writeLesson(folder); !status)
    return reportError(status.error());
  std::printf(
      "%s has a lesson to begin with; `tilescope lesson check %s` checks it, and `tilescope "
      "lesson open %s` shows it while you write\n",
      folder.c_str(), quoted(folder).c_str(), quoted(folder).c_str());
  return 0;
}

} // namespace tilescope::app
