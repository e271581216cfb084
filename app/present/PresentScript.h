// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// The view of a step that names none: the text.
inline constexpr const char *kEditorView = "editor";

/// One step of a presentation, complete: what its entry in the script leaves open is what the step
/// before has, so that steps can be shown in any order.
struct PresentStep {
  std::string title;
  /// The path of the kernel file.
  std::string file;
  /// Empty: the one at the cursor.
  std::string kernel;
  /// Shown one after the other; at least one.
  std::vector<std::string> views;
  /// Nothing: where the file opens.
  std::optional<Position> cursor;
  /// One number for each dimension of the grid; empty: the view's own choice.
  std::vector<int64_t> program;
  /// Other sliders of the views, by the name beside each.
  std::map<std::string, int64_t> sliders;
  bool hasSpotlight = false;
  /// An element on which the spotlight falls in pictures, and the argument that it is of.
  std::vector<int64_t> element;
  std::string argument;
  /// Markdown, for the presenter alone: one text for each view, or one for all of them.
  std::vector<std::string> notes;
  /// How long each view stays when nobody presses a key.
  double seconds = 0;
};

/// What a `present.toml` says.
struct PresentScript {
  std::string path;
  std::string title;
  /// Size of the text, of the standard one.
  int textPercent = 0;
  /// It begins by itself, goes on by itself, and begins anew.
  bool isLoop = false;
  /// At least one.
  std::vector<PresentStep> steps;
};

} // namespace tilescope::app
