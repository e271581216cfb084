// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/CsvTable.h"

#include <algorithm>

namespace tilescope::profiler {

std::string_view CsvReader::nextLine() const {
  const std::string_view rest = m_text.substr(m_at);
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

void CsvReader::skipLine() {
  const size_t end = m_text.find('\n', m_at);
  m_at = end == std::string_view::npos ? m_text.size() : end + 1;
  ++m_line;
}

std::string CsvReader::readField(bool &isCut) {
  if (m_text[m_at] != '"') {
    const size_t end = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
    const std::string field(m_text.substr(m_at, end - m_at));
    m_at = end;
    return field;
  }
  std::string field;
  for (++m_at; m_at < m_text.size(); ++m_at) {
    const char c = m_text[m_at];
    if (c == '"' && m_text.substr(m_at + 1).starts_with('"'))
      ++m_at;
    else if (c == '"')
      break;
    m_line += c == '\n' ? 1 : 0;
    field += c;
  }
  isCut = m_at >= m_text.size();
  m_at = std::min(m_at + 1, m_text.size());
  return field;
}

CsvRow CsvReader::read() {
  CsvRow row;
  row.line = m_line;
  for (bool goesOn = true; goesOn;) {
    row.fields.push_back(atEnd() ? std::string() : readField(row.isCut));
    // What stands between a closing quote and the next comma belongs to no field.
    m_at = std::min(m_text.find_first_of(",\n", m_at), m_text.size());
    goesOn = !atEnd() && m_text[m_at] == ',';
    m_at += goesOn ? 1 : 0;
    row.isTooLong = goesOn && row.fields.size() == kMostCsvFields;
    goesOn = goesOn && !row.isTooLong;
  }
  skipLine();
  return row;
}

std::string csvQuoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

} // namespace tilescope::profiler
