// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The glossary, by keys, and where else its text is shown.
#include "app/ide/docks/ViewDescriptions.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/FakeWindow.h"
#include "tests/gui/Patience.h"
#include "views/help/Glossary.h"
#include "views/help/GlossaryView.h"
#include "views/help/GuideSearchBar.h"
#include "views/help/GuideView.h"

#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

using namespace tilescope;
using namespace tilescope::tests;
using views::GlossaryView;
using views::GuideView;

TEST_CASE("F1 opens the glossary, and typing searches it", "[gui][help]") {
  FakeWindow test;
  test.openAndWait(test.write("kernel.py", sampleSource()));
  test.press(Qt::Key_F1, Qt::NoModifier);
  QPointer<GlossaryView> view = test.window->findChild<GlossaryView *>();
  REQUIRE(view);
  REQUIRE(QTest::qWaitForWindowActive(view));
  QLineEdit &search = view->searchField();
  CHECK(QTest::qWaitFor([&] { return search.hasFocus(); }));
  // Without a word, sections, and more than fits: the keys scroll.
  QTest::keyClick(&search, Qt::Key_Delete);
  CHECK(view->shownText().contains(QStringLiteral("Hardware")));
  QScrollBar *bar = view->findChild<QTextBrowser *>()->verticalScrollBar();
  QTest::keyClick(&search, Qt::Key_PageDown);
  CHECK(bar->value() > 0);
  QTest::keyClicks(&search, QStringLiteral("bank conf"));
  CHECK(view->shownText().startsWith(QStringLiteral("Bank conflict")));
  CHECK_FALSE(view->shownText().contains(QStringLiteral("Hardware")));
  QTest::keyClicks(&search, QStringLiteral("zzz"));
  CHECK(view->shownText() == QStringLiteral("No entry contains these words."));
  // Each part of a launch block is found by the name of its key.
  search.selectAll();
  QTest::keyClicks(&search, QStringLiteral("expected"));
  CHECK(view->shownText().contains(QStringLiteral("sum(x_ptr, axis=1)")));
  // A second F1 shows the same one.
  test.press(Qt::Key_F1, Qt::NoModifier);
  CHECK(test.window->findChildren<GlossaryView *>().size() == 1);
  QTest::keyClick(&search, Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return !view; }));
}

TEST_CASE("Shift+F1 opens the user's guide, and the arrow keys turn its pages", "[gui][help]") {
  FakeWindow test;
  QAction *guide = test.window->action(QStringLiteral("guide"));
  REQUIRE(guide != nullptr);
  CHECK(test.window->menuBar()->actions().last()->menu()->actions().contains(guide));
  test.openAndWait(test.write("kernel.py", sampleSource()));
  test.press(Qt::Key_F1, Qt::ShiftModifier);
  QPointer<GuideView> view = test.window->findChild<GuideView *>();
  REQUIRE(view);
  REQUIRE(QTest::qWaitForWindowActive(view));
  view->resize(980, 600);
  QListWidget &list = view->pageList();
  REQUIRE(QTest::qWaitFor([&] { return list.isVisible(); }, kPatienceMs));
  list.setFocus();
  CHECK(QTest::qWaitFor([&] { return list.hasFocus(); }, kPatienceMs));
  CHECK(list.currentItem()->text() == QStringLiteral("The window"));
  CHECK(view->page().toPlainText().contains(QStringLiteral("Stages side by side")));
  QTest::keyClick(&list, Qt::Key_Down);
  CHECK(view->page().source().fileName() == QStringLiteral("launch_block.md"));
  // A link leads to another page, and the list follows.
  view->page().setSource(QUrl(QStringLiteral("qrc:/help/guide/access.md")));
  CHECK(QTest::qWaitFor([&] { return list.currentItem()->text() == u"Access view"; }, kPatienceMs));
  test.press(Qt::Key_F1, Qt::ShiftModifier);
  CHECK(test.window->findChildren<GuideView *>().size() == 1);
  QTest::keyClick(&list, Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return !view->isVisible(); }, kPatienceMs));
}

TEST_CASE("all pages of the guide are searched from the window", "[gui][help]") {
  FakeWindow test;
  test.press(Qt::Key_F1, Qt::ControlModifier);
  QPointer<GuideView> view = test.window->findChild<GuideView *>();
  REQUIRE(view);
  REQUIRE(QTest::qWaitForWindowActive(view));
  view->resize(980, 600);
  QLineEdit &field = view->search().field();
  QListWidget &list = view->search().list();
  REQUIRE(QTest::qWaitFor([&] { return field.hasFocus(); }, kPatienceMs));
  CHECK_FALSE(list.isVisible());

  // The page that has the words comes into sight, at the place, and they are marked.
  QTest::keyClicks(&field, QStringLiteral("Reuse distance"));
  CHECK(list.isVisible());
  CHECK(view->page().source().fileName() == u"programs.md");
  const auto isMarked = [&](const QString &word) {
    return std::ranges::any_of(view->page().extraSelections(), [&](const auto &mark) {
      return mark.cursor.selectedText().compare(word, Qt::CaseInsensitive) == 0;
    });
  };
  CHECK(isMarked(QStringLiteral("reuse")));
  CHECK(isMarked(QStringLiteral("distance")));
  const QRect caret = view->page().cursorRect();
  CHECK(view->page().viewport()->rect().contains(caret.center()));
  CHECK(view->page().textCursor().block().text().contains(u"reuse", Qt::CaseInsensitive));

  // Keys go to further places, and around the end.
  const int numHits = list.count();
  REQUIRE(numHits > 2);
  QTest::keyClick(&field, Qt::Key_Down);
  CHECK(list.currentRow() == 1);
  QTest::keyClick(&field, Qt::Key_F3);
  CHECK(list.currentRow() == 2);
  QTest::keyClick(&field, Qt::Key_F3, Qt::ShiftModifier);
  QTest::keyClick(&field, Qt::Key_Up);
  QTest::keyClick(&field, Qt::Key_Up);
  CHECK(list.currentRow() == numHits - 1);
  for (int row = 0; row < numHits; ++row) {
    QTest::keyClick(&field, Qt::Key_Return);
    INFO(list.currentItem()->text().toStdString());
    CHECK(isMarked(QStringLiteral("reuse")));
    CHECK(view->page().viewport()->rect().intersects(view->page().cursorRect()));
  }

  // Words that belong together are found less often, and what is nowhere is said to be.
  QTest::keyClick(&field, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(&field, QStringLiteral("\"every element held\""));
  CHECK(list.count() <= numHits);
  QTest::keyClick(&field, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(&field, QStringLiteral("xylophone"));
  CHECK(view->search().hits().empty());
  CHECK(list.item(0)->text().contains(u"xylophone"));
  CHECK(view->page().extraSelections().isEmpty());
  QTest::keyClick(&field, Qt::Key_Escape);
  CHECK(field.text().isEmpty());
  CHECK_FALSE(list.isVisible());
  CHECK(view->isVisible());
  QTest::keyClick(&field, Qt::Key_Escape);
  CHECK_FALSE(view->isVisible());
}

TEST_CASE("a search finds parts of pages that have all words", "[gui][help]") {
  QTextDocument page;
  page.setMarkdown(QStringLiteral(
      "# Waves\n\nOne and two.\n\n| a | b |\n| --- | --- |\n| one | x |\n| y | two |\n"));
  const std::vector<views::GuidePart> parts = views::guideParts(page);
  REQUIRE(parts.size() == 5);
  CHECK(parts[0].text == u"Waves");
  CHECK(parts[3].text == u"one · x");
  CHECK(page.toPlainText().mid(parts[1].begin, parts[1].end - parts[1].begin) == u"One and two.");
  const QStringList both = views::searchedWords(QStringLiteral("two ONE"));
  CHECK(both == QStringList{QStringLiteral("two"), QStringLiteral("ONE")});
  CHECK(views::searchedWords(QStringLiteral("a \"b  c\" \"")) ==
        QStringList{QStringLiteral("a"), QStringLiteral("b c")});
  CHECK(views::placesOf(both, QStringLiteral("One, two")) ==
        std::vector<views::WordPlace>{{0, 3}, {5, 3}});
  // The cells of a row count together, those of different rows do not.
  std::vector<views::GuideHit> hits = views::searchGuide({parts}, both);
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].part == 1);
  CHECK(views::searchGuide({parts}, views::searchedWords(QStringLiteral("y two"))).size() == 1);
  // A page that has the word in its title comes first.
  QTextDocument other;
  other.setMarkdown(QStringLiteral("# Other\n\nWaves here.\n"));
  hits = views::searchGuide({views::guideParts(other), parts}, {QStringLiteral("waves")});
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].page == 1);
}

TEST_CASE("the guide is a window beside the program's, and opens where it was left",
          "[gui][help]") {
  FakeWindow test;
  test.press(Qt::Key_F1, Qt::ShiftModifier);
  QPointer<GuideView> view = test.window->findChild<GuideView *>();
  REQUIRE(view);
  REQUIRE(QTest::qWaitForWindowActive(view));
  // Like any other: neither a dialog above the window nor one that belongs to it.
  CHECK(view->windowType() == Qt::Window);
  CHECK(view->windowHandle()->transientParent() == nullptr);
  // A narrow one has a field in place of the list, and no page is wider than it.
  view->resize(470, 600);
  REQUIRE(QTest::qWaitFor([&] { return view->pageField().isVisible(); }, kPatienceMs));
  CHECK_FALSE(view->pageList().isVisible());
  view->pageField().setFocus();
  while (view->pageField().currentText() != u"Walkthrough: a softmax")
    QTest::keyClick(&view->pageField(), Qt::Key_Down);
  CHECK(view->page().source().fileName() == u"walkthrough-softmax.md");
  QScrollBar &bar = *view->page().verticalScrollBar();
  QTest::qWait(300);
  bar.setValue(bar.maximum() / 2);
  // What is laid out stays so: nothing is read again and again while the guide is open.
  int numReads = 0;
  QObject::connect(&view->page(), &QTextBrowser::sourceChanged, view, [&] { ++numReads; });
  QObject::connect(view->page().document(), &QTextDocument::contentsChanged, view,
                   [&] { ++numReads; });
  QTest::qWait(700);
  CHECK(numReads == 0);
  test.window->close();
  CHECK_FALSE(view->isVisible());
  const app::Session left = test.window->session();
  CHECK(left.guidePage.endsWith(u"walkthrough-softmax.md"));
  CHECK(left.guidePlace > 0.45);
  CHECK(left.guidePlace < 0.55);
  // The next start goes on there.
  QWidget parent;
  views::GuideView *again =
      views::showGuide(&parent, {left.guidePage, left.guidePlace, left.guideGeometry});
  CHECK(again->page().source().fileName() == u"walkthrough-softmax.md");
  CHECK(again->width() == 470);
  const QScrollBar &there = *again->page().verticalScrollBar();
  CHECK(QTest::qWaitFor(
      [&] { return std::abs(there.value() - there.maximum() / 2) * 20 < there.maximum(); },
      kPatienceMs));
}

TEST_CASE("pages of the guide are laid out to their end, and there is room for all of it",
          "[gui][help]") {
  FakeWindow test;
  test.press(Qt::Key_F1, Qt::ShiftModifier);
  QPointer<GuideView> view = test.window->findChild<GuideView *>();
  REQUIRE(view);
  REQUIRE(QTest::qWaitForWindowActive(view));
  view->resize(980, 600);
  const QScrollBar &bar = *view->page().verticalScrollBar();
  for (const views::GuidePage &page : views::guidePages()) {
    INFO(page.address.toStdString());
    REQUIRE(view->page().source() == QUrl(page.address));
    QTest::qWait(300);
    // Nothing is cut at the side.
    CHECK(view->page().horizontalScrollBar()->maximum() <= 1);
    double bottom = 0;
    const QTextDocument &document = *view->page().document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
      const QTextLayout &lines = *block.layout();
      INFO(block.text().toStdString());
      CHECK(lines.lineCount() > 0);
      // Cells of a table begin anew.
      if (QTextCursor(block).currentTable())
        continue;
      CHECK(lines.position().y() >= bottom);
      bottom = lines.position().y() + lines.boundingRect().height();
    }
    CHECK(bar.maximum() + bar.pageStep() >= bottom);
    QTest::keyClick(&view->pageList(), Qt::Key_Down);
  }
}

/// Where the pictures and links of a page lead.
static QStringList targetsOf(const QString &page) {
  QFile file(page);
  REQUIRE(file.open(QIODevice::ReadOnly));
  static const QRegularExpression kTarget(QStringLiteral(R"(\]\(([^)#\s]+))"));
  QStringList targets;
  for (const auto &match : kTarget.globalMatch(QString::fromUtf8(file.readAll())))
    targets << match.captured(1);
  return targets;
}

TEST_CASE("what the pages of the guide show and lead to comes with the program", "[gui][help]") {
  const std::vector<views::GuidePage> pages = views::guidePages();
  CHECK(pages.size() == 30);
  for (const views::GuidePage &page : pages) {
    CHECK_FALSE(page.title.isEmpty());
    for (const QString &target : targetsOf(page.address.mid(3))) {
      INFO(page.address.toStdString() << " leads to " << target.toStdString());
      const bool isElsewhere = target.contains(u':');
      CHECK((isElsewhere ||
             QFile::exists(QUrl(page.address).resolved(QUrl(target)).toString().mid(3))));
    }
  }
  // A page that is written and not offered would be a slip.
  for (const QString &name : QDir(QStringLiteral(":/help/guide")).entryList())
    CHECK(std::ranges::any_of(pages, [&](const views::GuidePage &page) {
      return page.address.endsWith(QStringLiteral("/guide/") + name);
    }));
}

TEST_CASE("the glossary explains the words that the program uses", "[gui][help]") {
  const std::vector<views::GlossaryEntry> entries = views::glossary();
  for (const char *term : {"TTIR",  "TTGIR",       "LLVM IR",      "PTX",        "SASS",
                           "Warp",  "Lane",        "CTA",          "Register",   "Spill",
                           "Stage", "Interpreter", "Layout",       "Contiguous", "Bank conflict",
                           "Mask",  "Constexpr",   "Launch block", "Baseline",   "Pin",
                           "Stale", "Pointer",     "tl.dot",       "Program",    "Block"}) {
    INFO(term);
    CHECK_FALSE(views::glossaryHint(entries, QString::fromLatin1(term)).isEmpty());
  }
  // An entry without a text, or one that is there twice, would be a slip.
  for (const views::GlossaryEntry &entry : entries) {
    INFO(entry.term.toStdString());
    CHECK_FALSE(entry.text.isEmpty());
    CHECK_FALSE(entry.section.isEmpty());
    CHECK(std::ranges::count(entries, entry.term, &views::GlossaryEntry::term) == 1);
  }
}

TEST_CASE("titles of views show what the glossary says of them", "[gui][help]") {
  FakeWindow test;
  CHECK(app::viewDescription(QStringLiteral("TTIR"))
            .startsWith(QStringLiteral("TTIR: what the kernel computes")));
  CHECK(app::viewDescription(QStringLiteral("TTGIR")).startsWith(u"TTGIR: TTIR for a GPU"));
  CHECK(app::viewDescription(QStringLiteral("nothing")).isEmpty());
  const QList<app::ViewDock *> docks = test.window->findChildren<app::ViewDock *>();
  CHECK(docks.size() > 20);
  for (const app::ViewDock *dock : docks) {
    INFO(dock->windowTitle().toStdString());
    CHECK_FALSE(dock->titleBarWidget()->toolTip().isEmpty());
  }
}
