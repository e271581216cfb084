// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What stays in sight where an editor takes another text, or has another size.
#include "tests/gui/EditorFixture.h"
#include "views/common/Theme.h"

using namespace tilescope;
using namespace tilescope::tests;

TEST_CASE("a text that grows above the cursor leaves its line where it is", "[gui][editor]") {
  QString text;
  for (int i = 0; i < 80; ++i)
    text += QStringLiteral("line%1 = 0\n").arg(i);
  const QString last = QStringLiteral("a = '") + QString(400, u'x') + QStringLiteral("'");
  EditorFixture fixture(text + last);
  fixture.putAtEnd();
  const auto ask = [&](unsigned message) { return fixture.editor.SendScintilla(message); };
  REQUIRE(ask(QsciScintilla::SCI_GETXOFFSET) > 0);
  const long top = ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE);
  const auto grown = [&](const QString &line) {
    return QString(text + last).replace(line, line + QString(200, u'\n'));
  };
  // Below the first line in sight, and above the cursor's.
  fixture.editor.replaceText(grown(QStringLiteral("line%1 = 0\n").arg(top + 2)));
  CHECK(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == top + 200);
  CHECK(ask(QsciScintilla::SCI_GETXOFFSET) > 0);
  // Where the cursor is out of sight, what is seen stays, and is read from its left edge.
  fixture.editor.replaceText(text + last);
  REQUIRE(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == top);
  fixture.editor.SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, 10UL);
  fixture.editor.replaceText(grown(QStringLiteral("line5 = 0\n")));
  CHECK(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == 210);
  CHECK(ask(QsciScintilla::SCI_GETXOFFSET) == 0);
}

TEST_CASE("room that comes back after larger text is filled with the lines above",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a\nb\nc\nd\ne\nf\ng\nh"));
  fixture.putAtEnd();
  const auto ask = [&](unsigned message) { return fixture.editor.SendScintilla(message, 0UL); };
  const int line = static_cast<int>(ask(QsciScintilla::SCI_TEXTHEIGHT));
  fixture.editor.resize(900, 3 * line + 4);
  REQUIRE(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == 5);
  const auto zoomTo = [&](int zoom) {
    views::setFontZoom(zoom);
    QEvent event(QEvent::FontChange);
    QApplication::sendEvent(&fixture.editor, &event);
  };
  zoomTo(8);
  REQUIRE(ask(QsciScintilla::SCI_TEXTHEIGHT) > line);
  CHECK(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) >= 5);
  fixture.editor.resize(900, 600);
  CHECK(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == 0);
  // Where the user has scrolled beyond the end, the text stays.
  fixture.editor.SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, 6UL);
  zoomTo(0);
  CHECK(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) > 0);
}
