// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"
#include "app/lesson/archive/LessonArchive.h"
#include "profiler/report/ReportData.h"

namespace tilescope::app {

/// A lesson as a page to print or to read without the program: its text, the kernel that it begins
/// with and pictures of it, goals and questions to fill in, and hints. It needs no other file.
///
/// `parts`: where pictures that the text shows are; `start`: what is known of the start.
std::string lessonHandout(const Lesson &lesson, const LessonParts &parts,
                          const profiler::ReportKernel &start);

} // namespace tilescope::app
