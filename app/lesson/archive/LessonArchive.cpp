// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/archive/LessonArchive.h"

#include "app/lesson/LessonFile.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace tilescope::app {

namespace fs = std::filesystem;

static bool isPlainName(std::string_view name) {
  constexpr size_t kMostCharacters = 100;
  return !name.empty() && name.size() <= kMostCharacters && name.front() != '.' &&
         name.front() != ' ' && std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                  c == '.' || c == ' ';
         });
}

bool isLessonPartName(std::string_view name) {
  static constexpr std::array kEndings = {".toml", ".md", ".py", ".png", ".svg", ".npy"};
  return isPlainName(name) && std::ranges::any_of(kEndings, [&](std::string_view ending) {
           return name.size() > ending.size() && name.ends_with(ending);
         });
}

bool isLessonId(std::string_view id) { return isPlainName(id); }

static Error tooLarge(const std::string &path) {
  return {ErrorCode::InvalidInput, "`" + path + "` is larger than a lesson may be",
          fmt::format("a lesson has at most {} files, of {} MiB each and {} MiB together",
                      kMostLessonParts, kMostPartBytes >> 20, kMostLessonBytes >> 20)};
}

Result<LessonParts> readLessonFolder(const std::string &path) {
  fs::path folder = fs::path(path).lexically_normal();
  if (!folder.has_filename())
    folder = folder.parent_path();
  LessonParts lesson{folder.filename().string(), {}};
  if (!isLessonId(lesson.id))
    return Error{ErrorCode::InvalidInput, "`" + lesson.id + "` cannot be the name of a lesson",
                 "use letters, digits, `-` and `_`"};
  std::error_code error;
  uint64_t total = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_symlink(error) || !entry.is_regular_file(error) || !isLessonPartName(name))
      continue;
    const uint64_t sizeBytes = entry.file_size(error);
    total += sizeBytes;
    if (sizeBytes > kMostPartBytes || total > kMostLessonBytes ||
        lesson.parts.size() == kMostLessonParts)
      return tooLarge(path);
    Result<std::string> bytes = profiler::readFile(entry.path().string(), kMostPartBytes);
    if (!bytes)
      return bytes.error();
    lesson.parts.push_back({name, std::move(*bytes)});
  }
  if (error)
    return Error{ErrorCode::InvalidInput, "cannot read `" + path + "`: " + error.message(), ""};
  std::ranges::sort(lesson.parts, {}, &LessonPart::name);
  if (std::ranges::find(lesson.parts, "lesson.toml", &LessonPart::name) == lesson.parts.end())
    return Error{ErrorCode::InvalidInput, "`" + path + "` has no lesson",
                 "a lesson is a folder with a file lesson.toml"};
  return lesson;
}

Result<std::string> unpackLesson(const LessonParts &lesson, const std::string &path) {
  const Result<profiler::OutputFolder> folder = profiler::OutputFolder::make(path);
  if (!folder)
    return folder.error();
  const fs::path target = fs::path(path) / lesson.id;
  const fs::path fresh = fs::path(path) / (".new-" + lesson.id);
  std::error_code error;
  fs::remove_all(fresh, error);
  const auto give = [&](const Error &why) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    return why;
  };
  // The lesson is read under its own name, which its messages have.
  const fs::path inside = fresh / lesson.id;
  const Result<profiler::OutputFolder> parts = profiler::OutputFolder::make(inside.string());
  if (!parts)
    return give(parts.error());
  for (const LessonPart &part : lesson.parts)
    if (Status status = parts->write(part.name, part.bytes); !status)
      return give(status.error());
  if (const Result<Lesson> read = readLesson(inside.string()); !read)
    return give(read.error());
  fs::remove_all(target, error);
  fs::rename(inside, target, error);
  if (error)
    return give(
        {ErrorCode::Environment, "cannot write `" + target.string() + "`: " + error.message(), ""});
  fs::remove_all(fresh, error);
  return target.string();
}

} // namespace tilescope::app
