// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the editor remembers of things that are under way.
#pragma once

#include "compiler/support/SourceRange.h"
#include "views/common/Theme.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace tilescope::views {

/// Of the inlay hints behind the lines.
inline constexpr ColorRole kHintRole = ColorRole::TextMuted;

/// The text behind a line.
struct InlineNote {
  QString text;
  ColorRole role = kHintRole;
  bool isProblem = false;
  bool operator==(const InlineNote &) const = default;
};

/// A key that was typed, for what follows from it.
struct TypedKey {
  int key = 0;
  QString text;
  bool isCommand = false;
  uint64_t numChangesBefore = 0;
};

/// A name that is typed in all of its places, and the text before that.
struct Renaming {
  std::string text;
  std::string name;
  /// In `text`, in its order; the cursor was in one of them.
  std::vector<SourceRange> places;
  size_t here = 0;
};

/// To be scrolled to as soon as the editor has its size: a line, or where the cursor is.
struct AwaitedPlace {
  std::optional<uint32_t> firstLine;
};

/// The empty brackets of a call that came with a completed name, until the next key.
struct FreshCall {
  long opener = 0;
  bool isKernel = false;
};

} // namespace tilescope::views
