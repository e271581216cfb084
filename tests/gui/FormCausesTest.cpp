// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which fields of a launch are marked when an expression is wrong, and how it is said.
#include "tests/gui/ViewSample.h"
#include "views/run/RunView.h"

#include <QLabel>
#include <QLineEdit>

using namespace tilescope;
using namespace tilescope::tests;

static const std::string kHalf = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "half"
# grid = ["n / BLOCK"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "arange" }
# n     = "n"
# [constexprs]
# BLOCK = 256
# ///
@triton.jit
def half(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.load(x_ptr + i, mask=i < n) / 2, mask=i < n)
)py";

TEST_CASE("a grid that is not an integer is wrong itself, and not the size that it divides",
          "[gui][worker][form]") {
  ViewSample test(kHalf, nullptr, "half.py");
  const auto field = [&](const char16_t *name) -> const QLineEdit * {
    const auto &form = test.window.findChild<views::RunView *>()->form();
    for (const QLineEdit *edit : form.findChildren<QLineEdit *>())
      if (edit->accessibleName() == QStringView(name) && !edit->isHidden())
        return edit;
    return nullptr;
  };
  const auto isMarked = [&](const char16_t *name) {
    const QLineEdit *edit = field(name);
    return edit && edit->property("invalid").toBool();
  };
  REQUIRE(test.waitFor([&] { return isMarked(u"programs"); }));
  CHECK_FALSE(isMarked(u"n"));
  CHECK_FALSE(isMarked(u"BLOCK"));
  CHECK(field(u"n")->accessibleDescription().isEmpty());
}

TEST_CASE("of an argument whose name is misspelled the name is marked, and none of its values",
          "[gui][worker][form]") {
  std::string text = kHalf;
  text.replace(text.find("n / BLOCK"), 9, "cdiv(n, BLOCK)");
  text.replace(text.find("x_ptr = {"), 5, "x_prt");
  ViewSample test(text, nullptr, "half.py");
  const auto &form = test.window.findChild<views::RunView *>()->form();
  const auto name = [&]() -> const QLabel * {
    for (const QLabel *label : form.findChildren<QLabel *>())
      if (label->text().startsWith(u"x_prt") && !label->toolTip().isEmpty() && !label->isHidden())
        return label;
    return nullptr;
  };
  REQUIRE(test.waitFor([&] { return name() && name()->property("tone").toString() == u"error"; }));
  CHECK(name()->toolTip() == u"the kernel has no parameter `x_prt`: it is called `x_ptr`");
  for (const QLineEdit *edit : form.findChildren<QLineEdit *>())
    CHECK_FALSE(edit->property("invalid").toBool());
  int numSaid = 0;
  for (const QLabel *label : form.findChildren<QLabel *>())
    numSaid += !label->isHidden() && label->text().contains(u"it is called `x_ptr`");
  CHECK(numSaid == 1);
}

TEST_CASE("what is wrong with a field is said once, and the fields stay where they are",
          "[gui][worker][form]") {
  std::string text = kHalf;
  text.replace(text.find("n / BLOCK"), 9, "cdiv(n, BLOCK)");
  ViewSample test(text, nullptr, "half.py");
  const auto &form = test.window.findChild<views::RunView *>()->form();
  const auto field = [&]() -> QLineEdit * {
    for (QLineEdit *edit : form.findChildren<QLineEdit *>())
      if (edit->accessibleName() == u"n" && !edit->isHidden())
        return edit;
    return nullptr;
  };
  REQUIRE(test.waitFor([&] { return field() && test.window.compileController()->isCurrent(); }));
  QTest::keyClick(test.window.editor(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  const QPoint before = field()->mapTo(&form, QPoint());
  field()->setFocus();
  QTest::keyClick(field(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(field(), QStringLiteral("abc"));
  QTest::keyClick(field(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return field()->property("invalid").toBool(); }));
  CHECK(field()->mapTo(&form, QPoint()) == before);
  int numSaid = 0;
  for (const QLabel *label : form.findChildren<QLabel *>())
    numSaid += !label->isHidden() && label->text().contains(u"`abc` is not defined");
  CHECK(numSaid == 1);
}
