// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/archive/LessonArchive.h"

#include "profiler/data/FileIo.h"
#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <zip.h>

using namespace tilescope;
using namespace tilescope::app;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

struct Entry {
  std::string name, bytes;
  /// Of Unix.
  zip_uint32_t mode = 0100644;
};

} // namespace

static const std::string kToml = "title = \"T\"\nsummary = \"S\"\nminutes = 5\n[[goals]]\n"
                                 "kind = \"outputs\"\ntext = \"right\"\n";

static LessonParts smallLesson() {
  return {"small",
          {{"lesson.toml", kToml},
           {"solution.py", "solution"},
           {"start.py", "start"},
           {"text.md", "# Text\n"}}};
}

static void makeZip(const std::string &path, const std::vector<Entry> &entries) {
  int code = 0;
  zip_t *archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  REQUIRE(archive);
  for (const Entry &entry : entries) {
    const auto add = [&] {
      return zip_file_add(archive, entry.name.c_str(),
                          zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0), 0);
    };
    const zip_int64_t index =
        entry.name.ends_with('/') ? zip_dir_add(archive, entry.name.c_str(), 0) : add();
    REQUIRE(index >= 0);
    zip_file_set_external_attributes(archive, static_cast<zip_uint64_t>(index), 0, ZIP_OPSYS_UNIX,
                                     entry.mode << 16);
  }
  REQUIRE(zip_close(archive) == 0);
}

static std::string errorOf(const std::vector<Entry> &entries) {
  const tests::TestFolder folder;
  makeZip(folder / "x.zip", entries);
  const auto read = readLessonZip(folder / "x.zip");
  REQUIRE_FALSE(read);
  return read.error().message;
}

TEST_CASE("A lesson is the same after a zip, and equal lessons are equal files") {
  const tests::TestFolder folder;
  const std::vector<LessonParts> small{smallLesson()};
  REQUIRE(writeLessonZip(small, folder / "a.zip"));
  REQUIRE(writeLessonZip(small, folder / "b.zip"));
  CHECK(*readLessonZip(folder / "a.zip") == small);
  CHECK(*profiler::readFile(folder / "a.zip") == *profiler::readFile(folder / "b.zip"));
  const Result<std::string> unpacked = unpackLesson(smallLesson(), folder / "opened");
  REQUIRE(unpacked);
  CHECK(*readLessonFolder(*unpacked) == smallLesson());
}

TEST_CASE("Several lessons are one zip, in their order") {
  const tests::TestFolder folder;
  std::vector<LessonParts> two{smallLesson(), smallLesson()};
  two[0].id = "zebra";
  REQUIRE(writeLessonZip(two, folder / "x.zip"));
  const auto read = readLessonZip(folder / "x.zip");
  REQUIRE(read);
  CHECK(*read == two);
}

TEST_CASE("A zip has bounds for each lesson, and for all together") {
  std::vector<Entry> many;
  for (size_t i = 0; i <= kMostLessons; ++i)
    many.push_back({"lesson-" + std::to_string(i) + "/lesson.toml", kToml});
  CHECK_THAT(errorOf(many), Contains("has more than 100 lessons"));
  std::vector<Entry> large;
  for (int i = 0; i < 17; ++i)
    large.push_back({std::to_string(i) + "/lesson.toml", std::string(kMostPartBytes, 'x')});
  CHECK_THAT(errorOf(large), Contains("bytes"));
}

TEST_CASE("What another program packs is read, with an entry for the folder") {
  const tests::TestFolder folder;
  makeZip(folder / "x.zip", {{"small/", "", 040755}, {"small/lesson.toml", kToml, 0}});
  const auto read = readLessonZip(folder / "x.zip");
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  CHECK(read->front().id == "small");
  CHECK(read->front().parts == std::vector<LessonPart>{{"lesson.toml", kToml}});
}

TEST_CASE("A zip that is not a lesson is refused before anything of it is used") {
  CHECK_THAT(errorOf({{"lesson.toml", kToml}}), Contains("is not in a folder"));
  CHECK_THAT(errorOf({{"../lesson.toml", kToml}}), Contains("is not in a folder"));
  CHECK_THAT(errorOf({{"/etc/lesson.toml", kToml}}), Contains("is not in a folder"));
  CHECK_THAT(errorOf({{"a/../b.py", "x"}}), Contains("`a/../b.py` cannot be a part"));
  CHECK_THAT(errorOf({{"a/b/lesson.toml", kToml}}), Contains("cannot be a part"));
  CHECK_THAT(errorOf({{"a/.profile", "x"}}), Contains("cannot be a part"));
  CHECK_THAT(errorOf({{"a/run.sh", "x"}}), Contains("cannot be a part"));
  CHECK_THAT(errorOf({{"a/lesson.toml", kToml}, {"b/text.md", "x"}}),
             Contains("`b` has no lesson.toml"));
  CHECK_THAT(errorOf({{"a/text.md", "x"}, {"a/Text.md", "x"}}), Contains("twice"));
  CHECK_THAT(errorOf({{"a/text.md", "x"}}), Contains("`a` has no lesson.toml"));
  CHECK_THAT(errorOf({{"a/lesson.toml", "/etc/passwd", 0120777}}), Contains("no file"));
}

TEST_CASE("A zip that unpacks to more than a lesson is refused") {
  const std::string large(kMostPartBytes + 1, '\0');
  CHECK_THAT(errorOf({{"a/text.md", large}}), Contains("bytes"));
  std::vector<Entry> many;
  for (size_t i = 0; i < kMostLessonParts + 2; ++i)
    many.push_back({"a/" + std::to_string(i) + ".md", ""});
  CHECK_THAT(errorOf(many), Contains("more than 64 files"));
  std::vector<Entry> together;
  for (int i = 0; i < 5; ++i)
    together.push_back({"a/" + std::to_string(i) + ".md", std::string(kMostPartBytes, 'x')});
  CHECK_THAT(errorOf(together), Contains("bytes"));
}

TEST_CASE("A damaged file is no zip") {
  const tests::TestFolder folder;
  std::ofstream(folder / "x.zip") << "PK\x03\x04 and nothing more";
  CHECK_THAT(readLessonZip(folder / "x.zip").error().message, Contains("as a zip"));
  CHECK_FALSE(readLessonZip(folder / "missing.zip"));
}

TEST_CASE("Links in a folder and files of other kinds are no part of a lesson") {
  const tests::TestFolder folder;
  REQUIRE(unpackLesson(smallLesson(), folder / "in"));
  fs::create_symlink("/etc/passwd", folder / "in/small/passwd.md");
  std::ofstream(folder / "in/small/notes.txt") << "x";
  CHECK(*readLessonFolder(folder / "in/small/") == smallLesson());
}

TEST_CASE("A lesson that cannot be read replaces none") {
  const tests::TestFolder folder;
  REQUIRE(unpackLesson(smallLesson(), folder / "opened"));
  LessonParts broken = smallLesson();
  broken.parts.front().bytes = "title = 3\n";
  const Result<std::string> unpacked = unpackLesson(broken, folder / "opened");
  REQUIRE_FALSE(unpacked);
  CHECK_THAT(unpacked.error().message, Contains("`title` must be a string"));
  CHECK(*readLessonFolder(folder / "opened/small") == smallLesson());
  CHECK_FALSE(fs::exists(folder / "opened/.new-small"));
}
