// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/CompileController.h"

#include "app/launch/InputFile.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/TritonCache.h"

namespace tilescope::app {

using compiler::StageId;

CompileController::CompileController(CompileBackend *backend, QObject *parent)
    : QObject(parent), m_backend(backend) {
  m_sinceEdit.start();
  connect(backend, &CompileBackend::progressed, this,
          [this](const CorrelationPointer &result, bool done) {
            if (result->result()->revision != 0 && result->result()->revision != m_request.revision)
              return;
            m_latest = result;
            m_running = !done;
            Q_EMIT resultChanged(result, done);
          });
  connect(backend, &CompileBackend::crashed, this, [this](const CorrelationPointer &result) {
    m_latest = result;
    m_running = false;
    Q_EMIT resultChanged(result, true);
  });
}

void CompileController::setText(const QString &path, std::string text) {
  const std::string name = path.toStdString();
  if (name == m_request.path && text == m_request.text && m_latest)
    return;
  // A text of no known kind is a kernel file, as an unnamed one is.
  const Result<StageId> entry = entryStage(name, text);
  m_request.entry = entry ? *entry : StageId::Ast;
  if (name != m_request.path) {
    compiler::Selection fresh;
    fresh.target = m_selection.target;
    fresh.importPaths = m_selection.importPaths;
    m_selection = fresh;
    m_facts = m_request.entry == StageId::Ast ? compiler::Selection() : metadataBeside(name);
  }
  m_request.path = name;
  m_request.text = std::move(text);
  submit();
}

void CompileController::setSelection(const compiler::Selection &selection) {
  if (selection == m_selection)
    return;
  m_selection = selection;
  submit();
}

void CompileController::setWantedStages(const std::set<StageId> &stages) {
  uint32_t bits = 0;
  for (StageId stage : stages)
    bits |= 1u << static_cast<int>(stage);
  // Taking a view away needs nothing new.
  const bool more = (bits & ~m_wanted.stages) != 0;
  m_wanted.stages = bits;
  m_request.stopAfter = stages.count(StageId::Sass) ? StageId::Sass : StageId::Cubin;
  if (more && m_request.revision > 0)
    submit();
}

void CompileController::setPassIrWanted(bool wanted) {
  if (m_wanted.passIr == wanted)
    return;
  m_wanted.passIr = wanted;
  m_request.recordPassIr = wanted;
  if (wanted && m_request.revision > 0)
    submit();
}

void CompileController::setImportFolders(const std::vector<std::string> &folders) {
  if (folders == m_selection.importPaths)
    return;
  m_selection.importPaths = folders;
  if (m_request.revision > 0)
    submit();
}

void CompileController::recompile() { submit(); }

void CompileController::clear() {
  m_latest.reset();
  m_running = false;
  m_request.path.clear();
  m_request.text.clear();
  // What still comes is of a revision that is not shown.
  ++m_request.revision;
}

void CompileController::submit() {
  ++m_request.revision;
  ResolvedLaunch launch = resolveLaunch(m_request.text, m_selection);
  m_request.selection = std::move(launch.selection);
  completeSelection(m_request.selection, m_facts);
  m_launchDiagnostics = std::move(launch.diagnostics);
  m_sinceEdit.restart();
  m_running = true;
  Q_EMIT started();
  m_backend->compile(m_request, m_wanted);
}

} // namespace tilescope::app
