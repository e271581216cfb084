// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/ResultAssembler.h"

#include <utility>

namespace tilescope::compiler {

ResultAssembler::ResultAssembler(JobId job, const CompileRequest &request)
    : m_job(job), m_document{request.path, request.text} {
  m_result.revision = request.revision;
  // Until the worker says which one it was: what comes before its last reply has an owner, too.
  m_result.kernel = request.selection.kernel;
}

void ResultAssembler::restoreDocument() {
  if (m_result.files.empty())
    m_result.files.push_back(m_document);
  else
    m_result.files.front() = m_document;
}

bool ResultAssembler::add(const WorkerReply &reply) {
  if (const auto *resolved = std::get_if<LaunchResolvedReply>(&reply)) {
    if (resolved->job != m_job)
      return false;
    m_result.launch = resolved->launch;
    m_result.diagnostics = resolved->diagnostics;
    restoreDocument();
    return true;
  }
  if (const auto *started = std::get_if<StageStartedReply>(&reply)) {
    if (started->job != m_job)
      return false;
    m_currentStage = started->stage;
    return true;
  }
  if (const auto *ready = std::get_if<StageReadyReply>(&reply)) {
    if (ready->job != m_job)
      return false;
    addStage(*ready);
    return true;
  }
  if (const auto *finished = std::get_if<CompileDoneReply>(&reply)) {
    if (finished->job != m_job)
      return false;
    finish(*finished);
    return true;
  }
  if (const auto *crash = std::get_if<CrashedReply>(&reply)) {
    if (crash->job != m_job)
      return false;
    m_result.ok = false;
    restoreDocument();
    m_result.diagnostics.push_back(crashDiagnostic(*crash));
    m_done = true;
    return true;
  }
  return false;
}

void ResultAssembler::addStage(const StageReadyReply &reply) {
  m_result.revision = reply.revision;
  m_result.stages.push_back(reply.stage);
  m_result.diagnostics = reply.diagnostics;
  m_result.files = reply.files;
  restoreDocument();
  m_result.passes.insert(m_result.passes.end(), reply.passes.begin(), reply.passes.end());
  if (!reply.kernels.empty())
    m_result.kernels = reply.kernels;
  if (reply.interface) {
    m_result.kernel = reply.interface->kernel;
    m_result.signature = reply.interface->signature;
    m_result.constexprs = reply.interface->constexprs;
    m_result.options = reply.interface->options;
    m_result.assumptions = reply.interface->assumptions;
    m_result.metadata = reply.interface->metadata;
    m_result.suggestion = reply.interface->suggestion;
  }
  if (!reply.values.empty())
    m_result.values = reply.values;
  if (!reply.layouts.empty())
    m_result.layouts = reply.layouts;
}

void ResultAssembler::finish(const CompileDoneReply &reply) {
  CompileResult result = reply.result;
  result.launch = std::move(m_result.launch);
  // The heavy parts came with the stages and are not sent twice.
  result.stages = std::move(m_result.stages);
  result.passes = std::move(m_result.passes);
  result.values = std::move(m_result.values);
  result.layouts = std::move(m_result.layouts);
  m_result = std::move(result);
  restoreDocument();
  m_cancelled = reply.cancelled;
  m_done = true;
}

} // namespace tilescope::compiler
