// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Whether everything can be read, also without color.
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/common/ElidedLabel.h"
#include "views/common/Theme.h"

#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSpinBox>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;

/// The contrast that the standard requires of text.
static constexpr double kReadable = 4.5;

TEST_CASE("contrast is that of the standard", "[gui][common]") {
  CHECK(contrastRatio(Qt::white, Qt::black) == Approx(21));
  CHECK(contrastRatio(Qt::gray, Qt::gray) == Approx(1));
}

static void checkAll(const Theme &theme, std::initializer_list<ColorRole> texts,
                     std::initializer_list<ColorRole> grounds) {
  for (ColorRole text : texts)
    for (ColorRole ground : grounds) {
      INFO(theme.name.toStdString()
           << ": " << colorKey(text).toStdString() << " on " << colorKey(ground).toStdString());
      CHECK(contrastRatio(theme[text], theme[ground]) >= kReadable);
    }
}

TEST_CASE("every text of both themes can be read on every ground", "[gui][common]") {
  using enum ColorRole;
  const auto code = {Text,     TextMuted, TextFaint, Keyword, Function, Language, Constexpr,
                     Argument, Local,     String,    Number,  Comment,  Operator, Decorator,
                     Type,     Value,     Attribute, Label,   Register};
  for (const char *name : {"dark", "light"}) {
    const Theme theme = loadTheme(QString::fromLatin1(name));
    for (const QColor &color : theme.colors)
      REQUIRE(color.isValid());
    checkAll(theme, code,
             {Base, CurrentLine, FocusStrong, FocusWeak, Added, AddedWord, Removed, RemovedWord,
              Filler, Hover});
    checkAll(theme, {Text, TextMuted, TextFaint, Accent, Error, Warning, Info, Success},
             {Window, Panel, Base, Raised, Hover, CurrentLine});
    checkAll(theme, {Text}, {Selection});
    checkAll(theme, {OnAccent}, {AccentFill});
    for (int i = 0; i < 12; ++i)
      for (ColorRole text : code) {
        INFO(name << ": " << colorKey(text).toStdString() << " on tint " << i);
        CHECK(contrastRatio(theme[text], theme.tint(i)) >= kReadable);
      }
    CHECK_FALSE(theme.styleSheet().contains(u'@'));
    CHECK_FALSE(theme.styleSheet().contains(QStringLiteral("Size%")));
  }
}

TEST_CASE("members of a family differ in grey", "[gui][common]") {
  for (const char *name : {"dark", "light"}) {
    const Theme theme = loadTheme(QString::fromLatin1(name));
    for (int count : {2, 4, 8})
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
          INFO(name << ": " << j << " and " << i << " of " << count);
          CHECK(std::abs(qGray(theme.categorical(i, count).rgb()) -
                         qGray(theme.categorical(j, count).rgb())) >= 64 / count);
        }
  }
}

/// The best contrast that any pixel of a picture has with its ground: that of its strokes.
static double strokeContrast(const QImage &image, const QRect &rect, const QColor &ground) {
  double best = 1;
  for (int y = rect.top(); y <= rect.bottom(); ++y)
    for (int x = rect.left(); x <= rect.right(); ++x)
      best = std::max(best, contrastRatio(image.pixelColor(x, y), ground));
  return best;
}

TEST_CASE("outdated and selected code can be read", "[gui][common]") {
  for (const char *name : {"dark", "light"}) {
    INFO(name);
    applyTheme(loadTheme(QString::fromLatin1(name)));
    CodeView view;
    view.resize(500, 60);
    view.show();
    view.setText("// HHHHHHHHHHHHHH\n", TextLanguage::Ptx);
    const QRect text(60, 2, 200, 12);
    view.setStale(true);
    CHECK(strokeContrast(view.grab().toImage(), text, theme()[ColorRole::Base]) >= kReadable);
    view.setStale(false);
    view.selectAll();
    CHECK(strokeContrast(view.grab().toImage(), text, theme()[ColorRole::Selection]) >= kReadable);
  }
  applyTheme(loadTheme(QStringLiteral("dark")));
}

/// The share of a widget's pixels that are nearer to the other theme's ground than to this one's.
static double foreignShare(QWidget &widget) {
  widget.resize(widget.sizeHint().expandedTo({160, 40}));
  const QImage image = widget.grab().toImage();
  const bool dark = theme().dark;
  int foreign = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      foreign += (qGray(image.pixel(x, y)) > 127) == dark;
  return static_cast<double>(foreign) / (image.width() * image.height());
}

TEST_CASE("fields and dialogs are of the theme", "[gui][common]") {
  for (const char *name : {"dark", "light"}) {
    INFO(name);
    applyTheme(loadTheme(QString::fromLatin1(name)));
    for (const char *icon : {"up", "down", "left", "right", "open", "warning", "error", "info"})
      CHECK(QFile::exists(QStringLiteral(":/icons/%1-%2.svg")
                              .arg(QString::fromLatin1(icon), QString::fromLatin1(name))));
    QSpinBox number;
    number.setValue(7);
    QComboBox choice;
    choice.addItem(QStringLiteral("interpreter"));
    QMessageBox message(QMessageBox::Warning, QStringLiteral("Not saved"),
                        QStringLiteral("The disk is full."),
                        QMessageBox::Save | QMessageBox::Cancel);
    QFileDialog files;
    files.setOption(QFileDialog::DontUseNativeDialog);
    for (QWidget *widget : {static_cast<QWidget *>(&number), static_cast<QWidget *>(&choice),
                            static_cast<QWidget *>(&message), static_cast<QWidget *>(&files)}) {
      INFO(widget->metaObject()->className());
      CHECK(foreignShare(*widget) < 0.2);
    }
    // Buttons say what they do in words, not in pictures of another decade.
    for (const QAbstractButton *button : message.buttons())
      CHECK(button->icon().isNull());
    CHECK(number.font().pointSizeF() == Approx(uiFont().pointSizeF()));
  }
  applyTheme(loadTheme(QStringLiteral("dark")));
}

TEST_CASE("facts are shown whole or not at all", "[gui][common]") {
  ElidedLabel label;
  label.setText(QStringLiteral("3.3 ms  ·  35 lines  ·  99 % mapped"));
  const auto width = [&](const char *text) {
    return label.fontMetrics().horizontalAdvance(QString::fromUtf8(text));
  };
  CHECK(label.shownText(1000) == label.text());
  CHECK(label.shownText(width("3.3 ms  ·  35 lines  ·  99")) ==
        QStringLiteral("3.3 ms  ·  35 lines"));
  CHECK(label.shownText(width("3.3 ms")) == QStringLiteral("3.3 ms"));
  CHECK(label.shownText(width("3.3")).isEmpty());
  CHECK(label.toolTip() == label.text());
  // A long text is cut where the room ends.
  label.setText(
      QStringLiteral("%x = tt.load  ·  #ttg.blocked<{sizePerThread = [4], order = [0]}>"));
  const QString cut = label.shownText(width("%x = tt.load  ·  #ttg.blocked<{sizePerThr"));
  CHECK(cut.startsWith(QStringLiteral("%x = tt.load  ·  #ttg.blocked<{size")));
  CHECK(cut.endsWith(u'…'));
  CHECK(label.shownText(width("%x = tt.load  ·  #ttg.")) == QStringLiteral("%x = tt.load"));
  // A fact of some words says too little without its end, also the first of several.
  label.setText(QStringLiteral("62 registers  ·  100 % of multiply-adds on tensor cores"));
  CHECK(label.shownText(width("62 registers  ·  100 % of multiply-adds on ten")) ==
        QStringLiteral("62 registers"));
  label.setText(QStringLiteral("1 product on tensor cores  ·  1 layout conversion"));
  CHECK(label.shownText(width("1 product on tens")).isEmpty());
  label.setText(QStringLiteral("not compiled yet"));
  CHECK(label.shownText(width("not comp")).endsWith(QStringLiteral("…")));
  label.setText(QStringLiteral("Program 0 of 0–3 reads 2.0 KiB, writes 1 KiB"));
  CHECK(label.shownText(width("Program 0 of 0–3 rea")).endsWith(QStringLiteral("…")));
  CHECK(label.shownText(width("Progra")).isEmpty());
}

TEST_CASE("the tone of a label follows the theme", "[gui][common]") {
  QLabel label(QStringLiteral("the run failed"));
  applyTheme(loadTheme(QStringLiteral("dark")));
  setStyleProperty(&label, "tone", QStringLiteral("error"));
  label.ensurePolished();
  for (const char *name : {"light", "dark"}) {
    applyTheme(loadTheme(QString::fromLatin1(name)));
    CHECK(label.palette().color(QPalette::WindowText) == theme()[ColorRole::Error]);
  }
}
