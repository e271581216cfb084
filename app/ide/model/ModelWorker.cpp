// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/model/ModelWorker.h"

#include "app/ide/compile/Niceness.h"
#include "app/ide/compile/StoppableWorker.h"
#include "app/ide/model/GuessedExtents.h"

namespace tilescope::app {

/// What reading a model may take to obey a stop; then its worker is ended.
static constexpr std::chrono::milliseconds kCancelPatience{500};
/// With those that compile, run and check lessons.
static constexpr unsigned kNumWorkers = 4;

ModelWorker::ModelWorker(const std::string &workerProgram, QObject *parent)
    : ModelBackend(parent), m_worker(stoppableWorker(workerProgram, kNumWorkers, kCancelPatience)),
      m_thread(kRunNiceness) {}

ModelWorker::~ModelWorker() {
  m_stop.request_stop();
  m_thread.finish();
}

Result<compiler::ModelResult> ModelWorker::readWith(const std::string &path,
                                                    const ModelExtents &extents,
                                                    const std::stop_token &stop) {
  compiler::ModelMessage message;
  message.request = {path, extents, compiler::ModelText::Kernels, compiler::ModelForm::Fused};
  Result<compiler::ModelDoneReply> reply = m_worker.readModel(std::move(message), stop);
  if (!reply)
    return reply.error();
  if (reply->cancelled || stop.stop_requested())
    return Error{ErrorCode::Cancelled, "another model is read", ""};
  for (const compiler::Diagnostic &each : reply->diagnostics) {
    reply->result.ok = false;
    reply->result.diagnostics.push_back({each.severity, "", "", each.message});
  }
  return std::move(reply->result);
}

Result<OpenedModelPointer> ModelWorker::perform(const OpenModelRequest &request,
                                                const std::stop_token &stop) {
  const ModelExtents given = request.extents.value_or(ModelExtents());
  Result<compiler::ModelResult> first = readWith(request.path, given, stop);
  if (!first)
    return first.error();
  if (request.extents || first->symbols.empty())
    return std::make_shared<const OpenedModel>(OpenedModel{std::move(*first), given, false});
  // The first one that fits; where none does, the likeliest says what is wrong.
  OpenedModelPointer likeliest;
  for (const ModelExtents &extents : guessedExtents(*first)) {
    Result<compiler::ModelResult> read = readWith(request.path, extents, stop);
    if (!read)
      return read.error();
    auto opened = std::make_shared<const OpenedModel>(OpenedModel{std::move(*read), extents, true});
    if (opened->result.ok)
      return opened;
    if (!likeliest)
      likeliest = std::move(opened);
  }
  return likeliest;
}

void ModelWorker::read(const OpenModelRequest &request) {
  m_stop.request_stop();
  m_stop = {};
  m_thread.post([this, request, stop = m_stop.get_token()] {
    const Result<OpenedModelPointer> opened = perform(request, stop);
    QMetaObject::invokeMethod(
        this, [this, number = request.number, opened] { Q_EMIT done(number, opened); });
  });
}

} // namespace tilescope::app
