// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What would be stepped through, or why nothing can be.
#include "app/ide/step/StepController.h"
#include "views/editor/KernelEditor.h"
#include "views/step/StepView.h"

namespace tilescope::app {

using compiler::StageId;
using views::StepView;

QString StepController::whyNot() const {
  if (!m_compile->document())
    return m_editor ? tr("The file is empty: there is nothing to step through yet.")
                    : tr("No file is open.");
  if (m_compile->isRunning() || !m_compile->isCurrent() || !m_compile->latest())
    return {};
  const compiler::CompileResult &result = *m_compile->latest()->result();
  if (!result.ok)
    return tr("The text does not compile: Problems says why.");
  if (m_compile->document()->source->entry > StageId::Ttgir)
    return tr("The interpreter steps through kernel files, TTIR and TTGIR.");
  if (result.launch.plan.empty())
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

} // namespace tilescope::app
