// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/CompileBackend.h"
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
    requests.push_back(request);
    requests.back().selection = launch.selection;
    const uint64_t revision = request.revision;
    QTimer::singleShot(0, this, [this, revision, launch] {
      if (!answer || revision != requests.back().revision)
        return;
      auto result = std::make_shared<compiler::CompileResult>(*answer(requests.back()));
      result->revision = revision;
      result->launch = app::launchFacts(launch);
      result->diagnostics.insert(result->diagnostics.begin(), launch.diagnostics.begin(),
                                 launch.diagnostics.end());
      result->configurations = app::offeredConfigurations(requests.back(), *result);
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
};

} // namespace tilescope::tests
