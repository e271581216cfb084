// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A value of the launch that turns out to be wrong is corrected where it was typed: the keyboard and
// the field stay where they are, in every workspace of a small screen.
#include "app/ide/docks/Workspace.h"
#include "tests/gui/ViewSample.h"
#include "views/run/RunView.h"

#include <QLineEdit>
#include <QScrollArea>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const std::string kDouble = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "double"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "arange" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr * 2" }
# n     = "n"
# [constexprs]
# BLOCK = 256
# ///
@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)
)py";

namespace {
struct SmallForm : ViewSample {
  SmallForm() : ViewSample(kDouble, nullptr, "double.py") { window.resize(1366, 768); }

  views::RunFormView &form() { return window.findChild<views::RunView *>()->form(); }

  QLineEdit *field(const QString &name) {
    for (QLineEdit *edit : form().findChildren<QLineEdit *>())
      if (edit->accessibleName() == name && !edit->isHidden())
        return edit;
    return nullptr;
  }
  /// To whatever has the keyboard.
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    REQUIRE(QApplication::focusWidget() != nullptr);
    QTest::keyClick(QApplication::focusWidget(), key, modifiers);
  }
  static void replaceBy(const char *text) {
    press(Qt::Key_A, Qt::ControlModifier);
    for (const char *key = text; *key != 0; ++key)
      QTest::keyClick(QApplication::focusWidget(), *key);
    press(Qt::Key_Return);
  }
  bool says(const char *words) {
    return fixture.editor().utf8Text().find(words) != std::string::npos;
  }
  bool waitForMark(const QString &name, bool isMarked) {
    const bool came = waitFor([&] {
      const QLineEdit *edit = field(name);
      return edit && edit->property("invalid").toBool() == isMarked;
    });
    // What follows from the new form, such as scrolling, is done.
    QTest::qWait(50);
    return came;
  }
  static bool isSeen(const QLineEdit &edit) {
    return edit.visibleRegion().boundingRect() == edit.rect();
  }
  /// The keyboard is in the field, and all of the field is in sight.
  void checkStays(const QString &name) {
    const QLineEdit *edit = field(name);
    REQUIRE(edit != nullptr);
    const QWidget *focus = QApplication::focusWidget();
    INFO("the keyboard is in " << (focus ? focus->metaObject()->className() +
                                               (": " + focus->accessibleName().toStdString())
                                         : "nothing"));
    CHECK(focus == edit);
    const QRect seen = edit->visibleRegion().boundingRect();
    INFO((edit->isVisible() ? "visible, " : "invisible, ")
         << "at " << edit->mapTo(&form(), QPoint()).y() << " of the form, "
         << form().mapTo(&window, QPoint()).y() << " of the window");
    INFO("seen from " << seen.top() << " to " << seen.bottom() << " of " << edit->height()
                      << " pixels, in a form of " << form().height());
    CHECK(seen == edit->rect());
  }
};
} // namespace

TEST_CASE("a wrong value and Enter leave keyboard and field where they are, in every workspace",
          "[gui][worker][form]") {
  SmallForm test;
  for (const bool isPointed : {false, true}) {
    int number = 0;
    for (const WorkspaceKind &kind : kWorkspaces) {
      INFO(kind.name << (isPointed ? ", the pointer over the form" : ""));
      test.press(static_cast<Qt::Key>(Qt::Key_1 + number++), Qt::AltModifier);
      REQUIRE(test.window.action(QStringLiteral("workspace.") + QString::fromLatin1(kind.name))
                  ->isChecked());
      test.window.action(QStringLiteral("view.run"))->trigger();
      QTest::qWait(50);
      for (const QString &name : {QStringLiteral("n"), QStringLiteral("BLOCK")}) {
        INFO("the field " << name.toStdString());
        QLineEdit *edit = test.field(name);
        REQUIRE(edit != nullptr);
        // As a user sees it who goes there.
        (void)QTest::qWaitFor([&] { return edit->isVisible(); });
        edit->setFocus(Qt::TabFocusReason);
        // Also while the dock is still being laid out.
        (void)QTest::qWaitFor([&] { return test.isSeen(*edit); }, 1000);
        test.checkStays(name);
        QCursor::setPos(isPointed ? test.form().mapToGlobal(test.form().rect().center())
                                  : QPoint(1300, 4));
        const std::string key = "# " + name.toStdString() + " = ";
        test.replaceBy("abc");
        REQUIRE(test.waitForMark(name, true));
        CHECK(test.says((key + "\"abc\"\n").c_str()));
        test.checkStays(name);
        test.replaceBy("512");
        REQUIRE(test.waitForMark(name, false));
        CHECK(test.says((key + "512\n").c_str()));
        test.checkStays(name);
        test.replaceBy("1024");
        REQUIRE(test.waitFor([&] { return test.says((key + "1024\n").c_str()); }));
        test.checkStays(name);
      }
    }
  }
}
