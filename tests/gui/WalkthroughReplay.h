// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/InspectFile.h"
#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/WalkthroughPage.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/Sanitized.h"

#include <map>
#include <string>

namespace tilescope::tests {

/// A worker that may count for longer where it is slower: a page shows what is found in time.
class PatientWorker : public app::WorkerConnection {
public:
  using WorkerConnection::WorkerConnection;
  void inspect(const compiler::InspectMessage &message) override {
    compiler::InspectMessage asked = message;
    asked.timeLimitMs *= kSlowdown;
    WorkerConnection::inspect(asked);
  }
};

/// What a walkthrough is tried with.
struct WalkthroughFiles {
  /// In `docs/guide`.
  std::string page;
  /// The kernel that it begins with, in `examples/walkthroughs`.
  std::string start;
  /// Sizes at which the interpreter runs each step.
  std::map<std::string, std::string> sizes;
};

/// Does by keys what a page of the guide tells its reader to do, and looks for what the page says
/// that the window shows. Behind each edit the text must be that of the step's file, and the
/// interpreter's outputs those of the first step.
class WalkthroughReplay {
public:
  explicit WalkthroughReplay(WalkthroughFiles files);

  /// The whole page, which ends with the text of the file `last`: nothing is left of the first
  /// rank among its hints. Skipped without an assembler, since registers are among the facts.
  void replay(const std::string &last);
  app::MainWindow &window() { return *m_fixture.window; }

private:
  using Outputs = std::map<std::string, std::string>;

  // What the reader does.
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
  void goTo(const std::string &snippet);
  void goToLine(size_t line);
  void typeOver(size_t first, Hunk hunk);
  void typeLine(const std::string &line);
  void edit(const PageBlock &block);
  void applyFix(const PageBlock &block);
  void clickHint(const compiler::Hint &hint);
  void clickElement();
  // What the page says.
  void perform(const PageBlock &block);
  void checkHints(const PageBlock &block);
  void checkView(const PageBlock &block);
  void checkHistory(const PageBlock &block);
  void compareWithVersionBefore(const PageBlock &block);
  void checkComparison(const PageBlock &block);
  void checkStep(const PageBlock &block);
  /// Every line is somewhere in the view.
  void expectShown(const PageBlock &block, const char *dock);

  std::string fileText(const std::string &name) const;
  void settle();
  app::Inspection inspect(const std::string &text);
  Outputs run(const std::string &text);

  WalkthroughFiles m_files;
  PatientWorker m_worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture m_fixture{m_worker};
  compiler::WorkerClient m_client;
  Outputs m_outputs;
  /// The newest at the last look into the history; 0: there was none.
  int64_t m_version = 0;
};

} // namespace tilescope::tests
