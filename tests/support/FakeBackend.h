// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileBackend.h"
#include "app/launch/OfferedConfigurations.h"
#include "app/launch/ResolveLaunch.h"

#include <QTimer>

#include <functional>

namespace tilescope::tests {

/// Answers every compile with a prepared result, on the next turn of the event loop. Works out the
/// launch as the worker does: `requests` hold the selections that would be compiled.
class FakeBackend : public app::CompileBackend {
public:
  using CompileBackend::CompileBackend;

  void compile(const compiler::CompileRequest &request, const compiler::WantedParts &) override {
    const app::ResolvedLaunch launch = app::resolveLaunch(request);
    // Kernels that are not shown are only checked.
    std::vector<compiler::CompileRequest> &asked = request.collectFacts ? requests : checks;
    asked.push_back(request);
    asked.back().selection = launch.selection;
    m_newest = request.revision;
    const uint64_t revision = request.revision;
    QTimer::singleShot(0, this, [this, revision, launch, compiled = asked.back()] {
      if (!answer || revision != m_newest)
        return;
      auto result = std::make_shared<compiler::CompileResult>(*answer(compiled));
      result->revision = revision;
      result->launch = app::launchFacts(launch);
      result->diagnostics.insert(result->diagnostics.begin(), launch.diagnostics.begin(),
                                 launch.diagnostics.end());
      result->configurations = app::offeredConfigurations(compiled, *result);
      if (!launch.ok()) {
        result->ok = false;
        result->stages.resize(1);
        result->layouts.clear();
      }
      Q_EMIT progressed(std::make_shared<const views::Correlation>(std::move(result)), true);
    });
  }

  std::function<std::shared_ptr<compiler::CompileResult>(const compiler::CompileRequest &)> answer;
  std::vector<compiler::CompileRequest> requests;
  /// Those that only ask what is wrong with a kernel.
  std::vector<compiler::CompileRequest> checks;

private:
  uint64_t m_newest = 0;
};

} // namespace tilescope::tests
