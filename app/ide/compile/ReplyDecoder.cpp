// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ReplyDecoder.h"

namespace tilescope::app {

using namespace tilescope::compiler;

void ReplyDecoder::reset(quint64 generation) {
  m_generation = generation;
  m_reader = FrameReader();
  m_assembler.reset();
  m_requests.clear();
}

void ReplyDecoder::expect(JobId job, const CompileRequest &request) {
  m_requests.insert_or_assign(job, request);
}

void ReplyDecoder::feed(quint64 generation, const QByteArray &bytes) {
  if (generation != m_generation)
    return;
  m_reader.append(std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
  while (const std::optional<std::string> payload = m_reader.next()) {
    Result<WorkerReply> reply = decodeReply(*payload);
    if (!reply) {
      Q_EMIT broken(generation);
      return;
    }
    handle(std::move(*reply));
  }
  if (m_reader.broken())
    Q_EMIT broken(generation);
}

void ReplyDecoder::handle(WorkerReply reply) {
  if (const auto *hello = std::get_if<HelloReply>(&reply)) {
    Q_EMIT greeted(*hello);
  } else if (const auto *launch = std::get_if<LaunchResolvedReply>(&reply)) {
    assemble(launch->job, reply);
  } else if (const auto *started = std::get_if<StageStartedReply>(&reply)) {
    assemble(started->job, reply);
    Q_EMIT stageStarted(started->job, started->stage);
  } else if (const auto *stage = std::get_if<StageReadyReply>(&reply)) {
    assemble(stage->job, reply);
  } else if (const auto *done = std::get_if<CompileDoneReply>(&reply)) {
    assemble(done->job, reply);
  } else if (auto *counted = std::get_if<InspectDoneReply>(&reply)) {
    Q_EMIT inspected(std::make_shared<const InspectDoneReply>(std::move(*counted)));
  } else if (const auto *crash = std::get_if<CrashedReply>(&reply)) {
    Q_EMIT crashReported(*crash);
  }
}

void ReplyDecoder::assemble(JobId job, const WorkerReply &reply) {
  if (!m_assembler || m_assembler->job() != job) {
    const auto request = m_requests.find(job);
    if (request == m_requests.end())
      return;
    m_assembler.emplace(job, request->second);
    // Replies come in the order of the jobs.
    m_requests.erase(m_requests.begin(), std::next(request));
  }
  // Neither is anything to show yet.
  const bool isAnnouncement = std::holds_alternative<StageStartedReply>(reply) ||
                              std::holds_alternative<LaunchResolvedReply>(reply);
  if (!m_assembler->add(reply) || isAnnouncement)
    return;
  auto result = std::make_shared<const CompileResult>(m_assembler->result());
  Q_EMIT progressed(job, std::make_shared<const views::Correlation>(std::move(result)),
                    m_assembler->done(), m_assembler->cancelled());
}

} // namespace tilescope::app
