// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The files that source ranges may point into, found by path. File 0 is the document.
class FileTable {
public:
  FileTable() = default;
  explicit FileTable(std::vector<SourceFile> files);

  const std::vector<SourceFile> &files() const { return m_files; }
  /// Index of the file, added without text when it is new.
  uint32_t indexOf(std::string_view path);
  /// Index of the first file whose name without folders is `name`; -1 when there is none.
  int32_t indexOfName(std::string_view name) const;

  /// The place `line`:`column` as a range up to the end of its line; one column long where the text
  /// is not known.
  SourceRange restOfLine(uint32_t file, Position begin);
  /// The line without the white space around it.
  SourceRange wholeLine(uint32_t file, uint32_t line);

private:
  std::string_view lineText(uint32_t file, uint32_t line);

  std::vector<SourceFile> m_files;
  /// Offsets of the lines' starts, made on first use.
  std::vector<std::vector<uint32_t>> m_lineStarts;
};

} // namespace tilescope::compiler
