// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"

#include <string_view>

namespace tilescope::app {

/// The learner's text with a launch of the lesson: what the launch states replaces what the text's
/// first launch block states, and no other block is left. The block stands at the end, so that all
/// lines keep their numbers.
std::string withLaunch(std::string_view text, const LessonLaunch &launch);

/// The same launch of another kernel.
LessonLaunch launchOf(std::string_view kernel, const LessonLaunch &launch);

/// The launch blocks of a text.
std::vector<LessonLaunch> launchesIn(std::string_view text);

} // namespace tilescope::app
