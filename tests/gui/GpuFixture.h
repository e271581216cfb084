// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/gui/RunWorkerFixture.h"
#include "tests/support/FakeResult.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>

namespace tilescope::tests {

/// Programs that stand in for a runner and for ssh (tests/support/fake_runner.py).
struct FakeRunner {
  QTemporaryDir folder;
  QByteArray path = qgetenv("PATH");

  explicit FakeRunner(QJsonObject scenario) {
    scenario[QStringLiteral("log")] = folder.filePath(QStringLiteral("log"));
    scenario[QStringLiteral("package")] = folder.filePath(QStringLiteral("package"));
    QFile file(folder.filePath(QStringLiteral("scenario.json")));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(scenario).toJson());
    REQUIRE(
        QFile::link(QStringLiteral(TILESCOPE_FAKE_RUNNER), folder.filePath(QStringLiteral("ssh"))));
    qputenv("FAKE_RUNNER", file.fileName().toUtf8());
    qputenv("TILESCOPE_RUNNER", TILESCOPE_FAKE_RUNNER);
    qputenv("PATH", folder.path().toUtf8() + ":" + path);
  }
  ~FakeRunner() {
    qunsetenv("FAKE_RUNNER");
    qunsetenv("TILESCOPE_RUNNER");
    qputenv("PATH", path);
  }

  QByteArray left(const char *name) const {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
};

/// A window that has found the device of a fake runner and runs there.
struct GpuFixture {
  FakeRunner runner;
  RunFixture test;
  explicit GpuFixture(const QJsonObject &scenario, const std::string &text = sampleSource())
      : runner(scenario), test(text) {
    QComboBox *places = box("Where to run");
    REQUIRE(QTest::qWaitFor([&] { return places->itemText(1) == u"Fake GPU"; }, kPatienceMs));
    places->setFocus();
    QTest::keyClick(places, Qt::Key_Down);
  }
  QComboBox *box(const char *name) {
    for (QComboBox *box : test.window.findChildren<QComboBox *>())
      if (box->accessibleName() == QString::fromLatin1(name))
        return box;
    FAIL("no such choice");
    return nullptr;
  }
};

} // namespace tilescope::tests
