// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/package/TomlBlock.h"

#include <map>

namespace tilescope::profiler {

/// A file of TOML. What is no TOML is an error that names the file and the line.
Result<toml::table> readTomlFile(const std::string &path);

/// A table whose keys are taken one by one; keeps the first thing that is wrong with it, as a
/// message with its line.
class TomlReader {
public:
  TomlReader(const toml::table &table, std::optional<Error> &error)
      : m_table(table), m_error(error) {}

  std::string text(std::string_view key, bool isRequired = false);
  std::optional<double> number(std::string_view key);
  /// A whole number from `least` to `most`.
  std::optional<int64_t> integer(std::string_view key, int64_t least, int64_t most);
  bool flag(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  std::vector<int64_t> integers(std::string_view key);
  /// A table of whole numbers by name.
  std::map<std::string, int64_t> numbersByName(std::string_view key);
  std::vector<const toml::table *> tables(std::string_view key);
  /// Everything must have been asked for by then.
  void finish();
  void fail(const toml::node &node, std::string message);
  void fail(std::string message) { fail(m_table, std::move(message)); }
  void failAt(std::string_view key, std::string message);
  /// The line in which the table begins, from 1 on.
  uint32_t line() const { return m_table.source().begin.line; }

private:
  template <typename T>
  std::optional<T> value(std::string_view key, std::string_view words, bool isRequired);
  std::vector<const toml::node *> array(std::string_view key);

  const toml::table &m_table;
  std::optional<Error> &m_error;
  std::vector<std::string_view> m_known;
};

} // namespace tilescope::profiler
