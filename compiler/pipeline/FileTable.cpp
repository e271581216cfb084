// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/FileTable.h"

namespace tilescope::compiler {

FileTable::FileTable(std::vector<SourceFile> files) : m_files(std::move(files)) {}

uint32_t FileTable::indexOf(std::string_view path) {
  for (size_t i = 0; i < m_files.size(); ++i)
    if (m_files[i].path == path)
      return static_cast<uint32_t>(i);
  m_files.push_back({std::string(path), ""});
  return static_cast<uint32_t>(m_files.size() - 1);
}

static std::string_view fileName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

int32_t FileTable::indexOfName(std::string_view name) const {
  for (size_t i = 0; i < m_files.size(); ++i)
    if (fileName(m_files[i].path) == name)
      return static_cast<int32_t>(i);
  return -1;
}

std::string_view FileTable::lineText(uint32_t file, uint32_t line) {
  if (file >= m_files.size())
    return {};
  m_lineStarts.resize(m_files.size());
  std::vector<uint32_t> &starts = m_lineStarts[file];
  const std::string &text = m_files[file].text;
  if (starts.empty()) {
    starts.push_back(0);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n')
        starts.push_back(static_cast<uint32_t>(i + 1));
  }
  if (line >= starts.size())
    return {};
  const std::string_view rest = std::string_view(text).substr(starts[line]);
  return rest.substr(0, rest.find('\n'));
}

SourceRange FileTable::restOfLine(uint32_t file, Position begin) {
  std::string_view text = lineText(file, begin.line);
  const size_t last = text.find_last_not_of(" \t\r");
  const auto end = static_cast<uint32_t>(last == std::string_view::npos ? 0 : last + 1);
  return {begin, {begin.line, end > begin.column ? end : begin.column + 1}, file};
}

SourceRange FileTable::wholeLine(uint32_t file, uint32_t line) {
  const size_t first = lineText(file, line).find_first_not_of(" \t");
  return restOfLine(file,
                    {line, static_cast<uint32_t>(first == std::string_view::npos ? 0 : first)});
}

} // namespace tilescope::compiler
