// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/LineTints.h"
#include "views/common/Theme.h"

namespace tilescope::views {

/// Numbers that Scintilla knows the editor's decorations by.
enum EditorIndicator {
  kErrorIndicator = 8,
  kWarningIndicator,
  kNoteIndicator,
  kFocusIndicator,
  kMatchIndicator,
  kBraceIndicator,
  kBraceTextIndicator,
  kLoneBraceIndicator
};

enum EditorMarker {
  kErrorMarker = 0,
  kWarningMarker,
  kHintMarker,
  /// Bulbs: of these lines there are fixes.
  kErrorFixMarker,
  kWarningFixMarker,
  kHintFixMarker,
  kFocusLineMarker,
  kBreakpointMarker,
  kConditionMarker,
  /// The same in outlines: the arrow of the step is in them.
  kBreakpointStepMarker,
  kConditionStepMarker,
  kStepMarker,
  kStepLineMarker,
  kFirstTintMarker
};
/// Those of problems and hints; a line has one of them.
inline constexpr int kProblemMarkers = (1 << kErrorMarker) | (1 << kWarningMarker) |
                                       (1 << kHintMarker) | (1 << kErrorFixMarker) |
                                       (1 << kWarningFixMarker) | (1 << kHintFixMarker);
/// Breakpoints have a margin of their own, so that neither they nor bulbs hide each other.
enum EditorMargin {
  kNumberMargin = 0,
  kBreakpointMargin,
  kSymbolMargin,
  kTintMargin,
  kFoldMargin,
  kHeatMargin,
  kNumMargins
};
inline constexpr int kNumTintMarkers = LineTints::kNumTints;
/// Not seen itself: it takes the heat of a line along when lines move.
inline constexpr int kHeatMarker = kFirstTintMarker + kNumTintMarkers;

/// Styles of text: tokens of IR have one for each color, after those that Scintilla keeps for itself.
inline constexpr int kFirstRoleStyle = 64;
inline constexpr int kEndRoleStyle = kFirstRoleStyle + static_cast<int>(ColorRole::Count);
/// Of the margin of heat: one for each shade, and one for heat that is outdated.
inline constexpr int kFirstHeatStyle = kEndRoleStyle, kNumHeatShades = 12;
inline constexpr int kOutdatedHeatStyle = kFirstHeatStyle + kNumHeatShades;
/// What Scintilla has.
static_assert(kOutdatedHeatStyle < 256);

} // namespace tilescope::views
