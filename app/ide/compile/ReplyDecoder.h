// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileBackend.h"
#include "compiler/service/MessageCodec.h"
#include "compiler/service/ResultAssembler.h"

#include <QByteArray>
#include <QObject>

#include <map>
#include <optional>

namespace tilescope::app {

/// Turns the worker's bytes into results. Lives on its own thread, so that decoding a result
/// of megabytes never delays the GUI; everything it hands out is immutable.
class ReplyDecoder : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Forgets the stream: a new worker process begins one.
  void reset(quint64 generation);
  /// A compile was sent; its replies lack the document, which is put back from here.
  void expect(compiler::JobId job, const compiler::CompileRequest &request);
  void feed(quint64 generation, const QByteArray &bytes);

Q_SIGNALS:
  void greeted(const tilescope::compiler::HelloReply &hello);
  void progressed(quint64 job, tilescope::app::CorrelationPointer result, bool done,
                  bool cancelled);
  /// With the worker's number of the job.
  void inspected(tilescope::app::InspectionPointer reply);
  void crashReported(const tilescope::compiler::CrashedReply &crash);
  void stageStarted(quint64 job, tilescope::compiler::StageId stage);
  /// The stream is out of step: this worker cannot be talked to any longer.
  void broken(quint64 generation);

private:
  void handle(compiler::WorkerReply reply);
  void assemble(compiler::JobId job, const compiler::WorkerReply &reply);

  quint64 m_generation = 0;
  compiler::FrameReader m_reader;
  std::map<compiler::JobId, compiler::CompileRequest> m_requests;
  std::optional<compiler::ResultAssembler> m_assembler;
};

} // namespace tilescope::app
