// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"
#include "app/lesson/archive/LessonArchive.h"
#include "profiler/report/ReportData.h"

#include <span>

namespace tilescope::app {

struct HandoutLesson {
  Lesson lesson;
  /// Where pictures that the text shows are.
  LessonParts parts;
  /// What is known of the kernel that it begins with.
  profiler::ReportKernel start;
};

/// A lesson as a page to print or to read without the program: its text, the kernel that it begins
/// with and pictures of it, goals and questions to fill in, and hints. It needs no other file.
std::string lessonHandout(const HandoutLesson &lesson);

/// Several lessons as one such page, with a table of contents. Each begins on a sheet of its own.
std::string lessonsHandout(std::span<const HandoutLesson> lessons);

} // namespace tilescope::app
