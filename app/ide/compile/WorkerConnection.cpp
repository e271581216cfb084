// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/WorkerConnection.h"

#include "app/ide/compile/Niceness.h"
#include "app/ide/compile/ProcessorWait.h"
#include "app/ide/compile/ReplyDecoder.h"

#include <algorithm>

namespace tilescope::app {

using namespace tilescope::compiler;

static constexpr int kMaxFailedStarts = 3;
/// So often a compile gets its time again on a machine that has none for it.
static constexpr int kMostExtensions = 4;
/// What a worker has waited is first read when this part of a compile's time is over: it takes
/// files of each of its threads, and hardly any compile lasts so long.
static constexpr int kSampledPart = 10;
/// For a worker to end by itself, and for the system to end one that was killed.
static constexpr int kEndMs = 200, kKillMs = 5000;
/// The step in front of which a test's hook is one of a look at accesses.
static constexpr const char *kCountStep = "count";

WorkerConnection::WorkerConnection(QString program, QObject *parent)
    : CompileBackend(parent), m_program(std::move(program)), m_decoder(new ReplyDecoder) {
  qRegisterMetaType<tilescope::app::CorrelationPointer>();
  qRegisterMetaType<tilescope::app::InspectionPointer>();
  qRegisterMetaType<tilescope::compiler::HelloReply>();
  qRegisterMetaType<tilescope::compiler::CrashedReply>();
  qRegisterMetaType<tilescope::compiler::StageId>();
  m_decoder->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_decoder, &QObject::deleteLater);
  connect(m_decoder, &ReplyDecoder::greeted, this, [this](const HelloReply &hello) {
    m_greeted = true;
    m_failedStarts = 0;
    if (hello.protocolVersion != kWorkerProtocolVersion)
      Q_EMIT unavailable(
          tr("`%1` is from another version of Tilescope: install both from the same build")
              .arg(m_program));
    Q_EMIT ready(hello);
  });
  connect(m_decoder, &ReplyDecoder::progressed, this, &WorkerConnection::onProgress);
  connect(m_decoder, &ReplyDecoder::inspected, this, &WorkerConnection::onInspected);
  connect(m_decoder, &ReplyDecoder::stageStarted, this, [this](quint64 job, StageId stage) {
    if (m_current && m_current->id == job)
      m_stage = stage;
  });
  connect(m_decoder, &ReplyDecoder::crashReported, this,
          [this](const CrashedReply &crash) { m_lastWords = crash; });
  connect(m_decoder, &ReplyDecoder::broken, this, [this](quint64 generation) {
    if (generation == m_generation && m_process)
      m_process->kill();
  });
  m_deadline.setSingleShot(true);
  connect(&m_deadline, &QTimer::timeout, this, &WorkerConnection::onDeadline);
  m_waitSample.setSingleShot(true);
  connect(&m_waitSample, &QTimer::timeout, this, [this] { m_waitedBeforeMs = waitedMs(); });
  m_thread.start();
  start();
}

WorkerConnection::~WorkerConnection() {
  m_closing = true;
  if (m_process) {
    m_process->disconnect(this);
    send(ShutdownMessage{});
    m_process->closeWriteChannel();
    if (!m_process->waitForFinished(kEndMs))
      m_process->kill();
  }
  // Also those that others have taken the place of.
  for (QProcess *process : findChildren<QProcess *>())
    if (process->state() != QProcess::NotRunning)
      process->waitForFinished(kKillMs);
  m_thread.quit();
  m_thread.wait();
}

void WorkerConnection::setDeadlines(int cancelMs, int compileMs) {
  m_cancelMs = cancelMs;
  m_compileMs = compileMs;
}

void WorkerConnection::start() {
  ++m_generation;
  m_greeted = false;
  m_cancelled.clear();
  m_lastWords.reset();
  const quint64 generation = m_generation;
  QMetaObject::invokeMethod(m_decoder,
                            [decoder = m_decoder, generation] { decoder->reset(generation); });
  m_process = new QProcess(this);
  m_process->setProcessChannelMode(QProcess::SeparateChannels);
  m_process->setStandardErrorFile(QProcess::nullDevice());
  m_process->setChildProcessModifier([] { standBehind(kCompileNiceness); });
  connect(m_process, &QProcess::readyReadStandardOutput, this, [this, generation] {
    QByteArray bytes = m_process->readAllStandardOutput();
    QMetaObject::invokeMethod(m_decoder,
                              [decoder = m_decoder, generation, bytes = std::move(bytes)] {
                                decoder->feed(generation, bytes);
                              });
  });
  connect(m_process, &QProcess::finished, this, &WorkerConnection::onFinished);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      Q_EMIT unavailable(tr("the compile worker `%1` could not be started: %2")
                             .arg(m_program, m_process->errorString()));
  });
  // The other one runs launches.
  m_process->start(m_program, {QStringLiteral("--workers"), QStringLiteral("2")});
}

void WorkerConnection::restart() {
  m_process->disconnect(this);
  connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
  m_process->kill();
  start();
  endInspections();
  if (m_current)
    submit(*m_current);
}

void WorkerConnection::send(const WorkerRequest &request) {
  if (!m_process)
    return;
  const std::string frame = encodeFrame(request);
  m_process->write(frame.data(), static_cast<qint64>(frame.size()));
}

void WorkerConnection::submit(Job job) {
  CompileMessage message;
  message.job = job.id;
  message.request = job.request;
  message.wanted = job.wanted;
  if (m_hook.where != kCountStep)
    message.hook = std::exchange(m_hook, {});
  QMetaObject::invokeMethod(m_decoder, [decoder = m_decoder, id = job.id, request = job.request] {
    decoder->expect(id, request);
  });
  m_stage = StageId::Ast;
  m_latest.reset();
  m_current = std::move(job);
  send(message);
  startTime();
  if (!m_cancelled.empty())
    m_deadline.start(m_cancelMs);
}

void WorkerConnection::compile(const CompileRequest &request, const WantedParts &wanted) {
  // The oldest one's time runs on, however fast the user types.
  const int left = m_cancelled.empty() ? m_cancelMs : m_deadline.remainingTime();
  cancelInspections();
  if (m_current) {
    send(CancelMessage{m_current->id});
    m_cancelled.push_back(m_current->id);
  }
  const bool isWaiting = !m_cancelled.empty();
  submit({m_nextJob++, request, wanted});
  if (isWaiting)
    m_deadline.start(std::max(1, left));
}

void WorkerConnection::inspect(const InspectMessage &message) {
  InspectMessage sent = message;
  sent.job = m_nextJob++;
  if (m_hook.where == kCountStep)
    sent.hook = std::exchange(m_hook, {});
  m_inspections.push_back({sent.job, message.job});
  send(sent);
  if (!m_current && m_cancelled.empty())
    startTime();
  if (!m_process)
    endInspections();
}

void WorkerConnection::cancelInspections() {
  if (!m_inspections.empty() && m_cancelled.empty() && !m_current)
    m_deadline.start(m_cancelMs);
  for (Inspection &inspection : m_inspections)
    if (!std::exchange(inspection.isCancelled, true)) {
      send(CancelMessage{inspection.id});
      m_cancelled.push_back(inspection.id);
    }
}

void WorkerConnection::onInspected(const InspectionPointer &reply) {
  const auto found = std::ranges::find(m_inspections, reply->job, &Inspection::id);
  if (found == m_inspections.end())
    return;
  auto answer = std::make_shared<InspectDoneReply>(*reply);
  answer->job = found->asked;
  answer->cancelled |= found->isCancelled;
  std::erase(m_cancelled, found->id);
  m_inspections.erase(found);
  if (m_cancelled.empty())
    watchRest();
  Q_EMIT inspected(std::move(answer));
}

void WorkerConnection::watchRest() {
  if (m_current || !m_inspections.empty())
    return startTime();
  m_deadline.stop();
  m_waitSample.stop();
}

void WorkerConnection::endInspections() {
  for (const Inspection &inspection : std::exchange(m_inspections, {})) {
    auto answer = std::make_shared<InspectDoneReply>();
    answer->job = inspection.asked;
    answer->cancelled = inspection.isCancelled;
    Q_EMIT inspected(std::move(answer));
  }
}

void WorkerConnection::onProgress(quint64 job, const CorrelationPointer &result, bool done,
                                  bool cancelled) {
  std::erase_if(m_cancelled, [&](JobId id) { return id < job || (id == job && done); });
  if (!m_current || m_current->id != job)
    return;
  if (m_cancelled.empty())
    startTime();
  m_latest = result;
  if (done) {
    m_current.reset();
    watchRest();
    if (cancelled)
      return;
  }
  Q_EMIT progressed(result, done);
}

qint64 WorkerConnection::waitedMs() const {
  return processorWait(processId()).value_or(std::chrono::milliseconds(0)).count();
}

void WorkerConnection::startTime() {
  m_numExtensions = 0;
  m_waitSample.start(m_compileMs / kSampledPart);
  m_deadline.start(m_compileMs);
}

bool WorkerConnection::extendTime() {
  const qint64 waited = waitedMs();
  if (m_numExtensions == kMostExtensions || waited - m_waitedBeforeMs < m_compileMs / 2)
    return false;
  ++m_numExtensions;
  m_waitedBeforeMs = waited;
  m_deadline.start(m_compileMs);
  return true;
}

void WorkerConnection::onDeadline() {
  // None could be started, as was said.
  if (!m_process) {
    m_cancelled.clear();
    m_current.reset();
    endInspections();
    return;
  }
  if (!m_cancelled.empty()) {
    // It did not listen: only a fresh process can take the newest request.
    restart();
    return;
  }
  if ((!m_current && m_inspections.empty()) || extendTime())
    return;
  CrashedReply crash;
  crash.reason = CrashedReply::Reason::Killed;
  crash.stage = m_stage;
  m_lastWords = crash;
  m_process->kill();
}

void WorkerConnection::onFinished() {
  if (m_closing)
    return;
  // The worker's last words may still be on their way through the decoder.
  QByteArray rest = m_process->readAllStandardOutput();
  QMetaObject::invokeMethod(m_decoder, [this, generation = m_generation, rest = std::move(rest)] {
    m_decoder->feed(generation, rest);
    QMetaObject::invokeMethod(this, [this, generation] {
      if (generation == m_generation && !m_closing)
        onDead();
    });
  });
}

void WorkerConnection::onDead() {
  CrashedReply crash = m_lastWords.value_or(CrashedReply{});
  if (!m_lastWords) {
    crash.stage = m_stage;
    crash.signal = m_process->exitStatus() == QProcess::CrashExit ? "a signal" : "";
  }
  m_deadline.stop();
  const bool worthRestart = m_greeted || ++m_failedStarts < kMaxFailedStarts;
  m_process->deleteLater();
  m_process = nullptr;
  if (m_current)
    reportCrash(crash);
  m_current.reset();
  endInspections();
  if (worthRestart)
    start();
  else
    Q_EMIT unavailable(
        tr("the compile worker ends as soon as it starts: run `%1` in a terminal to see why")
            .arg(m_program));
}

void WorkerConnection::reportCrash(CrashedReply crash) {
  auto result = std::make_shared<CompileResult>(m_latest ? *m_latest->result() : CompileResult{});
  result->revision = m_current->request.revision;
  result->ok = false;
  result->diagnostics.push_back(crashDiagnostic(crash));
  if (crash.reason == CrashedReply::Reason::Killed)
    result->diagnostics.back().notes.push_back(
        tr("Compile again, Ctrl+B, tries it once more").toStdString());
  if (result->files.empty())
    result->files.push_back({m_current->request.path, m_current->request.text});
  if (!result->stage(crash.stage)) {
    Stage failed;
    failed.id = crash.stage;
    result->stages.push_back(failed);
  }
  Q_EMIT crashed(std::make_shared<const views::Correlation>(std::move(result)));
}

} // namespace tilescope::app
