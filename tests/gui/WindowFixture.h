// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/window/MainWindow.h"
#include "tests/gui/Patience.h"
#include "views/run/RunFormView.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

namespace tilescope::tests {

/// A window with its own session over files in its own folder.
struct WindowFixture {
  QTemporaryDir folder;
  app::CompileBackend &backend;
  /// Null: the window's own.
  app::RunBackend *runs;
  std::unique_ptr<app::MainWindow> window;

  explicit WindowFixture(app::CompileBackend &backend, app::RunBackend *runs = nullptr)
      : backend(backend), runs(runs) {
    open();
  }

  QString sessionFolder() const { return folder.filePath(QStringLiteral("session")); }

  /// Opens the window, after it was closed or killed as well.
  void open() {
    window.reset();
    app::MainWindowOptions options;
    auto opened = app::SessionStore::open(sessionFolder());
    REQUIRE((opened && *opened));
    options.session = std::move(*opened);
    options.runs = runs;
    window = std::make_unique<app::MainWindow>(&backend, options);
    window->setThemeName(QStringLiteral("dark"));
    window->resize(1600, 1000);
    window->show();
    REQUIRE(QTest::qWaitForWindowActive(window.get()));
  }

  QString write(const char *name, const std::string &text) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
    return path;
  }

  /// Opens a file and waits for its compile.
  app::EditorPage *openAndWait(const QString &path, int deadlineMs = kPatienceMs) {
    QSignalSpy settled(window.get(), &app::MainWindow::settled);
    app::EditorPage *page = window->openFile(path);
    REQUIRE(page != nullptr);
    REQUIRE(settled.wait(deadlineMs));
    return page;
  }

  views::KernelEditor &editor() { return *window->editor(); }
  /// The button of the Run form: other views have one of these words, too.
  QPushButton *writeBlockButton() const {
    for (QPushButton *button :
         window->findChild<views::RunFormView *>()->findChildren<QPushButton *>())
      if (button->text() == u"Write a launch block")
        return button;
    return nullptr;
  }
  /// Also handles what follows from the keys in separate events.
  void type(const char *keys) {
    QTest::keyClicks(window->editor(), QString::fromLatin1(keys));
    QCoreApplication::processEvents();
  }
};

} // namespace tilescope::tests
