// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/GoalCheck.h"
#include "compiler/support/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// A place in a lesson's text that shows the learner's own kernel, written like a picture:
///
///     ![Accesses of your kernel](live:accesses)
///     ![Who holds the block of x_ptr](live:layout/x_ptr)
struct LiveElement {
  /// As it is written: `live:layout/x_ptr`.
  std::string address;
  /// Of a layout: the argument whose loaded block is drawn. Empty: it is a table of accesses.
  std::string argument;
};

/// Those of a text, each once. An address that means nothing is an error with its line.
Result<std::vector<LiveElement>> liveElementsIn(std::string_view markdown);

/// The text for paper, where nothing is live and no link leads to a view.
std::string withoutLiveElements(std::string_view markdown);

/// What stands in such a place. One of the parts is there.
struct ShownElement {
  std::string address;
  /// Markdown.
  std::string table;
  std::optional<compiler::LayoutFacts> layout;
  /// Why there is neither.
  std::string why;
};

ShownElement showElement(const LiveElement &element, const LaunchOutcome &outcome);

} // namespace tilescope::app
