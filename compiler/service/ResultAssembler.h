// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"

namespace tilescope::compiler {

/// Puts the replies of one compile job back together into one `CompileResult`.
///
/// Feed it every reply of the job, in order. `result()` may be copied at any time: it then holds
/// the stages finished so far.
class ResultAssembler {
public:
  /// `request` is the one that was sent: the worker does not send the document back.
  ResultAssembler(JobId job, const CompileRequest &request);

  /// Takes in a reply. Returns false for replies of another job and those that do not concern
  /// results.
  bool add(const WorkerReply &reply);

  JobId job() const { return m_job; }
  /// The job has ended: compiled, failed, cancelled or crashed.
  bool done() const { return m_done; }
  bool cancelled() const { return m_cancelled; }
  /// The stage that was begun last.
  StageId currentStage() const { return m_currentStage; }
  const CompileResult &result() const { return m_result; }

private:
  void addStage(const StageReadyReply &reply);
  void finish(const CompileDoneReply &reply);

  void restoreDocument();

  JobId m_job;
  SourceFile m_document;
  CompileResult m_result;
  StageId m_currentStage = StageId::Ast;
  bool m_done = false;
  bool m_cancelled = false;
};

} // namespace tilescope::compiler
