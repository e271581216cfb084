// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/CompileController.h"

#include <algorithm>

namespace tilescope::app {

using compiler::StageId;

CompileController::CompileController(CompileBackend *backend, QObject *parent)
    : QObject(parent), m_backend(backend) {
  m_sinceEdit.start();
  connect(backend, &CompileBackend::progressed, this, &CompileController::take);
  connect(backend, &CompileBackend::crashed, this,
          [this](const CorrelationPointer &result) { take(result, true); });
}

void CompileController::take(const CorrelationPointer &result, bool done) {
  if (m_hasGivenWay || result->result()->revision != m_request.revision)
    return;
  m_latest = result;
  m_latestDocument = m_document;
  m_isRestored = false;
  m_running = !done;
  m_places.take(result, m_document ? m_document->source : nullptr, done);
  if (done && result->result()->ok && m_document)
    m_kept.keep({m_file, result, m_document});
  Q_EMIT resultChanged(result, done);
  if (done && result == m_latest)
    followConfiguration();
}

/// A configuration whose entry was edited stays chosen, with the values that it has now. One that
/// the list no longer has is not chosen any more.
void CompileController::followConfiguration() {
  if (!m_document || m_document->source->entry != StageId::Ast)
    return;
  const compiler::CompileResult &result = *m_latest->result();
  const std::vector<compiler::Configuration> &all = result.configurations;
  Chosen &chosen = chosenOf(m_file);
  KernelChoice choice = chosen.choice;
  const compiler::Configuration wanted{choice.constexprs, choice.options};
  if (wanted == compiler::Configuration())
    return chosen.place.reset();
  if (const auto found = std::ranges::find(all, wanted); found != all.end()) {
    chosen.place = {static_cast<size_t>(found - all.begin()), all.size()};
    return;
  }
  const bool isEdited = chosen.place && chosen.place->second == all.size();
  // A list that cannot be read while it is edited says nothing.
  if (!isEdited && (!result.ok || !m_document->source->syntaxErrors.empty()))
    return;
  const compiler::Configuration now =
      isEdited ? all[chosen.place->first] : compiler::Configuration();
  choice.constexprs = now.constexprs;
  choice.options = now.options;
  setChoice(choice);
  if (!isEdited)
    Q_EMIT configurationLost();
}

void CompileController::setText(const QObject *file, EditedText edited) {
  const std::string name = edited.path.toStdString();
  if (file == m_file && m_document && name == m_document->source->path &&
      edited.text == m_document->source->text && m_document->settings == m_settings)
    return;
  const Position cursor = edited.cursor;
  const bool isSame = file == m_file;
  m_file = file;
  auto source = makeSource(name, std::move(edited.text), edited.read, edited.title.toStdString());
  Chosen &chosen = chosenOf(file);
  // An edited text may have another kernel at the cursor than before: the user means that one.
  const bool isFollowed = isSame || chosen.cursor != cursor;
  const DocumentPointer draft = makeDocument(m_revision, source, chosen.choice, m_settings,
                                             isSame && m_document ? m_document->kernel() : "");
  dropEditedConfiguration(*draft, chosen);
  KernelChoice choice = chosen.choice;
  if (const std::optional<KernelChoice> meant = choiceAt(*draft, cursor); meant && isFollowed)
    choice = chosen.choice = comeBack(*draft, *meant);
  chosen.cursor = cursor;
  makeCurrent(std::move(source), std::move(choice));
}

/// A user who edits a value that a chosen configuration replaces means the launch block's own
/// values.
void CompileController::dropEditedConfiguration(const KernelDocument &draft, Chosen &chosen) {
  const auto values = draft.replacedValues();
  if (!values || !chosen.replaced || *values == *chosen.replaced)
    return;
  chosen.choice.constexprs.clear();
  chosen.choice.options.clear();
}

void CompileController::clear() {
  m_file = m_fileBefore = nullptr;
  m_document.reset();
  m_latest.reset();
  m_latestDocument.reset();
  m_isRestored = false;
  m_places.clear();
  m_running = m_hasGivenWay = false;
  // Replies that still arrive belong to a revision that is not shown.
  m_request.revision = ++m_revision;
  Q_EMIT documentChanged(nullptr);
}

CompileController::Chosen &CompileController::chosenOf(const QObject *file) {
  if (!m_choices.contains(file))
    connect(file, &QObject::destroyed, this, [this, file] {
      m_choices.erase(file);
      m_kept.forget(file);
      // Another one may get the same address.
      if (m_fileBefore == file)
        m_fileBefore = nullptr;
      if (m_file == file)
        m_file = nullptr;
    });
  return m_choices[file];
}

void CompileController::prepareChoice(const QObject *file, const KernelChoice &choice,
                                      std::optional<Position> cursor) {
  if (cursor)
    chosenOf(file).cursor = cursor;
  if (file == m_file)
    setChoice(choice);
  else
    choiceOf(file) = choice;
}

KernelChoice CompileController::choice(const QObject *file) const {
  const auto known = m_choices.find(file);
  return known == m_choices.end() ? KernelChoice() : known->second.choice;
}

void CompileController::setChoice(const KernelChoice &choice) {
  if (!m_document || choice == m_document->choice)
    return;
  const KernelChoice next = comeBack(*m_document, choice);
  choiceOf(m_file) = next;
  makeCurrent(m_document->source, next);
}

/// What is chosen once another kernel is `meant`: what was chosen for it before it was left. Remembers
/// the choice for `current`, which is left now.
KernelChoice CompileController::comeBack(const KernelDocument &current, KernelChoice meant) {
  Chosen &chosen = chosenOf(m_file);
  const std::string left = current.kernel();
  if (left.empty() || meant.kernel.empty() || meant.kernel == left)
    return meant;
  chosen.left[left] = {current.choice, current.launch, chosen.replaced};
  chosen.place.reset();
  const auto known = chosen.left.find(meant.kernel);
  const bool isOther = known == chosen.left.end() ||
                       (meant.launch && *meant.launch != known->second.launch) ||
                       !meant.constexprs.empty() || !meant.options.empty();
  if (isOther)
    return meant;
  Chosen back;
  back.choice = known->second.choice;
  back.choice.isPinned = meant.isPinned;
  back.replaced = known->second.replaced;
  // The launch block may have been edited in the meantime.
  dropEditedConfiguration(*makeDocument(m_revision, current.source, back.choice, m_settings), back);
  return back.choice;
}

void CompileController::followCursor(Position position) {
  if (!m_document || std::exchange(chosenOf(m_file).cursor, position) == position)
    return;
  if (const std::optional<KernelChoice> meant = choiceAt(*m_document, position))
    setChoice(*meant);
}

void CompileController::followKnownCursor() {
  const std::optional<Position> cursor = m_document ? chosenOf(m_file).cursor : std::nullopt;
  if (!cursor)
    return;
  if (const std::optional<KernelChoice> meant = choiceAt(*m_document, *cursor))
    setChoice(*meant);
}

void CompileController::setChosenTarget(const std::string &target) {
  m_chosenTarget = target;
  updateSettings();
}

void CompileController::setRunTarget(const std::string &target) {
  m_runTarget = target;
  updateSettings();
}

void CompileController::setImportFolders(const std::vector<std::string> &folders) {
  if (folders == m_settings.importPaths)
    return;
  m_settings.importPaths = folders;
  if (m_document)
    makeCurrent(m_document->source, choiceOf(m_file));
}

void CompileController::setOpenTexts(std::map<std::string, std::string> texts) {
  m_settings.openTexts = std::move(texts);
}

void CompileController::takeImports() {
  if (m_document)
    makeCurrent(m_document->source, choiceOf(m_file));
}

void CompileController::updateSettings() {
  const std::string &target = m_runTarget.empty() ? m_chosenTarget : m_runTarget;
  if (target == m_settings.target)
    return;
  m_settings.target = target;
  if (m_document)
    makeCurrent(m_document->source, choiceOf(m_file));
}

void CompileController::setWantedStages(const std::set<StageId> &stages) {
  uint32_t bits = 0;
  for (StageId stage : stages)
    bits |= 1u << static_cast<int>(stage);
  // Taking a view away needs nothing new, nor does bringing back what this text was compiled for.
  const bool more = (bits & ~m_asked.stages) != 0;
  m_wanted.stages = bits;
  if (more && m_document)
    submit();
}

void CompileController::setPassIrWanted(const QObject *viewer, bool wanted) {
  if (wanted)
    m_passViewers.insert(viewer);
  else
    m_passViewers.erase(viewer);
  if (m_wanted.passIr == !m_passViewers.empty())
    return;
  m_wanted.passIr = !m_passViewers.empty();
  if (m_wanted.passIr && !m_asked.passIr && m_document)
    submit();
}

std::vector<compiler::Diagnostic> CompileController::launchDiagnostics() const {
  std::vector<compiler::Diagnostic> found;
  if (isCurrent())
    for (const compiler::Diagnostic &diagnostic : m_latest->result()->diagnostics)
      if (diagnostic.kind == compiler::DiagnosticKind::LaunchBlockInvalid ||
          diagnostic.kind == compiler::DiagnosticKind::LaunchUnknown)
        found.push_back(diagnostic);
  return found;
}

bool CompileController::isCurrent() const {
  return m_latest && m_document && m_latest->result()->revision == m_document->revision;
}

void CompileController::recompile() {
  if (m_document)
    submit();
}

void CompileController::giveWay() { m_hasGivenWay = m_running; }

void CompileController::resume() {
  if (m_hasGivenWay)
    recompile();
}

void CompileController::makeCurrent(std::shared_ptr<const KernelSource> source,
                                    KernelChoice choice) {
  const DocumentPointer before = m_document;
  const bool isSameFile = std::exchange(m_fileBefore, m_file) == m_file && before;
  m_document = makeDocument(++m_revision, std::move(source), std::move(choice), m_settings,
                            isSameFile ? before->kernel() : "");
  if (auto values = m_document->replacedValues())
    chosenOf(m_file).replaced = std::move(values);
  rememberKernel();
  const bool isOther = !isSameFile || isOtherSubject(*before);
  if (isOther)
    restore();
  Q_EMIT documentChanged(m_document);
  if (isOther)
    Q_EMIT subjectChanged(m_latest);
  else if (!isSameChoice(*before, *m_document))
    Q_EMIT choiceChanged();
  submit();
}

/// The kernel stays the same one while its launch block is being typed and cannot be read, or the
/// text does not parse. One that the text has no longer is forgotten.
void CompileController::rememberKernel() {
  std::string &kernel = choiceOf(m_file).kernel;
  const bool isGone = m_document->choice.kernel != kernel;
  if (kernel.empty() || (isGone && m_document->source->syntaxErrors.empty()))
    kernel = m_document->kernel();
}

/// Another kernel of the same file; not one that got another name.
bool CompileController::isOtherSubject(const KernelDocument &before) const {
  const std::string kernel = before.kernel();
  return !kernel.empty() && m_document->kernel() != kernel &&
         findKernel(m_document->source->kernels, kernel);
}

/// Nothing of another file or kernel remains.
void CompileController::restore() {
  const Compiled *kept = m_kept.find(m_file, m_document->kernel());
  m_latest = kept ? kept->result : nullptr;
  m_latestDocument = kept ? kept->document : nullptr;
  m_isRestored = true;
  m_places.clear();
  if (kept)
    m_places.take(kept->result, kept->document->source, true);
}

void CompileController::submit() {
  m_request = m_document->request();
  m_request.recordPassIr = m_wanted.passIr;
  // Machine code is made in any case: registers and spills come from it.
  m_request.stopAfter = StageId::Cubin;
  for (const compiler::StageKind &kind : compiler::kStageKinds)
    if (kind.id > StageId::Cubin && m_wanted.wants(kind.id))
      m_request.stopAfter = kind.id;
  m_sinceEdit.restart();
  m_running = true;
  m_hasGivenWay = false;
  Q_EMIT started();
  m_asked = m_wanted;
  m_backend->compile(m_request, m_wanted);
}

} // namespace tilescope::app
