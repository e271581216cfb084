// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

class QObject;

namespace tilescope::app {

/// A text, taken apart.
struct BlockAndRest {
  std::string block;
  /// The text without the block.
  std::string rest;
};

/// `range` is that of a launch block of the text.
BlockAndRest takeOutBlock(std::string_view text, const SourceRange &range);

/// The text with another block in the place of one.
std::string replaceBlock(std::string_view text, const SourceRange &range,
                         const profiler::LaunchBlock &block);

/// Launch blocks that were written for the user, each with the text that it was guessed from. A
/// block that the user has changed or saved is the user's. GUI thread.
class GuessedBlocks {
public:
  /// The text has a block of guesses for that kernel, made from the rest of it.
  void keep(const QObject *file, std::string_view text, const std::string &kernel);
  /// The blocks of the text are the user's from now on, who has saved it with them.
  void settle(const QObject *file, std::string_view text);
  /// Checksums of a file's blocks, each with that of the text that it was guessed from: what a
  /// session keeps.
  using Checksums = std::map<uint64_t, uint64_t>;
  Checksums of(const QObject *file) const;
  /// As an earlier session has kept them.
  void restore(const QObject *file, Checksums checksums);
  /// Whether the block at `range` is what was guessed, but from another text.
  bool isOfOtherText(const QObject *file, std::string_view text, const SourceRange &range) const;

private:
  std::map<const QObject *, Checksums> m_files;
};

} // namespace tilescope::app
