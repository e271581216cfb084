// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/ValueNames.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace tilescope {

using Lines = std::vector<std::string_view>;

static bool isNamePart(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '$' || c == '-';
}

/// Calls `visit` with the end of the text in front of each name and with the name.
template <typename F> static void forEachName(std::string_view line, F &&visit) {
  static constexpr std::string_view kSigils = "%#!$^";
  for (size_t at = line.find_first_of(kSigils); at < line.size();) {
    size_t end = at + 1;
    while (end < line.size() && isNamePart(line[end]))
      ++end;
    visit(at, line.substr(at, end - at));
    at = line.find_first_of(kSigils, end);
  }
}

/// The name without its number.
static std::string_view stem(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  name = name.substr(0, last + 1);
  return name.size() > 1 && name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

static std::string withoutNumbers(std::string_view line) {
  std::string text;
  size_t from = 0;
  forEachName(line, [&](size_t at, std::string_view name) {
    text += line.substr(from, at - from);
    text += stem(name);
    from = at + name.size();
  });
  text += line.substr(from);
  return text;
}

static Lines namesIn(std::string_view line) {
  Lines names;
  forEachName(line, [&](size_t, std::string_view name) { names.push_back(name); });
  return names;
}

namespace {
/// Which name of the new text each name of the old one stands for.
class Renaming {
public:
  /// Takes in two lines that agree but for numbers; false when that contradicts what is known.
  bool accept(std::string_view before, std::string_view after) {
    const Lines oldNames = namesIn(before), newNames = namesIn(after);
    for (size_t i = 0; i < oldNames.size(); ++i)
      if (!fits(m_forward, oldNames[i], newNames[i]) || !fits(m_back, newNames[i], oldNames[i]))
        return false;
    for (size_t i = 0; i < oldNames.size(); ++i) {
      m_forward[oldNames[i]] = newNames[i];
      m_back[newNames[i]] = oldNames[i];
    }
    return true;
  }

private:
  using Names = std::map<std::string_view, std::string_view>;
  static bool fits(const Names &names, std::string_view from, std::string_view to) {
    const auto known = names.find(from);
    return known == names.end() || known->second == to;
  }

  Names m_forward, m_back;
};
} // namespace

std::vector<DiffLine> diffRenumbered(const Lines &before, const Lines &after) {
  std::vector<std::string> texts;
  texts.reserve(before.size() + after.size());
  for (const Lines *lines : {&before, &after})
    for (std::string_view line : *lines)
      texts.push_back(withoutNumbers(line));
  const auto middle = texts.begin() + static_cast<std::ptrdiff_t>(before.size());
  std::vector<DiffLine> result;
  Renaming renaming;
  for (const DiffLine &line : diffLines({texts.begin(), middle}, {middle, texts.end()})) {
    const bool isSame =
        line.kind != DiffKind::Same || renaming.accept(before[static_cast<size_t>(line.oldLine)],
                                                       after[static_cast<size_t>(line.newLine)]);
    if (isSame) {
      result.push_back(line);
    } else {
      result.push_back({DiffKind::Removed, line.oldLine, -1});
      result.push_back({DiffKind::Added, -1, line.newLine});
    }
  }
  return result;
}

} // namespace tilescope
