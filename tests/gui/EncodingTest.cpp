// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Files in other encodings than UTF-8: what they are read as, and that no byte is lost.
#include "app/ide/files/ForeignText.h"
#include "app/ide/page/NoticeBar.h"
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"
#include "views/problems/ProblemsView.h"

#include <QPushButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("bytes that are not UTF-8 are read as what is declared, or as Windows-1252",
          "[gui][saving]") {
  const auto read = [](const char *bytes) {
    const ForeignText text = readForeign(bytes);
    return text.encoding.toStdString() + ": " + text.text;
  };
  CHECK(read("# caf\xe9 \x80\r\n") == "Windows-1252: # caf\u00e9 \u20ac\r\n");
  // No character of Windows-1252: no byte is lost all the same.
  CHECK(readForeign("# \x81\xe9\n").text == "# \u0081\u00e9\n");
  CHECK(read("# -*- coding: iso-8859-5 -*-\n# \xd0\n") ==
        "iso-8859-5: # -*- coding: utf-8 -*-\n# \u0430\n");
  CHECK(read("#!/usr/bin/python\n# coding=latin-1\n# \xe9\n") ==
        "latin-1: #!/usr/bin/python\n# coding=utf-8\n# \u00e9\n");
  CHECK(read("# coding: no-such-thing\n# \xe9\n") == "Windows-1252: # coding: utf-8\n# \u00e9\n");
}

TEST_CASE(
    "a file that is not UTF-8 is converted by a command, and its bytes stay until it is saved",
    "[gui][saving]") {
  FakeWindow test;
  const std::string bytes = "# caf\xe9\r\n" + sampleSource();
  const QString path = test.write("latin.py", bytes);
  REQUIRE(test.window->openFile(path));
  const auto &problems = test.window->problems()->model();
  REQUIRE(problems.diagnostics().size() == 1);
  CHECK(problems.diagnostics().front().message == "the source is not valid UTF-8: the byte 0xe9");
  CHECK(problems.diagnostics().front().range.begin == Position{0, 5});
  const auto choose = [&](int index) {
    QTest::keyClick(test.page().notice().findChildren<QPushButton *>().at(index), Qt::Key_Space);
    QCoreApplication::processEvents();
  };
  choose(0);
  CHECK_FALSE(test.page().isReadOnly());
  CHECK(test.page().isModified());
  CHECK(test.editor().utf8Text().starts_with("# caf\u00e9"));
  CHECK(test.page().notice().text().contains(u"read as Windows-1252"));
  CHECK(contents(path).toStdString() == bytes);
  // It is compiled like any other.
  CHECK(test.page().whyNeverCompiled().isEmpty());
  CHECK(QTest::qWaitFor([&] { return problems.diagnostics().empty(); }, 5000));
  // Back to its bytes, and again, by the command.
  choose(0);
  CHECK(test.page().isReadOnly());
  CHECK(problems.diagnostics().size() == 1);
  CHECK(contents(path).toStdString() == bytes);
  test.window->action(QStringLiteral("convertToUtf8"))->trigger();
  test.editor().goTo({0, 0});
  test.type("#");
  // What is not saved is there after a restart.
  test.window->close();
  test.open();
  REQUIRE(test.window->restoreSession());
  CHECK(test.editor().utf8Text().starts_with("## caf\u00e9"));
  CHECK(contents(path).toStdString() == bytes);
  test.save();
  CHECK(contents(path).startsWith("## caf\xc3\xa9\r\n"));
  test.window->action(QStringLiteral("convertToUtf8"))->trigger();
  CHECK(test.page().notice().text() == u"The text is UTF-8 already.");
}
