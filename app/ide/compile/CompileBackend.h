// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"
#include "views/common/Correlation.h"

#include <QObject>

#include <memory>

namespace tilescope::app {

using ResultPointer = std::shared_ptr<const compiler::CompileResult>;
using CorrelationPointer = std::shared_ptr<const views::Correlation>;
using InspectionPointer = std::shared_ptr<const compiler::InspectDoneReply>;

/// The compiler behind the IDE: the worker process, or a stand-in in tests. All calls return at
/// once; answers come as signals on the GUI thread.
class CompileBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Compiles; replaces any compile that has not finished.
  virtual void compile(const compiler::CompileRequest &request,
                       const compiler::WantedParts &wanted) = 0;
  /// Looks at the accesses of a launch, behind what was asked before; `inspected` answers with the
  /// message's `job`, whatever happens. The next compile cancels it. Backends without the means
  /// leave it unanswered.
  virtual void inspect(const compiler::InspectMessage &) {}
  /// A number for `InspectMessage::job` that nobody else uses.
  compiler::JobId newInspection() { return ++m_lastInspection; }
  /// Stops what `inspect` asked for; it is answered as cancelled.
  virtual void cancelInspections() {}

Q_SIGNALS:
  /// What is known so far of the newest compile. `done` with the last one.
  void progressed(tilescope::app::CorrelationPointer result, bool done);
  /// The worker died over the newest compile: what there is of its result, with the crash as a
  /// diagnostic.
  void crashed(tilescope::app::CorrelationPointer result);
  /// What `inspect` asked for; neither `ok` nor `cancelled` where it failed.
  void inspected(tilescope::app::InspectionPointer reply);
  /// The worker has started (again).
  void ready(const tilescope::compiler::HelloReply &hello);
  /// It cannot be started at all: what is wrong and what helps.
  void unavailable(const QString &message);

private:
  compiler::JobId m_lastInspection = 0;
};

} // namespace tilescope::app
