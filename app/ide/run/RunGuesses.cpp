// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of the controller that writes launch blocks of guesses, and makes them anew for a kernel
// that has changed.
#include "app/ide/compile/SideCompiles.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/WhyNotRun.h"
#include "app/launch/SuggestedBlock.h"
#include "views/run/RunView.h"

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// Among the compiles beside that of the document.
static constexpr const char *kGuessKey = "guess";

static bool hasTtir(const compiler::CompileResult &result) {
  const compiler::Stage *ttir = result.stage(compiler::StageId::Ttir);
  return ttir ? ttir->ok : result.ok;
}

/// Nothing of a kernel whose TTIR is missing: what is known of it then says nothing about its launch. What fails behind
/// TTIR, as the assembler at a limit of time, does not matter.
static profiler::LaunchBlock guessedBlock(const compiler::CompileResult &result,
                                          const std::string &text) {
  return hasTtir(result) ? suggestedBlock(result, text) : profiler::LaunchBlock();
}

bool RunController::canGuess() const {
  // What is known of the text before would be written for this one.
  return m_compile->isCurrent() &&
         (!m_compile->isRunning() || hasTtir(*m_compile->latest()->result()));
}

void RunController::runWithGuesses(const Place &place) {
  m_runWanted = place;
  m_view->setStatus(
      canGuess() ? tr("Writing a launch block of guesses, to run it…")
                 : tr("Writing a launch block of guesses, to run it, as soon as there is TTIR…"),
      false);
  writeSuggestedBlock();
}

void RunController::writeSuggestedBlock() {
  if (m_document && m_document->launch >= 0)
    Q_EMIT remarked(tr("The kernel has a launch block already."));
  else if (m_document && !m_document->source->syntaxErrors.empty())
    m_view->setStatus(tr("A block can be written as soon as the text has no syntax error."), true);
  else if (!canGuess())
    m_isBlockWanted = true;
  else if (m_document)
    writeBlock(guessedBlock(*m_compile->latest()->result(), m_document->source->text), true);
}

void RunController::writeWantedBlock() {
  if (m_isBlockWanted && canGuess()) {
    m_isBlockWanted = false;
    writeSuggestedBlock();
  }
}

void RunController::writeBlock(const profiler::LaunchBlock &launch, bool isGuess) {
  if (launch.args.empty()) {
    const std::optional<Place> place = std::exchange(m_runWanted, std::nullopt);
    m_view->setStatus(place ? whyNotRun(*m_document, place->place, *m_compile)
                            : tr("A block can be written as soon as the kernel compiles."),
                      true);
    return;
  }
  const std::string edited =
      insertBlock(m_document->source->text, m_document->source->entry, launch);
  if (isGuess)
    m_guesses.keep(m_compile->file(), edited, launch.kernel);
  // A run says it itself.
  if (isGuess && !m_runWanted && m_result && m_result->suggestion.storesNothing)
    Q_EMIT remarked(tr("The launch block is written. The kernel stores nothing yet: results are "
                       "written with tl.store."));
  Q_EMIT sourceEdited(text(edited));
}

/// The document without its launch block.
static DocumentPointer withoutBlock(const KernelDocument &document) {
  const KernelSource &source = *document.source;
  KernelChoice choice;
  choice.kernel = document.kernel();
  return makeDocument(document.revision,
                      makeSource(source.path,
                                 takeOutBlock(source.text, document.launchBlock()->range).rest,
                                 nullptr, source.title),
                      std::move(choice), document.settings, document.kernel());
}

bool RunController::guessAgain(const Place &place) {
  const profiler::LaunchBlock *block = m_document->launchBlock();
  const KernelSource &source = *m_document->source;
  if (!m_side || !block || source.entry != compiler::StageId::Ast || !source.syntaxErrors.empty() ||
      !m_guesses.isOfOtherText(m_compile->file(), source.text, block->range))
    return false;
  const DocumentPointer bare = withoutBlock(*m_document);
  // Another block of the kernel says how it is launched.
  if (bare->launch >= 0)
    return false;
  m_view->setStatus(tr("The launch block is guessed again, since the kernel has changed…"), false);
  compiler::CompileRequest request = bare->request();
  request.collectFacts = false;
  request.stopAfter = compiler::StageId::Ttir;
  m_guessedFor = m_document;
  // A block of guesses for another text may take long to compile.
  m_side->askNow(kGuessKey, std::move(request), {0, false, false, false, false},
                 [this, place, bare](const CorrelationPointer &result) {
                   // Given up: that was said then.
                   if (std::exchange(m_guessedFor, nullptr))
                     runGuessedAgain(place, *result->result(), bare->source->text);
                 });
  return true;
}

void RunController::runGuessedAgain(const Place &place, const compiler::CompileResult &result,
                                    const std::string &rest) {
  const profiler::LaunchBlock block = guessedBlock(result, rest);
  if (block.args.empty())
    return startAt(place);
  const std::string &before = m_document->source->text;
  const std::string edited = replaceBlock(before, m_document->launchBlock()->range, block);
  m_guesses.keep(m_compile->file(), edited, block.kernel);
  if (edited == before)
    return startAt(place);
  m_runWanted = place;
  Q_EMIT remarked(tr("The launch block was guessed again, since the kernel has changed."));
  Q_EMIT sourceEdited(text(edited));
}

} // namespace tilescope::app
