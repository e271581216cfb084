// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/BlockFrame.h"

#include "compiler/support/NearestName.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilescope::profiler {

static constexpr std::string_view kBlanks = " \t";

static std::string_view withoutBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Whether it is the name in a block's first line, or nearly so.
static bool isNearlyName(std::string_view word) {
  constexpr std::array<std::string_view, 1> kName{"tilescope"};
  std::string small(word);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return small == kName[0] || !closestName(small, kName).empty();
}

/// Whether what follows a comment's mark is slashes and that name, but not as a block begins.
static bool isNearlyHeader(std::string_view rest) {
  constexpr std::string_view kRight = " /// tilescope";
  // Blanks at its end do no harm.
  if (rest.substr(0, rest.find_last_not_of(kBlanks) + 1) == kRight)
    return false;
  const std::string_view text = withoutBlanks(rest);
  const size_t numSlashes = std::min(text.find_first_not_of('/'), text.size());
  constexpr size_t kMostSlashes = 8;
  return numSlashes > 0 && numSlashes <= kMostSlashes &&
         isNearlyName(withoutBlanks(text.substr(numSlashes)));
}

std::vector<LaunchProblem> misspelledHeaders(std::string_view fileText) {
  std::vector<LaunchProblem> problems;
  const std::vector<std::string_view> lines = linesOfFile(fileText);
  for (uint32_t i = 0; i + 1 < lines.size(); ++i) {
    const auto mark = std::ranges::find_if(
        kCommentMarks, [&](std::string_view each) { return lines[i].starts_with(each); });
    // A line by itself is a remark.
    if (mark == kCommentMarks.end() || !isNearlyHeader(lines[i].substr(mark->size())) ||
        !lines[i + 1].starts_with(*mark))
      continue;
    const std::string meant = std::string(*mark) + " /// tilescope";
    problems.push_back(
        {{{i, 0}, {i, static_cast<uint32_t>(lines[i].size())}},
         "`" + std::string(withoutBlanks(lines[i])) +
             "` does not begin a launch block, so that the comment below is not read",
         "did you mean `" + meant + "`?",
         true,
         meant});
  }
  return problems;
}

std::optional<uint32_t> breakInside(const CommentBlock &comment,
                                    const std::vector<std::string_view> &lines) {
  const auto isBlank = [](std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
  };
  // Code in between belongs to the file: the block is only not closed.
  const auto isCode = [](std::string_view line) {
    return std::ranges::any_of(
        std::to_array<std::string_view>({"@", "def ", "class ", "import ", "from ", "module"}),
        [&](std::string_view start) { return line.starts_with(start); });
  };
  if (comment.closed || comment.closeLine >= lines.size())
    return std::nullopt;
  for (size_t i = comment.closeLine; i < lines.size() && !isCode(lines[i]); ++i) {
    if (lines[i].starts_with(comment.lead + "///"))
      return lines[i] == comment.lead + "///" ? std::optional(comment.closeLine) : std::nullopt;
    // Of an empty line it is the only one.
    if (i != comment.closeLine && isBlank(lines[comment.closeLine]) && !isBlank(lines[i]) &&
        !lines[i].starts_with(comment.lead))
      break;
  }
  return std::nullopt;
}

LaunchProblem brokenBlock(const CommentBlock &comment, std::string_view line, SourceRange range) {
  const std::string mark = comment.lead.substr(0, comment.lead.size() - 1);
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return {range, "an empty line ends the launch block before its `" + comment.lead + "///`",
            "begin the line with `" + mark + "`, or remove it", true, mark};
  line.remove_prefix(begin);
  // `#n = 3` has the mark and lacks the space.
  if (line.starts_with(mark))
    line.remove_prefix(mark.size());
  return {range, "a line of a launch block begins with `" + comment.lead + "`", "", true,
          comment.lead + std::string(line)};
}

} // namespace tilescope::profiler
