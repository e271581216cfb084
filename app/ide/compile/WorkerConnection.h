// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileBackend.h"

#include <QProcess>
#include <QThread>
#include <QTimer>

#include <optional>

namespace tilescope::app {

class ReplyDecoder;

/// The compile worker as a child process. The newest edit wins: a newer compile cancels the running
/// one, and when that does not end soon the process is killed and a fresh one takes the newest
/// request. A worker that dies is restarted; the crash becomes a diagnostic. Lives on the GUI
/// thread and never waits.
class WorkerConnection : public CompileBackend {
  Q_OBJECT
public:
  explicit WorkerConnection(QString program, QObject *parent = nullptr);
  ~WorkerConnection() override;

  void compile(const compiler::CompileRequest &request,
               const compiler::WantedParts &wanted) override;
  void inspect(const compiler::InspectMessage &message) override;
  void cancelInspections() override;

  /// What the next compile does on its way; heeded only by a worker whose environment allows it.
  void setTestHook(compiler::TestHook hook) { m_hook = std::move(hook); }
  /// How long a cancelled compile may take to end, and any compile at all, before the worker is
  /// killed.
  void setDeadlines(int cancelMs, int compileMs);
  qint64 processId() const { return m_process ? m_process->processId() : 0; }

private:
  struct Job {
    compiler::JobId id = 0;
    compiler::CompileRequest request;
    compiler::WantedParts wanted;
  };
  /// A look at accesses, until it is answered.
  struct Inspection {
    compiler::JobId id = 0;
    /// The asker's number of it.
    compiler::JobId asked = 0;
    bool isCancelled = false;
  };

  void start();
  void restart();
  void send(const compiler::WorkerRequest &request);
  void submit(Job job);
  void onFinished();
  void onDead();
  void onProgress(quint64 job, const CorrelationPointer &result, bool done, bool cancelled);
  void onInspected(const InspectionPointer &reply);
  /// The time of what is still to be answered begins; nothing was told to stop.
  void watchRest();
  /// Answers all looks at accesses: the worker will not.
  void endInspections();
  void onDeadline();
  /// Begins the time of what is to be answered, where nothing was told to stop.
  void startTime();
  /// True: the worker has waited for a processor rather than worked, and its time begins anew.
  bool extendTime();
  qint64 waitedMs() const;
  void reportCrash(compiler::CrashedReply crash);

  QString m_program;
  QProcess *m_process = nullptr;
  QThread m_thread;
  ReplyDecoder *m_decoder;
  QTimer m_deadline;
  int m_cancelMs = 1500;
  int m_compileMs = 60000;
  /// How often the time of a compile began anew, since its worker got little of the machine.
  int m_numExtensions = 0;
  QTimer m_waitSample;
  /// How long the worker had waited for a processor soon after the time began.
  qint64 m_waitedBeforeMs = 0;
  quint64 m_generation = 0;
  compiler::JobId m_nextJob = 1;
  /// The newest compile, until it is done.
  std::optional<Job> m_current;
  /// Older ones that were told to stop and have not ended.
  std::vector<compiler::JobId> m_cancelled;
  std::vector<Inspection> m_inspections;
  compiler::StageId m_stage = compiler::StageId::Ast;
  std::optional<compiler::CrashedReply> m_lastWords;
  CorrelationPointer m_latest;
  compiler::TestHook m_hook;
  int m_failedStarts = 0;
  bool m_greeted = false;
  bool m_closing = false;
};

} // namespace tilescope::app
