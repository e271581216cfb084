// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A walkthrough of the user's guide as a test reads it. Its fenced blocks are what the reader does
// and sees, in the order of the page; the word behind the fence says which:
//
//   ```access tl.store(        the cursor is on this text, and the Access view says these lines
//   ```diff transpose_1.py     this is typed, and the text is then that of the file
//
// So the page is the test's script, and neither can say what the program does not.
#pragma once

#include <string>
#include <vector>

namespace tilescope::tests {

struct PageBlock {
  std::string kind;
  /// The rest of the fence's line.
  std::string argument;
  std::vector<std::string> lines;
  /// Of the fence, from 1 on.
  size_t pageLine = 0;
};

/// The blocks of a page in Markdown, in their order.
std::vector<PageBlock> pageBlocks(const std::string &page);

/// Neighboring lines of a text before and after an edit.
struct Hunk {
  std::vector<std::string> before, after;
  bool operator==(const Hunk &) const = default;
};

/// Of lines that begin with `-`, `+` or a space; `@@` divides hunks.
std::vector<Hunk> hunks(const std::vector<std::string> &diff);

/// The lines of a text, without their ends.
std::vector<std::string> linesOf(const std::string &text);

} // namespace tilescope::tests
