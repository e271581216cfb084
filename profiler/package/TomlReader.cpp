// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TomlReader.h"

#include "profiler/data/FileIo.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::profiler {

Result<toml::table> readTomlFile(const std::string &path) {
  const Result<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  ParsedToml parsed = parseTomlFile(*text);
  if (!parsed.table)
    return inFile(path, Error{ErrorCode::InvalidInput,
                              fmt::format("line {}: {}", parsed.problem.range.begin.line + 1,
                                          parsed.problem.message),
                              parsed.problem.hint});
  return std::move(*parsed.table);
}

template <typename T>
std::optional<T> TomlReader::value(std::string_view key, std::string_view words, bool isRequired) {
  m_known.push_back(key);
  const toml::node *node = m_table.get(key);
  if (!node) {
    if (isRequired)
      fail(fmt::format("`{}` is missing", key));
    return std::nullopt;
  }
  std::optional<T> found = node->value<T>();
  if (!found)
    fail(*node, fmt::format("`{}` must be {}", key, words));
  return found;
}

std::vector<const toml::node *> TomlReader::array(std::string_view key) {
  m_known.push_back(key);
  std::vector<const toml::node *> result;
  const toml::node *node = m_table.get(key);
  const toml::array *list = node ? node->as_array() : nullptr;
  if (node && !list)
    fail(*node, fmt::format("`{}` must be a list", key));
  for (size_t i = 0; list && i < list->size(); ++i)
    result.push_back(list->get(i));
  return result;
}

std::string TomlReader::text(std::string_view key, bool isRequired) {
  return value<std::string>(key, "a string in quotes", isRequired).value_or(std::string());
}

std::optional<double> TomlReader::number(std::string_view key) {
  return value<double>(key, "a number", false);
}

std::optional<int64_t> TomlReader::integer(std::string_view key, int64_t least, int64_t most) {
  m_known.push_back(key);
  const toml::node *node = m_table.get(key);
  if (!node)
    return std::nullopt;
  const std::optional<int64_t> found = node->value_exact<int64_t>();
  if (found && *found >= least && *found <= most)
    return found;
  fail(*node, fmt::format("`{}` must be a whole number from {} to {}", key, least, most));
  return std::nullopt;
}

bool TomlReader::flag(std::string_view key) {
  return value<bool>(key, "`true` or `false`", false).value_or(false);
}

std::vector<std::string> TomlReader::texts(std::string_view key) {
  std::vector<std::string> result;
  for (const toml::node *each : array(key)) {
    if (const std::optional<std::string> text = each->value<std::string>())
      result.push_back(*text);
    else
      fail(*each, fmt::format("`{}` must be a list of strings", key));
  }
  return result;
}

std::vector<int64_t> TomlReader::integers(std::string_view key) {
  std::vector<int64_t> result;
  for (const toml::node *each : array(key)) {
    if (const std::optional<int64_t> number = each->value_exact<int64_t>())
      result.push_back(*number);
    else
      fail(*each, fmt::format("`{}` must be a list of whole numbers", key));
  }
  return result;
}

std::map<std::string, int64_t> TomlReader::numbersByName(std::string_view key) {
  m_known.push_back(key);
  std::map<std::string, int64_t> result;
  const toml::node *node = m_table.get(key);
  const toml::table *table = node ? node->as_table() : nullptr;
  if (node && !table)
    fail(*node, fmt::format("`{}` must be names with numbers, such as `{{ Warp = 2 }}`", key));
  if (!table)
    return result;
  for (const auto &[name, number] : *table) {
    if (const std::optional<int64_t> found = number.value_exact<int64_t>())
      result[std::string(name.str())] = *found;
    else
      fail(number, fmt::format("`{}` must be a whole number", name.str()));
  }
  return result;
}

std::vector<const toml::table *> TomlReader::tables(std::string_view key) {
  std::vector<const toml::table *> result;
  for (const toml::node *each : array(key)) {
    if (const toml::table *table = each->as_table())
      result.push_back(table);
    else
      fail(*each, fmt::format("write `[[{}]]` above each entry", key));
  }
  return result;
}

void TomlReader::finish() {
  for (const auto &[key, node] : m_table)
    if (std::ranges::find(m_known, key.str()) == m_known.end())
      fail(node, fmt::format("`{}` is not a known key", key.str()));
}

void TomlReader::fail(const toml::node &node, std::string message) {
  if (!m_error)
    m_error = Error{ErrorCode::InvalidInput,
                    fmt::format("line {}: {}", node.source().begin.line, message), ""};
}

void TomlReader::failAt(std::string_view key, std::string message) {
  const toml::node *node = m_table.get(key);
  fail(node ? *node : m_table, std::move(message));
}

} // namespace tilescope::profiler
