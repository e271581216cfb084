// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LiveElements.h"

#include "app/lesson/AccessGoals.h"
#include "app/lesson/Answer.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

using compiler::AccessFacts;

static constexpr std::string_view kScheme = "live:";
static constexpr std::string_view kAccesses = "live:accesses";
static constexpr std::string_view kLayout = "live:layout/";

namespace {
/// `![words](address)` in a text.
struct Place {
  size_t begin = 0, end = 0;
  std::string_view address;
};
} // namespace

static std::optional<Place> nextPlace(std::string_view text, size_t from) {
  const size_t link = text.find(std::string("](").append(kScheme), from);
  if (link == std::string_view::npos)
    return std::nullopt;
  const size_t begin = text.rfind("![", link), end = text.find(')', link);
  if (begin == std::string_view::npos || begin < from || end == std::string_view::npos)
    return nextPlace(text, link + 1);
  return Place{begin, end + 1, text.substr(link + 2, end - link - 2)};
}

static size_t lineOf(std::string_view text, size_t at) {
  return static_cast<size_t>(std::ranges::count(text.substr(0, at), '\n')) + 1;
}

Result<std::vector<LiveElement>> liveElementsIn(std::string_view markdown) {
  std::vector<LiveElement> elements;
  for (auto place = nextPlace(markdown, 0); place; place = nextPlace(markdown, place->end)) {
    const std::string address(place->address);
    const bool isLayout = address.starts_with(kLayout) && address.size() > kLayout.size();
    if (address != kAccesses && !isLayout)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("line {}: `{}` is nothing that can be shown; use `{}` or `{}NAME`",
                               lineOf(markdown, place->begin), address, kAccesses, kLayout),
                   ""};
    if (std::ranges::find(elements, address, &LiveElement::address) == elements.end())
      elements.push_back({address, isLayout ? address.substr(kLayout.size()) : std::string()});
  }
  return elements;
}

/// A line that is nothing but a link to a view goes; of links inside a sentence the words stay.
static std::string withoutViewLinks(std::string_view markdown) {
  constexpr std::string_view kTarget = "](tilescope:";
  std::string text;
  size_t from = 0;
  for (size_t link = markdown.find(kTarget); link != std::string_view::npos;
       link = markdown.find(kTarget, link + 1)) {
    const size_t begin = markdown.rfind('[', link), end = markdown.find(')', link);
    if (begin == std::string_view::npos || begin < from || end == std::string_view::npos)
      continue;
    text += markdown.substr(from, begin - from);
    from = end + 1;
    const bool isLine = (text.empty() || text.back() == '\n') &&
                        (from == markdown.size() || markdown[from] == '\n');
    if (!isLine)
      text += markdown.substr(begin + 1, link - begin - 1);
  }
  return text.append(markdown.substr(from));
}

std::string withoutLiveElements(std::string_view markdown) {
  std::string text;
  size_t from = 0;
  for (auto place = nextPlace(markdown, 0); place; place = nextPlace(markdown, place->end)) {
    text += markdown.substr(from, place->begin - from);
    from = place->end;
  }
  return withoutViewLinks(text.append(markdown.substr(from)));
}

static std::string accessTable(const std::vector<AccessFacts> &accesses) {
  std::string rows;
  for (const AccessFacts &each : accesses) {
    if (!isMeant({}, each) || each.counts.requests == 0)
      continue;
    rows += fmt::format(
        "| {} | {} bytes | {:.3g} | {:.3g} % |\n", accessWords(each), each.vectorBytes,
        static_cast<double>(each.counts.sectors) / static_cast<double>(each.counts.requests),
        100 * static_cast<double>(each.counts.bytesUsed) /
            static_cast<double>(std::max<uint64_t>(each.counts.bytesFetched, 1)));
  }
  return rows.empty() ? rows
                      : "| access | a lane moves | sectors a request | used of them |\n"
                        "| --- | --- | --- | --- |\n" +
                            rows;
}

ShownElement showElement(const LiveElement &element, const LaunchOutcome &outcome) {
  ShownElement shown{element.address, {}, {}, {}};
  if (!outcome.isCompiled) {
    shown.why = "the kernel does not compile";
  } else if (element.argument.empty()) {
    if (outcome.memory)
      shown.table = accessTable(outcome.memory->accesses);
    if (shown.table.empty())
      shown.why = "the accesses could not be counted";
  } else {
    Question question;
    question.kind = QuestionKind::Holder;
    question.accesses = {element.argument, GoalAccesses::Direction::Load};
    const Result<HeldBlock> block = meantBlock(question, outcome);
    if (block)
      shown.layout = block->facts();
    else
      shown.why = block.error().message;
  }
  return shown;
}

} // namespace tilescope::app
