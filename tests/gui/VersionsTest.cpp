// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Versions of a kernel without a window: what is recorded, compared, kept and drawn.
#include "app/ide/history/HistoryLog.h"
#include "app/ide/history/HistoryStore.h"
#include "tests/gui/VersionSamples.h"
#include "views/history/HistoryModel.h"
#include "views/history/HistoryPicture.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using namespace tilescope::views;
using compiler::StageId;

TEST_CASE("facts of a version are counted in its stages", "[history]") {
  auto result = resultOf("x", "\t@%p1 ld.global.v4.b32 {%r1}, [%rd1];\n"
                              "\tld.global.L1::evict_last.b16 %h, [%rd2];\n"
                              "\t@%p1 st.global.v2.b64 [%rd3], {%rd4, %rd5};\n"
                              "\tbar.sync 0;\n\tld.shared.b32 %r9, [%r8];\n"
                              "\t@%p2 atom.global.gpu.acq_rel.add.f32 %f1, [%rd4], %f2;\n"
                              "\tred.global.add.u32 [%rd5], %r3;\n");
  result->resources = {40, 1024, 8, 128};
  const VersionFacts facts = versionFacts(*result);
  CHECK(facts.loads == 2);
  CHECK(facts.widestLoad == 16);
  CHECK(facts.narrowestLoad == 2);
  CHECK(facts.stores == 1);
  CHECK(facts.barriers == 1);
  CHECK(facts.atomics == 2);
  CHECK(facts.registers == 40);
  CHECK(facts.spillBytes == 8);
  CHECK(facts.conversions == 0);
  // What was not handed over is not known.
  for (compiler::Stage &stage : result->stages)
    stage.text.clear();
  CHECK(versionFacts(*result).loads == -1);
  CHECK(versionFacts(*result).conversions == -1);
}

TEST_CASE("what differs in debug information only is the same version", "[history]") {
  const auto before = resultOf("a", "\t.loc 1 12 3\n\tadd.f32 %f1, %f2, %f3; \n$L__tmp1:\n"
                                    "\t.section .debug_info\n{ .b8 1 }\n");
  const auto after = resultOf("# a comment\na", "\t.loc 1 13 3\n\n\tadd.f32 %f1, %f2, %f3; \n"
                                                "\t.section .debug_info\n{ .b8 2 }\n");
  CHECK(versionDigest(*before) == versionDigest(*after));
  CHECK(versionDigest(*before) != versionDigest(*resultOf("a", "\tsub.f32 %f1, %f2, %f3;\n")));
  auto other = resultOf("a", "\t.loc 1 12 3\n\tadd.f32 %f1, %f2, %f3; \n");
  other->target = "cuda:80";
  CHECK(versionDigest(*before) != versionDigest(*other));
}

TEST_CASE("the difference of two versions is one line of facts", "[history]") {
  HistoryEntry before = timed(40, 0.005, QStringLiteral("H200")), after = before;
  before.facts = VersionFacts{64, 0, 0, 128, 1, 4, 1, 0, 4, 4};
  after.facts = VersionFacts{96, 0, 1024, 128, 2, 2, 1, 1, 8, 8};
  after.time->medianUs = 37.2;
  CHECK(versionDifference(before, after) ==
        QStringLiteral("loads 4 → 8 bytes a lane, +1 conversion, −2 load instructions, +1 barrier, "
                       "registers 64 → 96, shared memory 0 B → 1 KiB, time −7.0 % ± 0.7 %"));
  after = before;
  CHECK(versionDifference(before, after) == QStringLiteral("time unchanged (± 0.7 %)"));
  // A change within the uncertainty is none.
  after.time->medianUs = 40.2;
  CHECK(versionDifference(before, after) == QStringLiteral("time unchanged (± 0.7 %)"));
  // Another device, or the interpreter, says nothing.
  after.time->device = QStringLiteral("A100");
  CHECK(versionDifference(before, after).isEmpty());
  before.time->device.clear();
  after.time->device.clear();
  CHECK_FALSE(timeChange(before, after).has_value());
  // Bytes that units of 1024 do not tell apart are said as they are.
  HistoryEntry large = before, larger = before;
  large.facts = VersionFacts{.sharedBytes = 102400};
  larger.facts = VersionFacts{.sharedBytes = 102416};
  CHECK(versionDifference(large, larger) == QStringLiteral("shared memory 102400 → 102416 bytes"));
  // What one of them does not know is left out.
  after.facts->registers = -1;
  CHECK(versionDifference(before, after).isEmpty());
}

TEST_CASE("a compile that differs is a version, what is typed on the way is not", "[history]") {
  HistoryLog log;
  CHECK(log.recordCompile(*resultOf("a", "one\n"), at(0)) == 1);
  // The same instructions.
  CHECK(log.recordCompile(*resultOf("a # b", "one\n"), at(10)) == 1);
  CHECK(log.entries().size() == 1);
  CHECK(log.entries().front().text == "a");
  // The text as it was opened stays, however soon it is typed into.
  log.noteEdit(at(11));
  CHECK(log.recordCompile(*resultOf("b", "two\n"), at(20)) == 2);
  // Half a second later someone types on; however long it takes to get to what compiles, it counts
  // how long the version was left alone.
  log.noteEdit(at(20).addMSecs(500));
  log.noteEdit(at(25));
  CHECK(log.recordCompile(*brokenResult(), at(26)) == 0);
  CHECK(log.recordCompile(*resultOf("bc", "three\n"), at(27)) == 2);
  CHECK(log.entries().back().text == "bc");
  log.noteEdit(at(36));
  CHECK(log.recordCompile(*resultOf("c", "four\n"), at(37)) == 3);
  // And back again at once.
  log.noteEdit(at(38));
  CHECK(log.recordCompile(*resultOf("bc", "three\n"), at(39)) == 2);
  CHECK(log.entries().size() == 2);
  // Another target is chosen, not typed.
  auto elsewhere = resultOf("bc", "five\n");
  CHECK(log.recordCompile(*elsewhere, at(40)) == 4);
  CHECK(log.recordCompile(*resultOf("bc", "three\n"), at(41)) == 5);
  // What failed, or has no instructions, is no version.
  CHECK(log.recordCompile(*brokenResult(), at(40)) == 0);
  // Each kernel has its own.
  auto other = resultOf("bc", "three\n");
  other->kernel = "other";
  CHECK(log.recordCompile(*other, at(50)) == 6);
  CHECK(log.entriesOf("other").size() == 1);
  CHECK(log.entriesOf("vector_add").size() == 4);
  log.clear("vector_add");
  CHECK(log.entries().size() == 1);
}

TEST_CASE("what a field of the form changes is a version, however soon the next follows",
          "[history]") {
  HistoryLog log;
  log.recordCompile(*resultOf("K = 200", "one\n"), at(0));
  log.noteStep();
  CHECK(log.recordCompile(*resultOf("K = 208", "two\n"), at(1)) == 2);
  log.noteStep();
  CHECK(log.recordCompile(*resultOf("K = 200", "one\n"), at(2)) == 3);
  CHECK(log.entries().size() == 3);
  // Nor is what was typed a moment before on the way to it.
  log.noteEdit(at(3));
  CHECK(log.recordCompile(*resultOf("K = 20", "three\n"), at(4)) == 4);
  log.noteStep();
  CHECK(log.recordCompile(*resultOf("K = 16", "four\n"), at(5)) == 5);
  CHECK(log.entries().size() == 5);
}

TEST_CASE("a history is bounded, and keeps its baselines", "[history]") {
  HistoryLog log;
  for (int i = 0; i < 3; ++i)
    log.recordCompile(*resultOf(std::to_string(i), std::to_string(i) + "\n"), at(10 * i));
  log.setBaseline(2);
  log.setBaseline(1);
  CHECK(log.find(1)->isBaseline);
  CHECK_FALSE(log.find(2)->isBaseline);
  const auto numMost = static_cast<int>(HistoryLog::kMostEntries);
  for (int i = 3; i < numMost + 10; ++i)
    log.recordCompile(*resultOf(std::to_string(i), std::to_string(i) + "\n"), at(10 * i));
  CHECK(log.entries().size() == HistoryLog::kMostEntries);
  CHECK(log.find(1) != nullptr);
  CHECK(log.find(2) == nullptr);
  // Large texts count by their bytes.
  const std::string large(HistoryLog::kMostBytes / 3, 'x');
  for (int i = 0; i < 5; ++i)
    log.recordCompile(*resultOf(large, "large " + std::to_string(i) + "\n"), at(10000 + 10 * i));
  size_t bytes = 0;
  for (const HistoryEntry &entry : log.entries())
    bytes += entry.text.size();
  CHECK(bytes <= HistoryLog::kMostBytes);
  CHECK(log.find(1) != nullptr);
}

TEST_CASE("versions come back from the disk", "[history]") {
  QTemporaryDir folder;
  const HistoryStore store(folder.filePath(QStringLiteral("history")));
  const QString name = QStringLiteral("/home/user/add.py");
  CHECK(store.load(name).empty());
  HistoryLog log;
  log.recordCompile(*resultOf("a", "one\n"), at(0));
  HistoryEntry run = timed(10, 0.01, QStringLiteral("H200"));
  run.text = "a";
  log.recordRun(run);
  log.recordCompile(*resultOf("b — µ", "two\n"), at(10));
  log.setBaseline(1);
  REQUIRE(store.save(name, log.entries()).isEmpty());
  CHECK(store.load(name) == log.entries());
  CHECK(store.load(QStringLiteral("/home/user/other.py")).empty());
  // Numbers go on.
  HistoryLog next(store.load(name));
  CHECK(next.recordCompile(*resultOf("c", "three\n"), at(11)) == 3);
  CHECK(next.entries().size() == 3);
  // Without versions there is no file.
  REQUIRE(store.save(name, {}).isEmpty());
  CHECK(store.load(name).empty());
  // A damaged file is put aside.
  REQUIRE(store.save(name, log.entries()).isEmpty());
  QDir kept(folder.filePath(QStringLiteral("history")));
  const QStringList files = kept.entryList({QStringLiteral("*.json")});
  REQUIRE(files.size() == 1);
  QFile file(kept.filePath(files.front()));
  REQUIRE(file.resize(file.size() / 2));
  CHECK(store.load(name).empty());
  CHECK(kept.exists(files.front() + QStringLiteral(".damaged")));
  // A folder that cannot be made is said.
  const HistoryStore none(QStringLiteral("/proc/none/history"));
  CHECK_FALSE(none.save(name, log.entries()).isEmpty());
}

TEST_CASE("history files that are not ours are refused", "[history]") {
  CHECK_FALSE(historyFromJson("").has_value());
  CHECK_FALSE(historyFromJson("[]").has_value());
  CHECK_FALSE(historyFromJson("{\"format\":2,\"versions\":[]}").has_value());
  const auto odd =
      historyFromJson("{\"format\":1,\"versions\":[3,{},{\"number\":1,\"kernel\":\"k\","
                      "\"text\":\"t\",\"time\":4,\"facts\":[]},{\"number\":1,"
                      "\"kernel\":\"k\",\"text\":\"again\"}]}");
  REQUIRE(odd.has_value());
  REQUIRE(odd->size() == 1);
  CHECK_FALSE(odd->front().time.has_value());
  CHECK_FALSE(odd->front().facts.has_value());
}

TEST_CASE("curves are drawn from zero, with their uncertainty", "[history]") {
  std::vector<HistoryEntry> entries;
  for (int i = 0; i < 4; ++i) {
    entries.push_back(timed(10.0 * (i + 1), 0.1, QStringLiteral("H200")));
    entries.back().number = i + 1;
    entries.back().facts = VersionFacts{32 * (i + 1)};
  }
  entries[1].time->device = QStringLiteral("A100");
  const std::vector<HistoryCurve> curves = historyCurves(entries, {400, 200}, 10);
  REQUIRE(curves.size() == 2);
  REQUIRE(curves[0].points.size() == 3);
  REQUIRE(curves[1].points.size() == 4);
  const auto &times = curves[0].points;
  // Four times as long is four times as high; the highest has room for its uncertainty.
  const double floor = 100 - 8;
  CHECK((floor - times[2].y) / (floor - times[0].y) == Approx(4));
  CHECK(times[2].error / (floor - times[2].y) == Approx(0.1));
  // Values stand beside their points, the newest in any case, and no two touch.
  CHECK(times[2].label == QStringLiteral("40.0 µs"));
  CHECK(curves[1].points[0].label == u"32");
  const auto wide = [](const QString &label) { return 150.0 + double(label.size()); };
  const auto narrow = [](const QString &label) { return 5.0 * double(label.size()); };
  CHECK(views::labelledPoints(curves[1], narrow) == std::vector<size_t>{3, 2, 1, 0});
  CHECK(views::labelledPoints(curves[1], wide) == std::vector<size_t>{3, 1});
  // The highest is below the title and its own label.
  CHECK(times[2].y - times[2].error >= 20);
  CHECK(times[0].x < times[1].x);
  // Versions stand in one column in both.
  CHECK(times[1].x == Approx(curves[1].points[2].x));
  // Without a GPU there are registers alone, and the whole height.
  for (HistoryEntry &entry : entries)
    entry.time->device.clear();
  const std::vector<HistoryCurve> registers = historyCurves(entries, {400, 200}, 10);
  REQUIRE(registers.size() == 1);
  CHECK(registers.front().area.height() == 200);
}

TEST_CASE("the list says what changed, newest first", "[history]") {
  std::vector<HistoryEntry> entries{timed(40, 0.005, QStringLiteral("H200")),
                                    timed(20, 0.005, QStringLiteral("H200")),
                                    timed(28000, 0, QString())};
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].number = static_cast<int64_t>(i) + 1;
    entries[i].text = QByteArray::number(static_cast<qulonglong>(i / 2));
  }
  entries[0].isBaseline = true;
  entries[0].facts = VersionFacts{.registers = 212, .spillBytes = 2244, .sharedBytes = 65536};
  entries[2].isWrong = true;
  HistoryModel model;
  model.setEntries(entries);
  REQUIRE(model.rowCount() == 3);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  CHECK(text(2, HistoryModel::Number) == QStringLiteral("1 ★"));
  CHECK(text(2, HistoryModel::Change) == u"first version");
  std::vector<HistoryEntry> ofSecond{entries[1]};
  HistoryModel second;
  second.setEntries(ofSecond);
  CHECK(second.index(0, HistoryModel::Change).data().toString() ==
        u"oldest version of this kernel");
  CHECK(text(2, HistoryModel::Registers) == u"212");
  CHECK(text(2, HistoryModel::Spilled) == u"2.2 KiB");
  CHECK(text(2, HistoryModel::Shared) == u"64 KiB");
  CHECK(text(1, HistoryModel::Change) == QStringLiteral("time −50 % ± 0.4 %"));
  CHECK(text(1, HistoryModel::Time) == QStringLiteral("20.0 µs ± 0.5 %"));
  CHECK(text(1, HistoryModel::AgainstBaseline) == QStringLiteral("−50.0 % ± 0.4 %"));
  CHECK(text(0, HistoryModel::Time) == u"28.0 ms (interpreter)");
  CHECK(views::timeText(views::VersionTime{28000, 0, 1, {}, true}) == u"28.0 ms (native code)");
  CHECK(text(0, HistoryModel::AgainstBaseline).isEmpty());
  // Its run ended before its compile.
  CHECK(text(0, HistoryModel::Change) ==
        QStringLiteral("wrong result · not compiled to its end yet"));
  entries[2].time.reset();
  model.setEntries(entries);
  CHECK(text(0, HistoryModel::Change).startsWith(u"run failed"));
  CHECK(text(1, HistoryModel::Registers) == QStringLiteral("–"));
  CHECK(model.rowOf(1) == 2);
  CHECK(model.rowOf(9) == -1);
}

TEST_CASE("what only says where code came from is not compared", "[history]") {
  CHECK(withoutDebugInfo("\t.loc\t1 24 0 // a.py:24:0\n\n\tadd.f32 %f1, %f2, %f3;\n$L__tmp1:\n"
                         "\t.section .debug_info\n\t.b8 1\n",
                         StageId::Ptx) == "\n\tadd.f32 %f1, %f2, %f3;\n");
  CHECK(withoutDebugInfo("; ModuleID = 'a'\n%1 = add i32 %0, 1, !dbg !7\n"
                         "!7 = !DILocation(line: 3)\n!8 = distinct !DIFile(a)\n!9 = !{i32 1}\n",
                         StageId::LlvmIr) == "%1 = add i32 %0, 1\n!9 = !{i32 1}\n");
  CHECK(withoutDebugInfo("a\nb", StageId::Ttir) == "a\nb\n");
}
