// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The undo history as a value: equal to the editor's own, written down, and played again.
#include "app/ide/session/Journal.h"
#include "app/ide/session/Session.h"
#include "views/editor/HistoryRecorder.h"
#include "views/editor/KernelEditor.h"

#include <QtTest/QtTest>

#include <catch2/catch.hpp>
#include <random>

using namespace tilescope;
using namespace tilescope::views;

namespace {

struct RecordedEditor {
  KernelEditor editor;
  HistoryRecorder recorder{&editor};
  QByteArray journal;

  explicit RecordedEditor(const std::string &text) {
    editor.resize(600, 400);
    recorder.begin(text);
    editor.setHistory(&recorder);
    journal = app::wholeRecord({{}, recorder.history()});
    QObject::connect(&recorder, &HistoryRecorder::recorded, &recorder,
                     [this](const EditEvent &event) { journal += app::eventRecord(event); });
  }

  void press(int key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&editor, static_cast<Qt::Key>(key), modifiers);
  }

  /// One of the things that people do to a text.
  void act(std::mt19937 &random) {
    const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
    switch (below(14)) {
    case 0:
      return press(Qt::Key_Return);
    case 1:
      return press(Qt::Key_Backspace);
    case 2:
    case 3:
      return editor.undo();
    case 4:
      return editor.redo();
    case 5:
      return editor.goTo({below(8), below(12)});
    case 6:
      editor.selectRange({{below(6), below(9)}, {below(6), below(9)}, 0});
      return press(Qt::Key_Delete);
    case 7:
      return editor.toggleComment();
    case 8:
      return editor.moveLines(below(2) == 0);
    case 9:
      return editor.replaceText(editor.text() + QStringLiteral("# π\n"));
    case 10:
      switch (below(4)) {
      case 0:
        journal += app::diskRecord({}, true);
        return recorder.markSaved();
      case 1:
        return recorder.markStop();
      default:
        return editor.duplicateLines();
      }
    default:
      QTest::keyClicks(&editor, QString(QLatin1Char("abc(x =.#"[below(9)])));
    }
  }
};

/// Every text on the way to the first one by undo, and back by redo.
std::vector<std::string> walk(KernelEditor &editor) {
  std::vector<std::string> texts{editor.utf8Text()};
  while (editor.isUndoAvailable()) {
    editor.undo();
    texts.push_back(editor.utf8Text());
  }
  while (editor.isRedoAvailable()) {
    editor.redo();
    texts.push_back(editor.utf8Text());
  }
  return texts;
}

} // namespace

TEST_CASE("an example of a history that is small enough to check by hand", "[gui][history]") {
  EditHistory history("ab");
  CHECK(history.isSaved());
  CHECK(history.apply({EditKind::Begin, {2, 0, "c"}}));
  CHECK(history.apply({EditKind::Continue, {3, 0, "d"}}));
  CHECK(history.apply({EditKind::Begin, {0, 1, ""}}));
  CHECK(history.text() == "bcd");
  CHECK(history.apply({EditKind::Undo, {}}));
  CHECK(history.text() == "abcd");
  CHECK(history.steps().size() == 2);
  CHECK_FALSE(history.isSaved());
  CHECK(history.apply({EditKind::Undo, {}}));
  CHECK(history.isSaved());
  CHECK_FALSE(history.apply({EditKind::Undo, {}}));
  CHECK(history.apply({EditKind::Redo, {}}));
  CHECK(history.text() == "abcd");
  // Undone steps are lost when another edit is made.
  CHECK(history.apply({EditKind::Begin, {1, 3, ""}}));
  CHECK_FALSE(history.apply({EditKind::Redo, {}}));
  CHECK(history.text() == "a");
}

TEST_CASE("undo and redo stop where a text was saved or run", "[gui][history]") {
  RecordedEditor test("");
  QTest::keyClicks(&test.editor, QStringLiteral("ab"));
  test.recorder.markStop();
  QTest::keyClicks(&test.editor, QStringLiteral("cd"));
  test.recorder.markSaved();
  QTest::keyClicks(&test.editor, QStringLiteral("ef"));
  const std::vector<std::string> texts{"abcdef", "abcd", "ab", "", "ab", "abcd", "abcdef"};
  CHECK(walk(test.editor) == texts);

  const EditHistory &history = test.recorder.history();
  CHECK(history.stops() == std::set<size_t>{1, 2});
  const std::optional<app::PageRecord> page = app::readJournal(app::wholeRecord({{}, history}));
  REQUIRE(page);
  CHECK(page->history.stops() == history.stops());
  RecordedEditor second("");
  second.recorder.replay(page->history);
  CHECK(walk(second.editor) == texts);

  // Stops among undone steps are lost with them.
  test.editor.undo();
  test.editor.undo();
  test.editor.undo();
  QTest::keyClicks(&test.editor, QStringLiteral("xy"));
  CHECK(history.stops().empty());
  CHECK(walk(test.editor) == std::vector<std::string>{"xy", "", "xy"});
}

TEST_CASE("a word that is typed over another is one step", "[gui][history]") {
  RecordedEditor test("x = fp16 + 1\n");
  test.editor.selectRange({{0, 4}, {0, 8}, 0});
  QTest::keyClicks(&test.editor, QStringLiteral("int8"));
  REQUIRE(test.editor.utf8Text() == "x = int8 + 1\n");
  test.editor.undo();
  CHECK(test.editor.utf8Text() == "x = fp16 + 1\n");
  test.editor.redo();
  CHECK(test.editor.utf8Text() == "x = int8 + 1\n");

  // A single character over a selection, and typing elsewhere, are steps of their own.
  test.editor.selectRange({{0, 11}, {0, 12}, 0});
  QTest::keyClicks(&test.editor, QStringLiteral("2"));
  test.editor.goTo({0, 0});
  QTest::keyClicks(&test.editor, QStringLiteral("y"));
  REQUIRE(test.editor.utf8Text() == "yx = int8 + 2\n");
  test.editor.undo();
  CHECK(test.editor.utf8Text() == "x = int8 + 2\n");
  test.editor.undo();
  CHECK(test.editor.utf8Text() == "x = int8 + 1\n");
}

TEST_CASE("undo stops at the text that was saved within a word", "[gui][history]") {
  RecordedEditor test("x = fp16\n");
  test.editor.selectRange({{0, 4}, {0, 8}, 0});
  QTest::keyClicks(&test.editor, QStringLiteral("i"));
  test.recorder.markSaved();
  QTest::keyClicks(&test.editor, QStringLiteral("nt8"));
  REQUIRE(test.editor.utf8Text() == "x = int8\n");
  test.editor.undo();
  CHECK(test.editor.utf8Text() == "x = i\n");
  CHECK(test.recorder.history().isSaved());
}

TEST_CASE("an edit that does not fit its text is noticed", "[gui][history]") {
  CHECK_FALSE(EditHistory::fromParts("ab", {{{1, 2, ""}}}, 1, {})->text());
  CHECK_FALSE(EditHistory::fromParts("ab", {{{3, 0, "x"}}}, 1, {})->text());
  CHECK_FALSE(EditHistory::fromParts("ab", {}, 1, {}));
}

TEST_CASE("a history is bounded, and its text is not", "[gui][history]") {
  EditHistory history("");
  std::string expected;
  for (int i = 0; i < 20000; ++i) {
    history.apply({EditKind::Begin, {expected.size(), 0, "x"}});
    expected += 'x';
  }
  CHECK(history.steps().size() <= 4000);
  CHECK(history.text() == expected);
  for (int i = 0; i < 16; ++i) {
    const std::string large(1 << 20, char('a' + i));
    history.apply({EditKind::Begin, {0, 0, large}});
    expected.insert(0, large);
  }
  CHECK(history.steps().size() <= 5);
  CHECK(history.text() == expected);
}

TEST_CASE("what was typed in one go is undone in one go", "[gui][history]") {
  RecordedEditor test("    y = tl.rsqrt(x)\n");
  const auto type = [&](const std::string &text) {
    for (const char c : text)
      QTest::keyClick(&test.editor, c);
    QTest::keyClick(&test.editor, Qt::Key_Escape);
  };
  const QString before = test.editor.text();
  test.editor.selectRange({{0, 8}, {0, 19}, 0});
  type("1.0 / tl.sqrt(x + (y)) + 1");
  const QString typed = test.editor.text();
  REQUIRE(typed == QStringLiteral("    y = 1.0 / tl.sqrt(x + (y)) + 1\n"));
  REQUIRE(test.recorder.history().steps().size() > 3);
  test.editor.undo();
  CHECK(test.editor.text() == before);
  test.editor.redo();
  CHECK(test.editor.text() == typed);
  // What is typed elsewhere is undone by itself, and so is what was erased or saved between.
  test.editor.goTo({0, 4});
  type("a");
  test.press(Qt::Key_Backspace);
  test.editor.undo();
  CHECK(test.editor.text() == QStringLiteral("    ay = 1.0 / tl.sqrt(x + (y)) + 1\n"));
  test.editor.undo();
  CHECK(test.editor.text() == typed);
  test.editor.undo();
  CHECK(test.editor.text() == before);
  test.editor.selectRange({{0, 8}, {0, 19}, 0});
  type("f(");
  test.recorder.markSaved();
  type("z");
  test.editor.undo();
  CHECK(test.editor.text() == QStringLiteral("    y = f()\n"));
  CHECK(test.recorder.history().isSaved());
}

TEST_CASE("the history is the editor's own, and goes on in another editor", "[gui][history]") {
  const uint32_t seed = GENERATE(range(0u, 12u));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  RecordedEditor first("def f(x):\n    return x\n\n# é\nf(1)\n");
  for (int i = 0; i < 150; ++i) {
    first.act(random);
    INFO("step " << i);
    REQUIRE(first.recorder.history().text() == first.editor.utf8Text());
  }
  const std::optional<app::PageRecord> page = app::readJournal(first.journal);
  REQUIRE(page);
  RecordedEditor second("");
  second.recorder.replay(page->history);
  CHECK(second.editor.utf8Text() == first.editor.utf8Text());
  CHECK(walk(second.editor) == walk(first.editor));
  // It is recorded on.
  second.act(random);
  CHECK(second.recorder.history().text() == second.editor.utf8Text());
}

TEST_CASE("undone beyond what is remembered, a history begins anew", "[gui][history]") {
  RecordedEditor test("");
  test.editor.setPlain(true);
  for (int i = 0; i < 12; ++i)
    test.editor.replaceText(QStringLiteral("%1 line\n").arg(i).repeated(1 << 16));
  QSignalSpy restarted(&test.recorder, &HistoryRecorder::restarted);
  while (test.editor.isUndoAvailable())
    test.editor.undo();
  CHECK(restarted.size() > 0);
  CHECK(test.recorder.history().text() == std::string());
  CHECK(test.recorder.history().text() == test.editor.utf8Text());
}

TEST_CASE("a journal that was cut off or damaged yields an earlier text, or none",
          "[gui][history]") {
  std::mt19937 random(7);
  RecordedEditor test("x = 1\n");
  for (int i = 0; i < 60; ++i)
    test.act(random);
  const QByteArray whole = test.journal;
  for (qsizetype size = 0; size < whole.size(); ++size)
    if (const auto page = app::readJournal(whole.left(size)))
      CHECK(page->history.text());
  CHECK(app::readJournal(whole)->history.text() == test.editor.utf8Text());
  for (int round = 0; round < 3000; ++round) {
    QByteArray damaged = whole;
    for (uint32_t i = 0; i < 1 + random() % 8; ++i)
      damaged[static_cast<qsizetype>(random() % static_cast<uint32_t>(damaged.size()))] =
          char(random());
    if (const auto page = app::readJournal(damaged))
      CHECK(page->history.text());
  }
}

TEST_CASE("bytes that are not a session are told from one", "[gui][history]") {
  CHECK_FALSE(app::sessionFromJson(""));
  CHECK_FALSE(app::sessionFromJson("null"));
  CHECK_FALSE(app::sessionFromJson("{\"files\": 3}"));
  CHECK_FALSE(app::sessionFromJson(QByteArray(100000, '[')));
  app::Session session;
  session.files.push_back({QStringLiteral("id"), QStringLiteral("/a/b.py"), 3, 4, true});
  session.current = QStringLiteral("id");
  session.hintsVisible = false;
  const std::optional<app::Session> read = app::sessionFromJson(app::toJson(session));
  REQUIRE(read);
  CHECK(read->files == session.files);
  CHECK(read->current == session.current);
  CHECK_FALSE(read->hintsVisible);
}
