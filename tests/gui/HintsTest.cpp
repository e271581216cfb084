// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Hints over the real compiler: listed among Problems, marked beside the text, read and applied by
// keys, outdated by an edit.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/profile/ProfileController.h"
#include "tests/gui/ViewSample.h"
#include "views/access/AccessView.h"
#include "views/common/CodeView.h"
#include "views/common/FactsLabel.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/FixPopup.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/problems/ProblemsView.h"
#include "views/profile/ProfileView.h"

#include <QListWidget>
#include <QStatusBar>
#include <QTreeView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::Hint;
using compiler::HintKind;

/// Rows as wide as the block: the masks leave nothing out.
static const std::string kCopy = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "copy"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 256], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4, 256] }
# [constexprs]
# WIDTH = "256"
# BLOCK = "256"
# ///


@triton.jit
def copy(x_ptr, o_ptr, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * WIDTH + i, mask=i < WIDTH, other=0.0)
    tl.store(o_ptr + row * WIDTH + i, x, mask=i < WIDTH)
)";

namespace {
struct Hinted : ViewSample {
  explicit Hinted(const std::string &text = kCopy) : ViewSample(text, nullptr, "copy.py") {}
  views::KernelEditor &editor() { return fixture.editor(); }
  const std::vector<Hint> &hints() { return window.problems()->model().hints(); }
  bool isMarked(const std::string &part) {
    const auto line = rangeOf(editor().utf8Text(), part).begin.line;
    return (editor().markersAtLine(static_cast<int>(line)) >> views::kHintFixMarker & 1) != 0;
  }
  /// The middle of the margin of symbols, on the line of a part of the text.
  QPoint bulbOf(const std::string &part) {
    return inMargin(part, editor().marginWidth(views::kNumberMargin) +
                              editor().marginWidth(views::kBreakpointMargin) +
                              editor().marginWidth(views::kSymbolMargin) / 2);
  }
  QPoint breakpointOf(const std::string &part) {
    return inMargin(part, editor().marginWidth(views::kNumberMargin) +
                              editor().marginWidth(views::kBreakpointMargin) / 2);
  }
  QPoint inMargin(const std::string &part, int x) {
    const auto line = rangeOf(editor().utf8Text(), part).begin.line;
    const auto send = [&](unsigned message, unsigned long w = 0, long l = 0) {
      return static_cast<int>(editor().SendScintilla(message, w, l));
    };
    const int start = send(QsciScintillaBase::SCI_POSITIONFROMLINE, line);
    const int y = send(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, start) +
                  send(QsciScintillaBase::SCI_TEXTHEIGHT, line) / 2;
    return {x, y};
  }
  views::FixPopup *popup() {
    return qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
  }
};
} // namespace

TEST_CASE("a hint is listed and marked, read by Ctrl+K, and its tried fix applied by Ctrl+.",
          "[gui][worker][hints]") {
  Hinted test;
  REQUIRE(test.waitFor([&] { return test.hints().size() == 2; }));
  CHECK(test.hints()[0].kind == HintKind::MaskAlwaysTrue);
  REQUIRE(test.hints()[0].fixes.size() == 1);
  CHECK(test.hints()[0].fixes[0].outcome.ends_with("equal results"));
  CHECK(test.isMarked("tl.load"));
  CHECK(test.isMarked("tl.store"));
  CHECK_FALSE(test.isMarked("tl.arange"));
  const views::ProblemsModel &model = test.window.problems()->model();
  REQUIRE(model.rowCount() == 2);
  CHECK(model.index(0, 0).data(views::ProblemsModel::SeverityRole).toInt() ==
        views::ProblemsModel::kHintSeverity);
  CHECK(model.index(0, 0)
            .data(views::ProblemsModel::PlaceRole)
            .toString()
            .endsWith(u" · copy.py:20"));
  // It is no fault: neither counted nor underlined.
  CHECK(model.count(compiler::Severity::Note) == 0);
  CHECK(test.editor().visibleDiagnostics().empty());

  test.goTo("tl.load");
  QTest::keyClick(&test.editor(), Qt::Key_K, Qt::ControlModifier);
  REQUIRE(test.editor().hoverCard().isVisible());
  CHECK(test.editor().hoverCard().text().contains(u"the mask is true for every element"));
  CHECK(test.editor().hoverCard().text().contains(u"Ctrl+. shows a fix"));

  QTest::keyClick(&test.editor(), Qt::Key_Period, Qt::ControlModifier);
  views::FixPopup *popup = test.popup();
  REQUIRE(popup);
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(test.editor().utf8Text().find("x = tl.load(x_ptr + row * WIDTH + i)\n") !=
        std::string::npos);
  // What was mended is gone at once, and the next answer leaves only the store's hint.
  CHECK(test.waitFor([&] {
    return test.hints().size() == 1 && test.hints()[0].fixes.size() == 1 &&
           !test.isMarked("tl.load") && test.isMarked("tl.store");
  }));
}

TEST_CASE("one key applies the tried fix of a line and says what it did", "[gui][worker][hints]") {
  Hinted test;
  REQUIRE(test.waitFor([&] { return test.hints().size() == 2; }));
  const std::string before = test.editor().utf8Text();
  const auto press = [&] {
    QTest::keyClick(&test.editor(), Qt::Key_Period, Qt::ControlModifier | Qt::ShiftModifier);
  };
  test.goTo("tl.load");
  press();
  CHECK(test.popup() == nullptr);
  CHECK(test.editor().utf8Text().find("x = tl.load(x_ptr + row * WIDTH + i)\n") !=
        std::string::npos);
  const std::string said = test.window.statusBar()->currentMessage().toStdString();
  CHECK_THAT(said, Catch::StartsWith("Applied: leave out ‘mask’, ‘other’ ("));
  CHECK_THAT(said, Catch::Contains("equal results"));
  CHECK_THAT(said, Catch::EndsWith("Ctrl+Z takes it back"));
  QTest::keyClick(&test.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.editor().utf8Text() == before);
  // Where there is nothing to apply, it says why.
  test.goTo("tl.arange");
  press();
  CHECK(test.editor().utf8Text() == before);
  REQUIRE(test.editor().hoverCard().isVisible());
  CHECK(test.editor().hoverCard().text().contains(u"No fix is available here"));
}

TEST_CASE("before a run, status bar and Profile view say what a launch should take",
          "[gui][worker][hints]") {
  Hinted test;
  const auto &facts = *test.window.statusBar()->findChild<views::FactsLabel *>();
  const views::ProfileView &profile = *test.window.profiles()->view();
  const auto isTold = [&] {
    return facts.text().contains(u"predicted ") &&
           profile.emptyText().contains(u"`copy` has not been profiled yet. Static estimate: ");
  };
  REQUIRE(test.waitFor(isTold));
  // Four programs are over before anything is busy.
  CHECK(facts.toolTip().contains(u" µs on the H100 SXM, limited by "));
  CHECK(profile.emptyText().contains(u" µs on the H100 SXM, limited by "));
  // It is not said of another text, and comes back for that one.
  test.goTo("row =");
  QTest::keyClick(&test.editor(), Qt::Key_End);
  QTest::keyClicks(&test.editor(), QStringLiteral("  # a row"));
  CHECK(test.waitFor([&] { return !profile.emptyText().contains(u"Static estimate"); }));
  CHECK(test.waitFor(isTold));
}

TEST_CASE("where the trial of a fix fails, Ctrl+. says why", "[gui][worker][hints]") {
  // The array has two of the four rows.
  std::string text = kCopy;
  text.replace(text.find("[4, 256], init"), 8, "[2, 256]");
  Hinted test(text);
  REQUIRE(test.waitFor([&] { return !test.hints().empty(); }));
  CHECK(test.hints()[0].fixes.empty());
  test.goTo("tl.load");
  QTest::keyClick(&test.editor(), Qt::Key_Period, Qt::ControlModifier);
  CHECK(test.popup() == nullptr);
  REQUIRE(test.editor().hoverCard().isVisible());
  CHECK(test.editor().hoverCard().text().contains(u"the kernel was run as it is, and failed"));
  CHECK(test.editor().hoverCard().text().contains(u"past its last element"));
  // In the list it stands under the hint, whose rank and kind are there, too.
  const views::ProblemsModel &model = test.window.problems()->model();
  const QModelIndex hint = model.index(0, 0);
  CHECK(hint.data(views::ProblemsModel::PlaceRole).toString() ==
        u"mask-always-true, rank 3 · copy.py:20");
  CHECK(model.index(model.rowCount(hint) - 1, 0, hint)
            .data()
            .toString()
            .startsWith(u"No fix is offered: "));
}

TEST_CASE("a click on an outlined bulb shows the hint, and a breakpoint leaves the bulb in sight",
          "[gui][worker][hints]") {
  Hinted test;
  REQUIRE(test.waitFor([&] { return test.hints().size() == 2; }));
  // As it is where no fix is known.
  std::vector<Hint> hints = test.hints();
  for (Hint &hint : hints)
    hint.fixes.clear();
  test.editor().setPerformanceHints(hints);
  REQUIRE_FALSE(test.isMarked("tl.store"));
  const QPoint bulb = test.bulbOf("tl.store");
  const auto bulbPicture = [&] {
    const int size = test.editor().marginWidth(views::kSymbolMargin) - 2;
    QRect area(0, 0, size, size);
    area.moveCenter(bulb);
    return test.editor().viewport()->grab(area).toImage();
  };
  const QImage before = bulbPicture();
  QTest::mouseClick(test.editor().viewport(), Qt::LeftButton, {}, test.breakpointOf("tl.store"));
  CHECK(test.editor().breakpoints().size() == 1);
  CHECK(bulbPicture() == before);
  for (int i = 0; i < 2; ++i) {
    QTest::mouseClick(test.editor().viewport(), Qt::LeftButton, {}, bulb);
    CHECK(test.editor().breakpoints().size() == 1);
    REQUIRE(test.editor().hoverCard().isVisible());
    CHECK(test.editor().hoverCard().text().contains(u"the mask is true for every element"));
    QTest::keyClick(&test.editor(), Qt::Key_Escape);
  }
  QTest::mouseClick(test.editor().viewport(), Qt::LeftButton, {}, test.breakpointOf("tl.store"));
  CHECK(test.editor().breakpoints().empty());
}

TEST_CASE("a click on a bulb lists the fixes with what they change", "[gui][worker][hints]") {
  Hinted test;
  REQUIRE(test.waitFor([&] { return test.hints().size() == 2; }));
  const std::string before = test.editor().utf8Text();
  QTest::mouseClick(test.editor().viewport(), Qt::LeftButton, {}, test.bulbOf("tl.store"));
  views::FixPopup *popup = test.popup();
  REQUIRE(popup);
  // No breakpoint is put behind it.
  CHECK(test.editor().breakpoints().empty());
  REQUIRE(popup->fixes().size() == 1);
  CHECK(popup->fixes()[0].edit.title == "leave out `mask`");
  CHECK(popup->facts().contains(u"equal results"));
  const std::string &preview = popup->preview().document().text();
  CHECK(preview.find("    tl.store(o_ptr + row * WIDTH + i, x, mask=i < WIDTH)\n") !=
        std::string::npos);
  CHECK(preview.find("    tl.store(o_ptr + row * WIDTH + i, x)\n") != std::string::npos);
  CHECK(popup->preview().showsDiff());

  QTest::keyClick(popup->focusWidget(), Qt::Key_Escape);
  CHECK(test.popup() == nullptr);
  CHECK(test.editor().utf8Text() == before);

  QTest::mouseClick(test.editor().viewport(), Qt::LeftButton, {}, test.bulbOf("tl.store"));
  popup = test.popup();
  REQUIRE(popup);
  auto *list = popup->findChild<QListWidget *>();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                    list->visualItemRect(list->item(0)).center());
  CHECK(test.popup() == nullptr);
  CHECK(test.editor().utf8Text().find("    tl.store(o_ptr + row * WIDTH + i, x)\n") !=
        std::string::npos);
  // One step that can be undone.
  QTest::keyClick(&test.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.editor().utf8Text() == before);
}

TEST_CASE("hints move with their lines and are outdated until there are newer ones",
          "[gui][worker][hints]") {
  Hinted test;
  REQUIRE(test.waitFor([&] { return test.hints().size() == 2; }));
  // The text no longer compiles: nothing newer comes.
  test.goTo("    row =");
  QTest::keyClick(&test.editor(), Qt::Key_Return);
  test.fixture.type("    row = (");
  REQUIRE(test.waitFor([&] {
    return test.hints().size() == 2 && test.hints()[0].message.starts_with("outdated: ") &&
           test.hints()[0].range.begin.line ==
               rangeOf(test.editor().utf8Text(), "tl.load").begin.line;
  }));
  // A fix was tried on another text.
  CHECK(test.hints()[0].fixes.empty());
}

TEST_CASE("a click in the list goes to a hint's line and applies its fix", "[gui][worker][hints]") {
  Hinted test;
  REQUIRE(test.waitFor([&] { return test.hints().size() == 2; }));
  const Hint hint = test.hints()[0];
  REQUIRE(hint.fixes.size() == 1);
  auto *tree = test.window.problems()->findChild<QTreeView *>();
  QTest::keyClick(&test.editor(), Qt::Key_8, Qt::ControlModifier);
  REQUIRE(test.waitFor([&] { return tree->isVisible(); }));
  const QModelIndex row = tree->model()->index(0, 0);
  tree->scrollTo(row);
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(row).center());
  // A click selects, Enter goes there.
  QTest::keyClick(tree, Qt::Key_Return);
  CHECK(test.waitFor([&] { return test.editor().cursor() == hint.range.begin; }));
  const QModelIndex fix = tree->model()->index(tree->model()->rowCount(row) - 1, 0, row);
  tree->setExpanded(row, true);
  tree->scrollTo(fix);
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(fix).center());
  CHECK(test.editor().utf8Text().find("x = tl.load(x_ptr + row * WIDTH + i)\n") !=
        std::string::npos);
}

TEST_CASE("under a hint stands a picture from the view that it names, drawn by that view",
          "[gui][worker][hints]") {
  // Lanes read elements of different rows.
  std::string text = kCopy;
  text.replace(text.find("x_ptr + row * WIDTH + i,"), 24, "x_ptr + row + i * 4,");
  Hinted test(text);
  const auto hint = [&] {
    return std::ranges::find(test.hints(), HintKind::UncoalescedAccess, &Hint::kind);
  };
  REQUIRE(test.waitFor([&] { return hint() != test.hints().end(); }));
  QTest::keyClick(&test.editor(), Qt::Key_8, Qt::ControlModifier);
  auto *tree = test.window.problems()->findChild<QTreeView *>();
  REQUIRE(test.waitFor([&] { return tree->isVisible(); }));
  const views::ProblemsModel &model = test.window.problems()->model();
  QModelIndex offer;
  const auto isDrawn = [&] {
    const QModelIndex top = model.index(static_cast<int>(hint() - test.hints().begin()), 0);
    for (int row = 0; row < model.rowCount(top); ++row)
      if (const QModelIndex each = model.index(row, 0, top); !model.imageAt(each).isNull())
        offer = each;
    return offer.isValid();
  };
  REQUIRE(test.waitFor(isDrawn));
  const QImage picture = model.imageAt(offer);
  tree->setExpanded(offer.parent(), true);
  tree->scrollTo(offer);
  CHECK(tree->visualRect(offer).height() > picture.deviceIndependentSize().height());
  // It goes where the picture is from, and what is there looks the same.
  tree->setCurrentIndex(offer);
  QTest::keyClick(tree, Qt::Key_Return);
  auto &view = *test.window.dock(QStringLiteral("access"))->findChild<views::AccessView *>();
  REQUIRE(test.waitFor([&] { return view.isVisible() && view.hasContent(); }));
  CHECK(test.waitFor(
      [&] { return view.smallPicture(picture.deviceIndependentSize().toSize()) == picture; }));
  // Another text has other pictures.
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.goTo("tl.load");
  QTest::keyClick(&test.editor(), Qt::Key_End);
  QTest::keyClicks(&test.editor(), QStringLiteral("  # x"));
  CHECK(test.waitFor([&] { return !isDrawn() || model.imageAt(offer).isNull(); }));
}
