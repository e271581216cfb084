// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"
#include "compiler/support/Result.h"

namespace tilescope::app {

/// Reads the folder of a lesson. What is wrong in lesson.toml is an error that names the line; a
/// key that is not known is one, too.
Result<Lesson> readLesson(const std::string &folder);

/// The title of a lesson; no other of its files is read.
Result<std::string> readLessonTitle(const std::string &folder);

/// The chapters of a folder of lessons, as its curriculum.toml lists them. A lesson that has no
/// folder there is an error.
Result<std::vector<Chapter>> readCurriculum(const std::string &folder);

} // namespace tilescope::app
