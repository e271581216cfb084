// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Compiles beside that of the document: which goes first.
#include "app/ide/compile/SideCompiles.h"

#include "tests/gui/Patience.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"

#include <QTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

/// A document whose compile does not end before `backend` has an answer.
struct BusyDocument {
  FakeBackend backend;
  CompileController compile{&backend};
  SideCompiles side{&backend, &compile, nullptr};
  QObject file;
  bool isTaken = false;

  BusyDocument() {
    compile.setText(&file, {QStringLiteral("add.py"), sampleSource(), {0, 0}});
    REQUIRE(backend.requests.size() == 1);
    QCoreApplication::processEvents();
    REQUIRE(compile.isRunning());
  }

  compiler::CompileRequest request() const {
    compiler::CompileRequest request = compile.document()->request();
    request.collectFacts = false;
    return request;
  }

  SideCompiles::Take take() {
    return [this](const CorrelationPointer &) { isTaken = true; };
  }

  void answer() {
    backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  }
};

} // namespace

TEST_CASE("what cannot wait cuts the document's compile short, which is begun anew behind it",
          "[gui][side]") {
  BusyDocument test;
  test.side.askNow("key", test.request(), {}, test.take());
  REQUIRE(test.backend.checks.size() == 1);
  test.answer();
  REQUIRE(QTest::qWaitFor([&] { return test.isTaken; }, kPatienceMs));
  CHECK(test.backend.requests.size() == 2);
  REQUIRE(QTest::qWaitFor([&] { return !test.compile.isRunning(); }, kPatienceMs));
  CHECK(test.compile.isCurrent());
}

TEST_CASE("a document's compile that was cut short is begun anew when nobody waits any longer",
          "[gui][side]") {
  BusyDocument test;
  test.side.askNow("key", test.request(), {}, test.take());
  test.side.drop("key");
  CHECK(test.backend.requests.size() == 2);
  test.answer();
  REQUIRE(QTest::qWaitFor([&] { return !test.compile.isRunning(); }, kPatienceMs));
  CHECK(test.compile.isCurrent());
  CHECK_FALSE(test.isTaken);
}

TEST_CASE("other compiles wait for that of the document", "[gui][side]") {
  BusyDocument test;
  test.side.ask("key", test.request(), {}, true, test.take());
  QCoreApplication::processEvents();
  CHECK(test.backend.checks.empty());
}
