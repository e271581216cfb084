// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The values of a launch as a table: what is in which column, what folds, and where keys go.
#include "views/run/FormTable.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope::views;

namespace {
RunField fieldOf(const char *row, RunColumn column, const char *label, const char *text) {
  RunField field;
  field.path = {QStringLiteral("args"), QString::fromLatin1(row), QString::fromLatin1(label)};
  field.row = QString::fromLatin1(row);
  field.label = QString::fromLatin1(label);
  field.column = column;
  field.text = QString::fromLatin1(text);
  if (column == RunColumn::Type)
    field.choices = {QStringLiteral("fp16"), QStringLiteral("fp32")};
  return field;
}

/// A size, two arrays and a number, as a launch block has them.
std::vector<RunSection> sections() {
  RunField size;
  size.path = {QStringLiteral("sizes"), QStringLiteral("n")};
  size.label = QStringLiteral("size n");
  size.text = QStringLiteral("1000");
  RunSection arguments{QStringLiteral("Arguments"),
                       {fieldOf("x", RunColumn::Type, "x dtype", "fp32"),
                        fieldOf("x", RunColumn::Shape, "x shape", "n"),
                        fieldOf("y", RunColumn::Type, "y dtype", "fp32"),
                        fieldOf("y", RunColumn::Shape, "y shape", "n"),
                        fieldOf("y", RunColumn::Expected, "y expected", ""),
                        fieldOf("n", RunColumn::Data, "n", "n")}};
  arguments.fields[0].words = QStringLiteral("a pointer to fp32");
  arguments.fields[3].remark = QStringLiteral("guessed");
  arguments.fields[5].words = QStringLiteral("i32, a multiple of 16");
  return {{QStringLiteral("Sizes"), {size}}, arguments};
}

struct TableFixture {
  /// A window is never narrower than what is in it; what scrolls is.
  QWidget window;
  FormTable table{&window};
  explicit TableFixture(int width) {
    table.setSections(sections());
    window.resize(1200, 600);
    table.resize(width, 600);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
  }
  void resizeTo(int width) {
    table.resize(width, 600);
    QTest::qWait(20);
  }
  QLineEdit *edit(const char *name) {
    for (QLineEdit *each : table.findChildren<QLineEdit *>())
      if (each->accessibleName() == QLatin1String(name))
        return each;
    return nullptr;
  }
  QComboBox *list(const char *name) {
    for (QComboBox *each : table.findChildren<QComboBox *>())
      if (each->accessibleName() == QLatin1String(name))
        return each;
    return nullptr;
  }
  QLabel *label(const char *text) {
    for (QLabel *each : table.findChildren<QLabel *>())
      if (each->text() == QLatin1String(text) && each->isVisible())
        return each;
    return nullptr;
  }
  int x(const QWidget *widget) { return widget->mapTo(&table, QPoint()).x(); }
  int middle(const QWidget *widget) { return widget->mapTo(&table, widget->rect().center()).y(); }
};
} // namespace

TEST_CASE("the table takes the shape that its width has room for", "[gui][run]") {
  FormWidths widths;
  widths.names = 50;
  widths.inputs = {80, 100};
  widths.note = 120;
  widths.gap = 10;
  CHECK(formShape(widths, 380) == FormShape::Table);
  CHECK(formShape(widths, 379) == FormShape::NotesBelow);
  CHECK(formShape(widths, 250) == FormShape::NotesBelow);
  CHECK(formShape(widths, 249) == FormShape::Stacked);
}

TEST_CASE("an argument is a row of type, shape, data and reason below their titles", "[gui][run]") {
  TableFixture test(1000);
  REQUIRE(test.table.shape() == FormShape::Table);
  for (const auto &[title, field] :
       {std::pair<const char *, QWidget *>{"type", test.list("x dtype")},
        {"type", test.list("y dtype")},
        {"shape", test.edit("x shape")},
        {"shape", test.edit("y shape")},
        {"data", test.edit("n")},
        {"expected", test.edit("y expected")},
        {"reason", test.label("shape: guessed")},
        {"reason", test.label("a pointer to fp32")},
        {"type", test.label("i32, a multiple of 16")}}) {
    INFO(title);
    REQUIRE(test.label(title));
    REQUIRE(field);
    CHECK(std::abs(test.x(test.label(title)) - test.x(field)) <= 2);
  }
  // All of one argument is in one line.
  const int line = test.middle(test.list("y dtype"));
  for (const QWidget *part : std::initializer_list<const QWidget *>{
           test.label("y"), test.edit("y shape"), test.edit("y expected"),
           test.label("shape: guessed")})
    CHECK(std::abs(test.middle(part) - line) <= 4);
  CHECK(test.middle(test.list("x dtype")) < line);
}

TEST_CASE("names with a single value share lines, below which the arguments are", "[gui][run]") {
  TableFixture test(640);
  std::vector<RunSection> many = sections();
  for (const char *name : {"M", "N", "K", "BLOCK"}) {
    RunField value = many[0].fields[0];
    value.path.back() = QString::fromLatin1(name);
    value.label = QString::fromLatin1(name);
    value.text = QStringLiteral("512");
    many[0].fields.push_back(value);
  }
  test.table.setSections(many);
  QTest::qWait(20);
  // As high as it needs to be: rows share what is beyond that.
  test.table.resize(640, test.table.minimumSizeHint().height());
  QTest::qWait(20);
  REQUIRE(test.table.shape() != FormShape::Stacked);
  const int first = test.middle(test.edit("size n"));
  CHECK(std::abs(test.middle(test.edit("M")) - first) <= 2);
  CHECK(test.x(test.edit("M")) > test.x(test.edit("size n")));
  CHECK(std::abs(test.middle(test.label("Sizes")) - first) <= 4);
  // Below each other where they are in several lines.
  CHECK(test.middle(test.edit("BLOCK")) > first);
  CHECK(test.x(test.edit("BLOCK")) ==
        test.x(test.edit(test.x(test.edit("K")) == test.x(test.edit("size n")) ? "M" : "size n")));
  CHECK(test.middle(test.list("x dtype")) < 160);
  // What is wrong with one of them is said below, by its name.
  many[0].fields[1].problem = QStringLiteral("`z` is not defined");
  test.table.setSections(many);
  QTest::qWait(20);
  QLabel *note = test.label("M: `z` is not defined");
  REQUIRE(note);
  CHECK(test.middle(note) > test.middle(test.edit("M")));
  CHECK(test.middle(note) < test.middle(test.list("x dtype")));
  test.resizeTo(300);
  REQUIRE(test.table.shape() == FormShape::Stacked);
  CHECK(test.x(test.edit("M")) == test.x(test.edit("size n")));
}

TEST_CASE("a table without room puts reasons below, and then fields", "[gui][run]") {
  TableFixture test(1000);
  auto *shape = test.edit("y shape");
  int width = 1000;
  while (test.table.shape() == FormShape::Table && width > 100)
    test.resizeTo(width -= 20);
  REQUIRE(test.table.shape() == FormShape::NotesBelow);
  // Below all rows, whose names they have: a reason that comes or goes moves no row.
  REQUIRE(test.label("y, shape: guessed"));
  CHECK(test.middle(test.label("y, shape: guessed")) > test.middle(test.edit("n")));
  REQUIRE(test.label("x: a pointer to fp32"));
  CHECK(test.middle(test.label("x: a pointer to fp32")) > test.middle(test.edit("n")));
  CHECK(test.label("reason") == nullptr);
  const int place = test.middle(test.edit("n"));
  std::vector<RunSection> silent = sections();
  for (RunSection &section : silent)
    for (RunField &field : section.fields)
      field.remark.clear();
  test.table.setSections(silent);
  QTest::qWait(20);
  CHECK(test.label("y, shape: guessed") == nullptr);
  CHECK(test.middle(test.edit("n")) == place);
  test.table.setSections(sections());
  while (test.table.shape() == FormShape::NotesBelow && width > 100)
    test.resizeTo(width -= 20);
  REQUIRE(test.table.shape() == FormShape::Stacked);
  CHECK(test.middle(test.edit("y expected")) > test.middle(shape));
  CHECK(test.label("y expected"));
  CHECK(test.label("type") == nullptr);
  // The fields are the same ones, and nothing is cut.
  CHECK(test.edit("y shape") == shape);
  for (const QWidget *part :
       {static_cast<QWidget *>(shape), static_cast<QWidget *>(test.edit("n"))})
    CHECK(test.x(part) + part->width() <= test.table.width());
  test.resizeTo(1000);
  CHECK(test.table.shape() == FormShape::Table);
}

TEST_CASE("what is wrong in a row is said in it, with its column, in place of reasons",
          "[gui][run]") {
  TableFixture test(1000);
  std::vector<RunSection> wrong = sections();
  wrong[1].fields[4].problem = QStringLiteral("`z` is not defined");
  CHECK_FALSE(test.table.setSections(wrong));
  QLabel *note = test.label("expected: `z` is not defined");
  REQUIRE(note);
  CHECK(note->property("tone").toString() == u"error");
  CHECK(test.edit("y expected")->property("invalid").toBool());
  CHECK(test.label("shape: guessed") == nullptr);
  test.table.setSections(sections());
  CHECK(test.label("shape: guessed"));
  CHECK_FALSE(test.edit("y expected")->property("invalid").toBool());
}

TEST_CASE("Up and Down go along a column, Tab along a row", "[gui][run]") {
  TableFixture test(1000);
  test.edit("x shape")->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
  CHECK(test.edit("y shape")->hasFocus());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
  CHECK(test.edit("x shape")->hasFocus());
  // A row of one field has it, whatever the column.
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
  CHECK(test.edit("size n")->hasFocus());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
  CHECK(test.edit("size n")->hasFocus());
  test.edit("y shape")->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  CHECK(test.edit("y expected")->hasFocus());
  // What was typed is told when the keys leave the field.
  QSignalSpy edited(&test.table, &FormTable::edited);
  QTest::keyClicks(test.edit("y expected"), QStringLiteral("x * 2"));
  QTest::keyClick(test.edit("y expected"), Qt::Key_Down);
  REQUIRE(edited.count() == 1);
  CHECK(edited.front().back().toString() == u"x * 2");
  CHECK(test.edit("n")->hasFocus());
}
