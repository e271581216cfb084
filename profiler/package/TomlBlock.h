// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

/// The step between a file's comment lines and TOML; not for users of this library.
namespace tilescope::profiler {

/// What begins a comment line in Python, in MLIR and PTX, in LLVM IR.
inline constexpr std::array<std::string_view, 3> kCommentMarks{"#", "//", ";"};

/// The comment lines of one block, as they are in the file.
struct CommentBlock {
  /// What begins each line: `# ` in kernel files, `// ` in MLIR and PTX, `; ` in LLVM IR.
  std::string lead;
  /// File line of `/// tilescope`, and of `///` (or of the first line that does not belong).
  uint32_t openLine = 0;
  uint32_t closeLine = 0;
  bool closed = false;
  /// The lines between, without `lead`.
  std::string toml;
  /// Bytes taken off each of these lines.
  std::vector<uint32_t> prefixes;
  /// Where each of these lines begins in `toml`, then its end.
  std::vector<uint32_t> lineBegins{0};
};

/// The file's lines without their ends, CRLF too; what follows the last line feed is a line.
std::vector<std::string_view> linesOfFile(std::string_view text);
std::vector<CommentBlock> findCommentBlocks(std::string_view fileText);

/// Why a block is not parsed at all; `offset` is a place in its TOML.
struct TomlRefusal {
  size_t offset = 0;
  std::string message;
};

/// Bounds what the parser gets, which recurses over what is nested, as do destructors of its
/// tables, and refuses the faults for which its behavior is undefined: headers without a name, and
/// characters outside strings that are not ASCII.
std::optional<TomlRefusal> refuseToml(std::string_view toml);

/// All code that parses TOML uses one of these. Nothing when it is not TOML.
std::optional<toml::table> parseToml(std::string_view toml);

/// A block as a table, or what is wrong with it.
struct ParsedToml {
  std::optional<toml::table> table;
  LaunchProblem problem;
};
ParsedToml parseToml(const CommentBlock &block);
/// A file of TOML; places are those in the file.
ParsedToml parseTomlFile(std::string_view text);

/// A position in the block's TOML (toml++ counts lines and code points from 1) as a file position.
Position filePosition(const CommentBlock &block, toml::source_position position);
SourceRange fileRange(const CommentBlock &block, const toml::source_region &region);

/// The children in the file's order; toml++ sorts them by name.
struct TomlChild {
  const toml::key *key;
  const toml::node *node;
};
std::vector<TomlChild> orderedChildren(const toml::table &table);

} // namespace tilescope::profiler
