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

/// Takes the name of an entry apart; an error says why it is no part of a lesson.
static Result<std::string> partName(const std::string &path, std::string_view entry,
                                    LessonParts &lesson) {
  const size_t slash = entry.find('/');
  const std::string_view id = entry.substr(0, slash == std::string_view::npos ? 0 : slash);
  const std::string_view name = slash == std::string_view::npos ? entry : entry.substr(slash + 1);
  const std::string shown = fmt::format("{:.100}", entry);
  if (!isLessonId(id))
    return invalid(path,
                   "is not a lesson: `" + shown + "` is not in a folder of the lesson's name");
  if (lesson.id.empty())
    lesson.id = id;
  if (lesson.id != id)
    return invalid(path, "is not a lesson: it has several folders, `" + lesson.id + "` and `" +
                             std::string(id) + "`");
  // The folder itself.
  if (name.empty())
    return std::string();
  if (!isLessonPartName(name))
    return invalid(path, "is not a lesson: `" + shown + "` cannot be a part of one");
  const auto same = [&](const LessonPart &part) { return lowered(part.name) == lowered(name); };
  if (std::ranges::any_of(lesson.parts, same))
    return invalid(path, "is not a lesson: `" + shown + "` is in it twice");
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

Result<LessonParts> readLessonZip(const std::string &path) {
  const Result<ZipPointer> opened = openZip(path, ZIP_RDONLY | ZIP_CHECKCONS);
  if (!opened)
    return opened.error();
  zip_t *archive = opened->get();
  const zip_int64_t numEntries = zip_get_num_entries(archive, 0);
  // One for the folder.
  if (numEntries > static_cast<zip_int64_t>(kMostLessonParts) + 1)
    return invalid(path, fmt::format("is not a lesson: it has {} entries", numEntries));
  LessonParts lesson;
  uint64_t total = 0;
  for (zip_uint64_t index = 0; index < static_cast<zip_uint64_t>(numEntries); ++index) {
    zip_stat_t facts;
    zip_stat_init(&facts);
    if (zip_stat_index(archive, index, 0, &facts) != 0 || (facts.valid & ZIP_STAT_NAME) == 0 ||
        (facts.valid & ZIP_STAT_SIZE) == 0 || isSpecial(archive, index))
      return invalid(path, "is not a lesson: it has an entry that is no file");
    if ((facts.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && facts.encryption_method != ZIP_EM_NONE)
      return invalid(path, "is not a lesson: it is encrypted");
    const Result<std::string> name = partName(path, facts.name, lesson);
    if (!name)
      return name.error();
    total += facts.size;
    if (facts.size > kMostPartBytes || total > kMostLessonBytes)
      return invalid(path,
                     fmt::format("is not a lesson: `{}` has {} bytes", facts.name, facts.size));
    if (name->empty())
      continue;
    Result<std::string> bytes = readEntry(path, archive, index, facts.size);
    if (!bytes)
      return bytes.error();
    lesson.parts.push_back({*name, std::move(*bytes)});
  }
  std::ranges::sort(lesson.parts, {}, &LessonPart::name);
  if (std::ranges::find(lesson.parts, "lesson.toml", &LessonPart::name) == lesson.parts.end())
    return invalid(path, "is not a lesson: it has no lesson.toml");
  return lesson;
}

Status writeLessonZip(const LessonParts &lesson, const std::string &path) {
  Result<ZipPointer> opened = openZip(path, ZIP_CREATE | ZIP_TRUNCATE);
  if (!opened)
    return opened.error();
  zip_t *archive = opened->get();
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
  if (zip_close(archive) != 0)
    return Error{ErrorCode::Environment, "cannot write `" + path + "`: " + zip_strerror(archive),
                 ""};
  // It is closed and freed.
  (void)opened->release();
  return {};
}

} // namespace tilescope::app
