// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What the window shows of compiles: of the newest one, or of the last good one of what is chosen.
#include "app/ide/compile/HintController.h"
#include "app/ide/compile/OtherKernels.h"
#include "app/ide/compile/PassFollower.h"
#include "app/ide/model/ModelController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/window/KernelBar.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StatusFacts.h"
#include "compiler/artifacts/CpuTarget.h"
#include "views/layout/LayoutDiagram.h"
#include "views/meter/CompileMeter.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"
#include "views/stages/StageFacts.h"

namespace tilescope::app {

using namespace tilescope::views;
using compiler::CompileResult;
using compiler::StageId;

/// The columns themselves say what the machine lacks.
std::vector<compiler::Diagnostic>
MainWindow::kernelDiagnostics(const CompileResult &result,
                              std::vector<compiler::SourceFile> &files) const {
  std::vector<compiler::Diagnostic> diagnostics = result.diagnostics;
  for (const compiler::Diagnostic &finding : m_run->history().findings(files))
    if (std::ranges::find(diagnostics, finding) == diagnostics.end())
      diagnostics.push_back(finding);
  std::erase_if(diagnostics, isMachineLack);
  std::ranges::move(m_others->errors(), std::back_inserter(diagnostics));
  std::ranges::move(m_models->diagnostics(m_compile.file(), files),
                    std::back_inserter(diagnostics));
  return diagnostics;
}

void MainWindow::refreshProblems() {
  const CorrelationPointer &latest = m_compile.latest();
  if (!latest || m_compile.isRestored() || !showsResultOfPage())
    return;
  std::vector<compiler::SourceFile> files = latest->result()->files;
  editor()->setDiagnostics(kernelDiagnostics(*latest->result(), files));
  showProblems();
}

void MainWindow::followTints(const CompileResult &result) {
  LineTints &tints = m_tints[m_compile.file()];
  if (!result.files.empty())
    tints.follow(result.files.front().text);
  m_focus.setTints(tints);
}

void MainWindow::showKept(const CorrelationPointer &kept) {
  const ResultPointer result = kept ? kept->result() : nullptr;
  if (result)
    followTints(*result);
  m_columns->restore(kept);
  m_layout->setResult(nullptr);
  if (result)
    m_layout->setResult(result);
  m_passes->setResult(result);
  if (result)
    m_run->setResult(result);
  m_kernelBar->showKept(result);
  clearPictures(tr("Compiling…"));
  m_status->showPending();
  if (std::exchange(m_listedFile, m_compile.file()) != m_compile.file())
    m_problems->setDiagnostics({}, {}, tr("Compiling…"));
  if (showsResultOfPage())
    m_focus.setSelected(focusAt(editor()->cursor()), this);
}

/// Whether what is shown was made of the same text and choice as the document.
static bool isSame(const DocumentPointer &shown, const DocumentPointer &document) {
  return shown && document && shown->source->text == document->source->text &&
         isSameChoice(*shown, *document);
}

void MainWindow::markOutdated() {
  const CorrelationPointer &latest = m_compile.latest();
  const DocumentPointer &shown = m_compile.latestDocument();
  if (m_compile.isRunning()) {
    m_status->showPending();
    if (m_foundRevision != m_compile.request().revision)
      setFindingsOutdated(true);
  }
  if (m_compile.isRestored() && isSame(shown, m_compile.document()))
    return;
  const bool isSameText =
      shown && showsResultOfPage() && shown->source->text == editor()->utf8Text();
  const QString what = isSameText ? tr("what was chosen before") : tr("an earlier text");
  // Of a compile under way, some stages may be there already.
  const bool isPart =
      latest && m_compile.isRunning() && latest->result()->revision == m_compile.request().revision;
  for (auto &[id, column] : m_columns->all())
    if (const compiler::Stage *stage = isPart ? latest->result()->stage(id) : nullptr;
        !stage || !stage->ok)
      column->setOutdated(what);
  if (!isPart || latest->result()->layouts.empty())
    m_layout->setOutdated(what);
}

/// What is said of an earlier text fades while the text of now compiles.
void MainWindow::setFindingsOutdated(bool areOutdated) {
  if (editor())
    editor()->setDiagnosticsOutdated(areOutdated);
  m_problems->setOutdated(areOutdated);
}

/// Whether the front end accepts a text that had errors: these do not wait for the last stage.
static bool isMended(const KernelEditor &editor, const CompileResult &result) {
  const compiler::Stage *ttir = result.stage(StageId::Ttir);
  return ttir && ttir->ok &&
         std::ranges::any_of(editor.visibleDiagnostics(), [](const compiler::Diagnostic &each) {
           return each.severity == compiler::Severity::Error;
         });
}

void MainWindow::showResult(const CorrelationPointer &correlation, bool done) {
  const CompileResult &result = *correlation->result();
  if (done)
    m_staleTimer.stop();
  m_docks->showStagesOf(compiler::isCpuTarget(result.target));
  followTints(result);
  for (const compiler::Stage &stage : result.stages)
    if (stage.ok)
      m_status->meter().stageShown(stage.id, m_compile.elapsedNs());
  for (auto &[id, column] : m_columns->all()) {
    const compiler::Stage *stage = result.stage(id);
    // Until the compile ends, what is not there yet keeps its last content without being called
    // stale.
    if (!done && !(stage && stage->ok))
      continue;
    if (stage && stage->ok && stage->text.empty() && !column->isVisible())
      continue;
    column->setResult(correlation);
  }
  if (KernelEditor *current = showsResultOfPage() ? editor() : nullptr) {
    if (done || !result.diagnostics.empty() || isMended(*current, result)) {
      std::vector<compiler::SourceFile> files = result.files;
      current->setDiagnostics(kernelDiagnostics(result, files));
      m_foundRevision = result.revision;
      setFindingsOutdated(false);
      m_status->showMessage({});
    }
    if (!result.values.empty())
      current->setValues(result.values);
    const StageId tinted = result.stage(StageId::Ttgir) ? StageId::Ttgir : StageId::Ttir;
    std::map<int32_t, int32_t> tints;
    for (const int32_t line : correlation->sourceLines(tinted))
      if (const int32_t tint = m_focus.tints().of(line); tint >= 0)
        tints[line] = tint;
    if (!tints.empty())
      current->setTintedLines(std::move(tints));
    if (done && m_focus.selected().stage == std::nullopt) {
      followCursor(current->cursor());
      // A new text was not there yet when the cursor came to its place.
      if (std::exchange(m_alignedRevision, result.revision) != result.revision)
        m_columns->align();
    }
  }
  // At a pass, the follower shows what there is behind it.
  if (!m_follower->pass() && (done || !result.layouts.empty()))
    m_layout->setResult(correlation->result());
  showProblems();
  if (!done)
    return;
  setFindingsOutdated(false);
  m_passes->setResult(correlation->result());
  m_run->setResult(correlation->result());
  m_status->meter().finish(result.ok);
  m_columns->finish(correlation->result());
  m_status->showResult(result);
  m_kernelBar->showResult(result);
  Q_EMIT settled();
}

void MainWindow::showProblems() {
  const ResultPointer result = m_compile.latest() ? m_compile.latest()->result() : nullptr;
  if (!result || m_compile.isRestored())
    return;
  m_problemFiles = result->files;
  const std::vector<compiler::Diagnostic> all = kernelDiagnostics(*result, m_problemFiles);
  if (!showsResultOfPage())
    return m_problems->setDiagnostics(all, m_problemFiles);
  std::vector<compiler::Hint> hints = m_hints->hints(editor()->utf8Text());
  editor()->setPerformanceHints(hints);
  std::vector<compiler::Diagnostic> visible = editor()->visibleDiagnostics();
  const bool isHeldBack = visible.empty() && !all.empty();
  m_problems->setDiagnostics(std::move(visible), m_problemFiles,
                             isHeldBack ? tr("What is wrong with the statement that is being typed "
                                             "is listed as soon as the typing pauses.")
                                        : QString(),
                             std::move(hints));
}

} // namespace tilescope::app
