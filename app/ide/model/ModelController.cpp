// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/model/ModelController.h"

#include "app/commands/ModelTimes.h"
#include "compiler/support/BytesText.h"
#include "views/model/ModelWords.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

using compiler::ModelResult;
using views::ModelExtent;
using views::ShownModel;

static QString text(const std::string &value) { return QString::fromStdString(value); }

ModelController::ModelController(ModelBackend *backend, CompileController *compile, QWidget *window)
    : QObject(window), m_backend(backend), m_compile(compile),
      m_view(new views::ModelView(window)) {
  connect(m_backend, &ModelBackend::done, this, &ModelController::take);
  connect(m_backend, &ModelBackend::checking, this, &ModelController::noteChecking);
  connect(m_backend, &ModelBackend::checked, this, &ModelController::takeVerdict);
  connect(m_view, &views::ModelView::checkRequested, this, &ModelController::check);
  connect(m_view, &views::ModelView::stopRequested, m_backend, &ModelBackend::stopCheck);
  connect(m_compile, &CompileController::documentChanged, this, &ModelController::followDocument);
  connect(m_view, &views::ModelView::extentsChanged, this, &ModelController::replan);
  connectFusions();
  connectTimes();
  connect(m_view, &views::ModelView::kernelShown, this,
          [this](int kernel) { choose(kernel, false); });
  connect(m_view, &views::ModelView::kernelRequested, this,
          [this](int kernel) { choose(kernel, true); });
  showFront();
}

void ModelController::open(const QObject *file, const ModelOrigin &origin) {
  Entry &entry = m_entries[file];
  entry.origin = origin;
  request(file, entry);
}

void ModelController::request(const QObject *file, Entry &entry) {
  // The one that another file waits for is read again when that is in front.
  entry.number = ++m_lastNumber;
  entry.verdict.clear();
  entry.spans.clear();
  entry.steadyUs = entry.beforeUs = 0;
  dropMeasurements(entry);
  m_backend->read({entry.number, entry.origin.path.toStdString(), entry.origin.extents,
                   entry.origin.fusions, target()});
  if (file == m_front)
    showFront();
}

void ModelController::take(uint64_t number, const Result<OpenedModelPointer> &opened) {
  const auto found =
      std::ranges::find(m_entries, number, [](const auto &each) { return each.second.number; });
  if (found == m_entries.end())
    return;
  const QObject *file = found->first;
  Entry &entry = found->second;
  if (!opened && opened.error().code == ErrorCode::Cancelled)
    return;
  entry.number = 0;
  entry.failure = opened ? QString() : text(opened.error().message);
  if (opened)
    keep(file, entry, **opened);
  if (file == m_front)
    showFront();
  Q_EMIT settled(file);
}

std::string ModelController::target() const {
  const std::string chosen =
      m_compile->document() ? m_compile->document()->settings.target : std::string();
  return chosen.empty() ? kUsualTarget : chosen;
}

void ModelController::keep(const QObject *file, Entry &entry, const OpenedModel &opened) {
  const ModelResult &result = opened.result;
  ModelTimes times = modelTimes(result, target());
  entry.variants = opened.variants;
  entry.model =
      std::make_shared<const ShownModel>(result, std::move(times.us), std::move(times.device));
  entry.extents.clear();
  for (const auto &[name, value] : opened.extents)
    entry.extents.push_back({text(name), value, opened.areGuesses});
  entry.origin.extents = opened.extents;
  Q_EMIT originChanged();
  if (result.text.empty())
    return;
  entry.before = std::exchange(entry.text, result.text);
  Q_EMIT generated(file, text(result.text), !entry.before.empty());
}

void ModelController::replan(const std::vector<ModelExtent> &extents) {
  const auto entry = m_entries.find(m_front);
  if (entry == m_entries.end())
    return;
  entry->second.extents = extents;
  ModelExtents numbers;
  for (const ModelExtent &each : extents)
    numbers.emplace_back(each.name.toStdString(), each.value);
  entry->second.origin.extents = std::move(numbers);
  request(entry->first, entry->second);
}

std::optional<ModelOrigin> ModelController::origin(const QObject *file) const {
  const auto entry = m_entries.find(file);
  return entry == m_entries.end() ? std::nullopt : std::optional(entry->second.origin);
}

bool ModelController::isGenerated(const QObject *file, const std::string &text) const {
  const auto entry = m_entries.find(file);
  return entry != m_entries.end() && (entry->second.before == text || entry->second.text == text);
}

void ModelController::setFront(const QObject *file) {
  m_front = file;
  const auto entry = m_entries.find(file);
  // Its request was ended by another file's.
  if (entry != m_entries.end() && entry->second.number != 0 && entry->second.number != m_lastNumber)
    request(entry->first, entry->second);
  showFront();
}

void ModelController::forget(const QObject *file) {
  m_entries.erase(file);
  if (file == m_front)
    setFront(nullptr);
}

/// `recognition.onnx · 398 nodes, 71 kernels instead of 418 · moves 61.3 MiB instead of 457 MiB`
static QString titleOf(const QString &path, const ShownModel &model) {
  const ModelResult &result = model.result();
  QStringList facts{QFileInfo(path).fileName()};
  if (!result.producer.empty())
    facts << text(result.producer);
  facts << ModelController::tr("%1 nodes").arg(result.numNodes);
  if (!result.kernels.empty()) {
    facts << ModelController::tr("%1 kernels instead of %2")
                 .arg(model.numKernels())
                 .arg(result.numUnfusedKernels);
    facts << ModelController::tr("moves %1 instead of %2")
                 .arg(text(bytesText(model.totalBytes())), text(bytesText(result.unfusedBytes)));
    facts << ModelController::tr("arena of %1, at least %2")
                 .arg(text(bytesText(result.arenaBytes)), text(bytesText(result.leastArenaBytes)));
  }
  facts << ModelController::tr("weights of %1").arg(text(bytesText(result.weightBytes)));
  if (!model.timesUs().empty())
    facts << ModelController::tr("at least %1 on %2")
                 .arg(views::timeText(model.totalUs()), text(model.device()));
  return facts.join(QStringLiteral(" · "));
}

static QString faultOf(const ModelResult &result) {
  const auto fault = std::ranges::find(result.diagnostics, compiler::Severity::Error,
                                       &compiler::ModelDiagnostic::severity);
  if (fault == result.diagnostics.end())
    return {};
  const auto count = std::ranges::count(result.diagnostics, compiler::Severity::Error,
                                        &compiler::ModelDiagnostic::severity);
  const QString first =
      (fault->node.empty() ? QString() : text("`" + fault->node + "`: ")) + text(fault->message);
  return count == 1 ? first
                    : ModelController::tr("%1 (and %2 more in Problems)").arg(first).arg(count - 1);
}

void ModelController::showFront() {
  const auto found = m_entries.find(m_front);
  if (found == m_entries.end())
    return m_view->clear(
        tr("A model (`.onnx`, `.pt2`) is shown here with the kernels that are made of it: "
           "open one, or the file with its kernels."));
  const Entry &entry = found->second;
  const QString name = QFileInfo(entry.origin.path).fileName();
  if (!entry.model)
    return m_view->clear(entry.failure.isEmpty() ? tr("Reading %1…").arg(name) : entry.failure);
  if (m_view->model() != entry.model) {
    m_view->setModel(entry.model, titleOf(entry.origin.path, *entry.model));
    showChosenEdge(found->second);
  }
  m_view->setExtents(entry.extents);
  const QString fault = entry.failure.isEmpty() ? faultOf(entry.model->result()) : entry.failure;
  if (entry.number != 0)
    m_view->setState(tr("Reading %1 again…").arg(name));
  else if (fault.isEmpty())
    m_view->setState(entry.verdict, entry.isVerdictFault);
  else
    m_view->setState(fault, true);
  m_view->setChecking(entry.check != 0);
  showVariants(entry);
  followDocument();
}

/// The kernel with the document's launch is the chosen one.
void ModelController::followDocument() {
  const DocumentPointer document = m_compile->document();
  const ShownModel *model = m_view->model().get();
  if (!model || !document || m_compile->file() != m_front)
    return;
  if (Entry &entry = m_entries.at(m_front);
      entry.check == 0 && !entry.verdict.isEmpty() && entry.checkedText != document->source->text) {
    entry.verdict.clear();
    showFront();
  }
  showTimes(m_entries.at(m_front));
  const profiler::LaunchBlock *block = document->launchBlock();
  m_view->showKernel(block ? model->kernelOfLaunch(block->name) : -1);
}

void ModelController::choose(int kernel, bool goesThere) {
  const DocumentPointer document = m_compile->document();
  if (!document || m_compile->file() != m_front)
    return;
  const std::string &launch = m_view->model()->result().kernels[static_cast<size_t>(kernel)].launch;
  const std::vector<profiler::LaunchBlock> &blocks = document->source->launches.blocks;
  const auto block = std::ranges::find(blocks, launch, &profiler::LaunchBlock::name);
  if (block != blocks.end())
    Q_EMIT launchWanted(static_cast<int>(block - blocks.begin()), goesThere);
}

/// Why the kernels of a text are not run; empty: nothing is known against it.
static QString whyNotChecked(const KernelDocument &document, const CompileController &compile) {
  std::vector<compiler::Diagnostic> faults = document.source->syntaxErrors;
  const CorrelationPointer &latest = compile.latest();
  const compiler::Stage *ttir = latest ? latest->result()->stage(compiler::StageId::Ttir) : nullptr;
  if (latest && !compile.isRunning() && compile.isCurrent() && !(ttir && ttir->ok))
    std::ranges::copy_if(latest->result()->diagnostics, std::back_inserter(faults),
                         [](const compiler::Diagnostic &each) {
                           return each.severity == compiler::Severity::Error &&
                                  each.range.file == 0;
                         });
  return faults.empty()
             ? QString()
             : ModelController::tr("Not checked: the text does not compile. Line %1: %2. "
                                   "Problems lists all that is wrong.")
                   .arg(faults.front().range.begin.line + 1)
                   .arg(text(faults.front().message));
}

void ModelController::check() {
  const auto entry = m_entries.find(m_front);
  const DocumentPointer document = m_compile->document();
  // A model that is being read would be read no more.
  if (entry == m_entries.end() || entry->second.number != 0 || !document ||
      m_compile->file() != m_front)
    return;
  entry->second.checkedText = document->source->text;
  entry->second.verdict = whyNotChecked(*document, *m_compile);
  entry->second.isVerdictFault = !entry->second.verdict.isEmpty();
  if (entry->second.isVerdictFault)
    return showFront();
  entry->second.check = ++m_lastNumber;
  entry->second.verdict = tr("Planning the kernels…");
  dropMeasurements(entry->second);
  m_backend->check({entry->second.chosenModel(entry->second.check), document->source->text,
                    document->source->name()});
  showFront();
}

ChosenModel ModelController::Entry::chosenModel(uint64_t ofRequest) const {
  return {ofRequest, origin.path.toStdString(), origin.extents.value_or(ModelExtents()),
          origin.fusions};
}

ModelController::Entry *ModelController::checked(uint64_t number) {
  const auto found =
      std::ranges::find(m_entries, number, [](const auto &each) { return each.second.check; });
  return found == m_entries.end() ? nullptr : &found->second;
}

void ModelController::noteChecking(uint64_t number, int done, int total) {
  Entry *entry = checked(number);
  if (!entry)
    return;
  // The model's own operations run first, each as one kernel.
  const int numKernels = entry->model ? static_cast<int>(entry->model->numKernels()) : 0;
  const int numOperations = std::max(0, total - numKernels);
  entry->verdict =
      done <= numOperations
          ? tr("Checking: %1 of the model's %2 own operations have run…")
                .arg(done)
                .arg(numOperations)
          : tr("Checking: %1 of %2 kernels have run…").arg(done - numOperations).arg(numKernels);
  showFront();
}

void ModelController::takeVerdict(uint64_t number, const Result<ModelVerdict> &verdict) {
  Entry *entry = checked(number);
  if (!entry)
    return;
  entry->check = 0;
  const bool isStopped = !verdict && verdict.error().code == ErrorCode::Cancelled;
  entry->isVerdictFault = !isStopped && (!verdict || verdict->isFault);
  entry->verdict = isStopped  ? tr("The check was stopped.")
                   : !verdict ? text(verdict.error().message)
                              : text(verdict->text).trimmed();
  showFront();
  const auto front = m_entries.find(m_front);
  if (verdict && verdict->kernel && front != m_entries.end() && entry == &front->second)
    choose(static_cast<int>(*verdict->kernel), false);
}

std::vector<compiler::Diagnostic>
ModelController::diagnostics(const QObject *file, std::vector<compiler::SourceFile> &files) const {
  std::vector<compiler::Diagnostic> all;
  const auto entry = m_entries.find(file);
  if (entry == m_entries.end() || !entry->second.model ||
      entry->second.model->result().diagnostics.empty())
    return all;
  files.push_back({entry->second.origin.path.toStdString(), {}});
  for (const compiler::ModelDiagnostic &each : entry->second.model->result().diagnostics) {
    compiler::Diagnostic diagnostic;
    diagnostic.severity = each.severity;
    diagnostic.range.file = static_cast<uint32_t>(files.size() - 1);
    diagnostic.message = each.node.empty() ? each.message
                                           : "node `" + each.node + "` (`" + each.operatorName +
                                                 "`): " + each.message;
    all.push_back(std::move(diagnostic));
  }
  return all;
}

} // namespace tilescope::app
