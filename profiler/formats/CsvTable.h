// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// Several times what tables of tools have.
inline constexpr size_t kMostCsvFields = 20000;

/// A row of a table whose fields are separated by commas.
struct CsvRow {
  /// In the file, from 1.
  size_t line = 0;
  std::vector<std::string> fields;
  /// A quote of its last field is never closed.
  bool isCut = false;
  /// It has more fields than the above; the rest is not read.
  bool isTooLong = false;
};

/// Reads rows one after another. Quoted fields may hold commas, doubled quotes and line breaks.
class CsvReader {
public:
  explicit CsvReader(std::string_view text) : m_text(text) {}

  bool atEnd() const { return m_at >= m_text.size(); }
  /// The line that begins here, without its end; nothing is read.
  std::string_view nextLine() const;
  void skipLine();
  CsvRow read();

private:
  std::string readField(bool &isCut);

  std::string_view m_text;
  size_t m_at = 0;
  size_t m_line = 1;
};

/// Text as a field: in quotes, those inside doubled.
std::string csvQuoted(std::string_view text);

} // namespace tilescope::profiler
