// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lessons as one file to pass on: a zip with a folder of each lesson's name. What comes from elsewhere
// is not trusted: names, sizes and kinds of entries are bounded before anything is written.
#pragma once

#include "compiler/support/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

struct LessonPart {
  /// Without a folder: `text.md`.
  std::string name;
  std::string bytes;
  bool operator==(const LessonPart &) const = default;
};

/// The files of a lesson: texts, kernels, pictures and arrays, sorted by name.
struct LessonParts {
  /// The name of its folder.
  std::string id;
  std::vector<LessonPart> parts;
  bool operator==(const LessonParts &) const = default;
};

/// What a lesson may consist of.
inline constexpr size_t kMostLessonParts = 64;
inline constexpr uint64_t kMostPartBytes = uint64_t{4} << 20;
inline constexpr uint64_t kMostLessonBytes = uint64_t{16} << 20;

/// What a zip may hold.
inline constexpr size_t kMostLessons = 100;
inline constexpr uint64_t kMostZipBytes = uint64_t{64} << 20;

/// Whether a file of this name may be part of a lesson: letters, digits, `_`, `-`, `.` and spaces, an
/// ending that lessons use, and no point at the beginning.
bool isLessonPartName(std::string_view name);
bool isLessonId(std::string_view id);

/// Files of other kinds in the folder are left out; links are not followed.
Result<LessonParts> readLessonFolder(const std::string &folder);
/// The lessons in their order, at least one. Anything in the zip that is no part of a lesson is an
/// error, and nothing of it is read.
Result<std::vector<LessonParts>> readLessonZip(const std::string &path);
Status writeLessonZip(std::span<const LessonParts> lessons, const std::string &path);

/// Writes the lesson to `folder`/`id` and reads it there; what was there is replaced only by a lesson
/// that can be read. Returns the lesson's folder.
Result<std::string> unpackLesson(const LessonParts &lesson, const std::string &folder);

} // namespace tilescope::app
