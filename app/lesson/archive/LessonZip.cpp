// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/archive/LessonArchive.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <memory>
#include <zip.h>

namespace tilescope::app {

namespace {

struct DiscardZip {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
using ZipPointer = std::unique_ptr<zip_t, DiscardZip>;

} // namespace

static Error invalid(const std::string &path, const std::string &what) {
  return {ErrorCode::InvalidInput, "`" + path + "` " + what, ""};
}

static Result<ZipPointer> openZip(const std::string &path, int flags) {
  int code = 0;
  ZipPointer archive(zip_open(path.c_str(), flags, &code));
  if (archive)
    return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  return Error{ErrorCode::InvalidInput, "cannot open `" + path + "` as a zip: " + why, ""};
}

/// Links, devices and other things that are no files.
static bool isSpecial(zip_t *archive, zip_uint64_t index) {
  constexpr zip_uint32_t kKind = 0170000, kFile = 0100000, kFolder = 0040000;
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0)
    return true;
  const zip_uint32_t kind = attributes >> 16 & kKind;
  return system == ZIP_OPSYS_UNIX && kind != 0 && kind != kFile && kind != kFolder;
}

static std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// A lesson of a zip, with what its parts unpack to.
struct FoundLesson {
  LessonParts lesson;
  uint64_t bytes = 0;
};

/// The lesson that an entry is of, by its folder; an error says why it is of none.
static Result<FoundLesson *> lessonOf(const std::string &path, std::string_view entry,
                                      std::vector<FoundLesson> &lessons) {
  const size_t slash = entry.find('/');
  const std::string_view id = entry.substr(0, slash == std::string_view::npos ? 0 : slash);
  if (!isLessonId(id))
    return invalid(path,
                   fmt::format("is not a lesson: `{:.100}` is not in a folder of the lesson's "
                               "name",
                               entry));
  for (FoundLesson &each : lessons)
    if (each.lesson.id == id)
      return &each;
  if (lessons.size() >= kMostLessons)
    return invalid(path, fmt::format("has more than {} lessons", kMostLessons));
  lessons.push_back({{std::string(id), {}}, 0});
  return &lessons.back();
}

/// What an entry is called in its lesson, empty for the folder itself; an error says why it is no
/// part of one.
static Result<std::string> partName(const std::string &path, std::string_view entry,
                                    const LessonParts &lesson) {
  const std::string_view name = entry.substr(lesson.id.size() + 1);
  const std::string shown = fmt::format("{:.100}", entry);
  if (name.empty())
    return std::string();
  if (!isLessonPartName(name))
    return invalid(path, "is not a lesson: `" + shown + "` cannot be a part of one");
  const auto same = [&](const LessonPart &part) { return lowered(part.name) == lowered(name); };
  if (std::ranges::any_of(lesson.parts, same))
    return invalid(path, "is not a lesson: `" + shown + "` is in it twice");
  if (lesson.parts.size() >= kMostLessonParts)
    return invalid(path, fmt::format("is not a lesson: `{}` has more than {} files", lesson.id,
                                     kMostLessonParts));
  return std::string(name);
}

static Result<std::string> readEntry(const std::string &path, zip_t *archive, zip_uint64_t index,
                                     uint64_t sizeBytes) {
  std::string bytes(sizeBytes, '\0');
  zip_file_t *file = zip_fopen_index(archive, index, 0);
  if (!file)
    return invalid(path, std::string("cannot be read: ") + zip_strerror(archive));
  // One byte more tells whether the entry is larger than it says.
  char more = 0;
  const bool isWhole =
      zip_fread(file, bytes.data(), sizeBytes) == static_cast<zip_int64_t>(sizeBytes) &&
      zip_fread(file, &more, 1) == 0;
  return zip_fclose(file) == 0 && isWhole ? Result<std::string>(std::move(bytes))
                                          : invalid(path, "is damaged");
}

/// Adds an entry to the lesson that it is of, and its size to that of all.
static Status takeEntry(const std::string &path, zip_t *archive, zip_uint64_t index,
                        std::vector<FoundLesson> &lessons, uint64_t &total) {
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (zip_stat_index(archive, index, 0, &facts) != 0 || (facts.valid & ZIP_STAT_NAME) == 0 ||
      (facts.valid & ZIP_STAT_SIZE) == 0 || isSpecial(archive, index))
    return invalid(path, "is not a lesson: it has an entry that is no file");
  if ((facts.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && facts.encryption_method != ZIP_EM_NONE)
    return invalid(path, "is not a lesson: it is encrypted");
  const Result<FoundLesson *> found = lessonOf(path, facts.name, lessons);
  if (!found)
    return found.error();
  LessonParts &lesson = (*found)->lesson;
  const Result<std::string> name = partName(path, facts.name, lesson);
  if (!name)
    return name.error();
  (*found)->bytes += facts.size;
  total += facts.size;
  if (facts.size > kMostPartBytes || (*found)->bytes > kMostLessonBytes || total > kMostZipBytes)
    return invalid(path, fmt::format("is not a lesson: `{}` has {} bytes", facts.name, facts.size));
  if (name->empty())
    return {};
  Result<std::string> bytes = readEntry(path, archive, index, facts.size);
  if (!bytes)
    return bytes.error();
  lesson.parts.push_back({*name, std::move(*bytes)});
  return {};
}

Result<std::vector<LessonParts>> readLessonZip(const std::string &path) {
  const Result<ZipPointer> opened = openZip(path, ZIP_RDONLY | ZIP_CHECKCONS);
  if (!opened)
    return opened.error();
  zip_t *archive = opened->get();
  const zip_int64_t numEntries = zip_get_num_entries(archive, 0);
  // One for each folder.
  if (numEntries > static_cast<zip_int64_t>(kMostLessons * (kMostLessonParts + 1)))
    return invalid(path, fmt::format("is not a lesson: it has {} entries", numEntries));
  std::vector<FoundLesson> found;
  uint64_t total = 0;
  for (zip_uint64_t index = 0; index < static_cast<zip_uint64_t>(numEntries); ++index)
    if (Status status = takeEntry(path, archive, index, found, total); !status)
      return status.error();
  if (found.empty())
    return invalid(path, "is not a lesson: it has no lesson.toml");
  std::vector<LessonParts> lessons;
  for (FoundLesson &each : found) {
    std::ranges::sort(each.lesson.parts, {}, &LessonPart::name);
    if (std::ranges::find(each.lesson.parts, "lesson.toml", &LessonPart::name) ==
        each.lesson.parts.end())
      return invalid(path, "is not a lesson: `" + each.lesson.id + "` has no lesson.toml");
    lessons.push_back(std::move(each.lesson));
  }
  return lessons;
}

static Status addLesson(zip_t *archive, const LessonParts &lesson, const std::string &path) {
  // Equal lessons are equal files, whenever they are written.
  constexpr time_t kAnyTime = 946728000;
  for (const LessonPart &part : lesson.parts) {
    zip_source_t *source = zip_source_buffer(archive, part.bytes.data(), part.bytes.size(), 0);
    const std::string name = lesson.id + "/" + part.name;
    const zip_int64_t index =
        source ? zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      zip_source_free(source);
      return invalid(path, std::string("cannot be written: ") + zip_strerror(archive));
    }
    zip_file_set_mtime(archive, static_cast<zip_uint64_t>(index), kAnyTime, 0);
  }
  return {};
}

Status writeLessonZip(std::span<const LessonParts> lessons, const std::string &path) {
  Result<ZipPointer> opened = openZip(path, ZIP_CREATE | ZIP_TRUNCATE);
  if (!opened)
    return opened.error();
  zip_t *archive = opened->get();
  for (const LessonParts &lesson : lessons)
    if (Status status = addLesson(archive, lesson, path); !status)
      return status;
  if (zip_close(archive) != 0)
    return Error{ErrorCode::Environment, "cannot write `" + path + "`: " + zip_strerror(archive),
                 ""};
  // It is closed and freed.
  (void)opened->release();
  return {};
}

} // namespace tilescope::app
