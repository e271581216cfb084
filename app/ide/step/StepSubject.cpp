// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What would be stepped through, or why nothing can be.
#include "app/ide/step/StepController.h"
#include "views/editor/KernelEditor.h"
#include "views/step/StepView.h"

#include <algorithm>

namespace tilescope::app {

using compiler::StageId;
using compiler::StepAction;
using views::StepView;

QString StepController::whyNotOf(const compiler::CompileResult &result, StageId executed) {
  const compiler::Stage *stage = result.stage(executed);
  return result.ok || (stage && stage->ok) ? QString()
                                           : tr("The text does not compile: Problems says why.");
}

QString StepController::whyNot() const {
  if (!m_compile->document())
    return m_editor ? tr("The file is empty: there is nothing to step through yet.")
                    : tr("No file is open.");
  if (m_compile->isRunning() || !m_compile->isCurrent() || !m_compile->latest())
    return {};
  const bool isTtgir = m_compile->document()->source->entry == StageId::Ttgir;
  const StageId executed = isTtgir ? StageId::Ttgir : m_view->stage();
  if (const QString why = whyNotOf(*m_compile->latest()->result(), executed); !why.isEmpty())
    return why;
  if (m_compile->document()->source->entry > StageId::Ttgir)
    return tr("The interpreter steps through kernel files, TTIR and TTGIR.");
  if (m_compile->latest()->result()->launch.plan.empty())
    return tr("Stepping needs a launch: how many programs there are, on which arrays, with which "
              "sizes. The file does not say it yet.");
  return {};
}

void StepController::showWhyNot(const QString &why) {
  m_saysWhyNot = !why.isEmpty();
  const bool lacksLaunch = m_saysWhyNot && m_compile->document() && m_compile->latest() &&
                           m_compile->latest()->result()->ok;
  m_view->clear(m_saysWhyNot ? why : StepView::howToBegin(), lacksLaunch);
}

void StepController::followWhyNot() {
  const bool isKnown =
      !m_compile->isRunning() && m_compile->isCurrent() && m_compile->latest() != nullptr;
  if (m_saysWhyNot && !m_next && (isKnown || !m_compile->document()))
    showWhyNot(whyNot());
}

std::pair<const QObject *, std::string> StepController::subject() const {
  return {m_compile->file(), m_compile->document() ? m_compile->document()->kernel() : ""};
}

void StepController::forgetProgramOfOther() {
  if (std::exchange(m_programOf, subject()) != subject())
    m_view->setProgram({});
}

bool StepController::showsOtherFile() const {
  const DocumentPointer &shown = m_compile->document();
  if (!m_isOpen || !m_editor || m_editorFile == m_file)
    return false;
  // A file that is empty has no document.
  if (!shown)
    return true;
  if (m_compile->file() == m_file)
    return false;
  // A function of another file, which the kernel calls, belongs to what is stepped through.
  const std::string name = shown->source->name();
  return std::ranges::none_of(m_files,
                              [&](const compiler::SourceFile &file) { return file.path == name; });
}

/// More keys than this are not kept: who holds one down wants to stop when letting it go.
static constexpr size_t kMostKept = 32;

bool StepController::keepForStart(StepAction action) {
  const bool isWaiting = m_isStarting || !m_behindStart.empty();
  if (!isWaiting || action == StepAction::Restart || m_programOf != subject() || showsOtherFile())
    return false;
  if (m_behindStart.size() < kMostKept)
    m_behindStart.push_back(action);
  return true;
}

} // namespace tilescope::app
