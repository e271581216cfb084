// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/RunController.h"

#include "app/ide/GpuRun.h"
#include "app/ide/RunForm.h"
#include "app/launch/InputFile.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/TritonCache.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Npy.h"
#include "profiler/package/LaunchBlock.h"
#include "views/run/RunView.h"

#include <QLocale>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

RunController::RunController(CompileBackend *backend, CompileController *compile, QWidget *window)
    : QObject(window), m_backend(backend), m_compile(compile), m_view(new views::RunView(window)),
      m_gpu(new GpuRun(this)) {
  connectGpu();
  connect(&m_view->form(), &views::RunFormView::fieldEdited, this, &RunController::editField);
  connect(&m_view->form(), &views::RunFormView::createBlockRequested, this, [this] {
    if (m_result)
      writeBlock(suggestedBlock(*m_result));
  });
  connect(m_view, &views::RunView::placeRequested, this, &RunController::placeRequested);
  connect(&m_view->form(), &views::RunFormView::launchChosen, this, [this](int index) {
    if (m_document && index >= 0)
      m_compile->setChoice(chooseLaunch(*m_document, index));
  });
  connect(m_backend, &CompileBackend::runProgressed, m_view, &views::RunView::setProgress);
  connect(m_backend, &CompileBackend::runFinished, this, &RunController::showRun);
}

/// Place 0 is the interpreter; the GPUs follow.
void RunController::connectGpu() {
  m_view->form().setPlaces({tr("Interpreter")});
  connect(m_gpu, &GpuRun::devicesFound, m_view, [this](const QStringList &names) {
    m_view->form().setPlaces(QStringList{tr("Interpreter")} + names);
    Q_EMIT devicesFound(names);
  });
  connect(&m_view->form(), &views::RunFormView::runRequested, this, &RunController::run);
  connect(&m_view->form(), &views::RunFormView::cancelRequested, this, &RunController::cancel);
  connect(m_gpu, &GpuRun::finished, this, [this](const GpuRunOutcome &outcome) {
    m_view->setRunning(false);
    m_view->setStatus(outcome.text, !outcome.ok);
    m_view->setOutputs(outcome.outputs);
    m_view->setFindings(outcome.findings);
    Q_EMIT finished();
  });
  m_gpu->findDevices();
}

void RunController::run() {
  if (m_view->form().place() <= 0)
    return runOnInterpreter();
  if (m_gpu->isRunning() || !m_document)
    return;
  m_view->setFindings({});
  m_view->setRunning(true);
  m_view->setStatus(tr("Running on the GPU…"), false);
  const compiler::CompileRequest request = m_document->request();
  compiler::Selection chosen = request.selection;
  // The text is run without what lies beside its file.
  completeSelection(chosen, request.facts);
  m_gpu->run(m_view->form().place() - 1, request, chosen);
}

void RunController::setDocument(DocumentPointer document) {
  const bool isSameKernel =
      document && m_document && document->source->path == m_document->source->path &&
      document->kernel() == m_document->kernel() && document->launch == m_document->launch;
  // What was assumed about one kernel says nothing about another.
  if (!isSameKernel)
    m_result.reset();
  m_document = std::move(document);
  updateForm();
}

void RunController::setResult(ResultPointer result) {
  m_result = std::move(result);
  updateConfigurations();
  updateForm();
  if (std::exchange(m_isRunWaiting, false))
    runOnInterpreter();
}

void RunController::clear() {
  m_document.reset();
  m_isRunWaiting = false;
  m_result.reset();
  m_configurations.clear();
  m_view->form().setForm({});
  m_view->setOutputs({});
  m_view->setFindings({});
  m_view->setStatus(tr("No file is open: there is nothing to run."), false);
}

/// As the kernel's language writes it.
static std::string scalarText(const profiler::ScalarValue &value) {
  struct Visitor {
    std::string operator()(bool flag) const { return flag ? "True" : "False"; }
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(uint64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const {
      return QByteArray::number(number, 'g', QLocale::FloatingPointShortest).toStdString();
    }
  };
  return std::visit(Visitor{}, value);
}

std::map<std::string, std::string> RunController::knownArguments() const {
  std::map<std::string, std::string> known = m_result->constexprs;
  if (const auto plan = planOf(m_result->launch))
    for (const profiler::PlanArgument &argument : plan->args)
      if (const profiler::PlanScalar *scalar = argument.scalar())
        known[argument.name] = scalarText(scalar->value);
  return known;
}

void RunController::updateConfigurations() {
  m_configurations.clear();
  if (!m_document || !m_result)
    return;
  // Most files have none, and need not be parsed for it.
  const std::string &source = m_document->source->text;
  if (source.find("autotune") == std::string::npos &&
      source.find("heuristics") == std::string::npos)
    return;
  const auto tree = compiler::ast::parseModule(source);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  if (const compiler::ast::JitFunction *kernel = index.findFunction(m_result->kernel))
    m_configurations = compiler::offeredConfigurations(index, *kernel, knownArguments());
}

QStringList RunController::configurationTitles() const {
  QStringList titles;
  for (const compiler::Configuration &configuration : m_configurations) {
    QStringList parts;
    for (const auto &[name, value] : configuration.constexprs)
      parts << text(name + "=" + value);
    for (const auto &[name, value] : configuration.options)
      parts << text(name + "=" + value);
    titles << parts.join(QStringLiteral("  "));
  }
  if (!titles.isEmpty() && m_document->launch >= 0)
    titles.prepend(tr("as launched"));
  return titles;
}

/// Whether the result was compiled for the configuration.
static bool isCompiled(const compiler::CompileResult &result,
                       const compiler::Configuration &configuration) {
  const auto holds = [](const auto &all, const auto &some) {
    return std::ranges::all_of(some, [&](const auto &entry) {
      const auto known = all.find(entry.first);
      return known != all.end() && known->second == entry.second;
    });
  };
  return holds(result.constexprs, configuration.constexprs) &&
         holds(result.options, configuration.options);
}

int RunController::chosenConfiguration() const {
  if (!m_document || !m_result)
    return -1;
  const bool isLaunched = m_document->launch >= 0;
  const KernelChoice &chosen = m_document->choice;
  const bool isChosen = !chosen.constexprs.empty() || !chosen.options.empty();
  if (isLaunched && !isChosen)
    return 0;
  const compiler::Configuration wanted{chosen.constexprs, chosen.options};
  const auto found = std::ranges::find_if(m_configurations, [&](const auto &each) {
    return isChosen ? each == wanted : isCompiled(*m_result, each);
  });
  return found == m_configurations.end()
             ? -1
             : static_cast<int>(found - m_configurations.begin()) + (isLaunched ? 1 : 0);
}

void RunController::chooseConfiguration(int index) {
  if (!m_document)
    return;
  // The first entry of a launched kernel leaves the choice to its launch block.
  const int at = m_document->launch >= 0 ? index - 1 : index;
  if (at >= static_cast<int>(m_configurations.size()))
    return;
  const compiler::Configuration configuration =
      at < 0 ? compiler::Configuration() : m_configurations[static_cast<size_t>(at)];
  KernelChoice choice = m_document->choice;
  choice.constexprs = configuration.constexprs;
  choice.options = configuration.options;
  m_compile->setChoice(choice);
}

void RunController::updateForm() {
  if (!m_document)
    return m_view->form().setForm({});
  m_view->form().setForm(runForm(m_document->source->launches, m_document->launch, m_result.get()));
}

/// `a, cdiv(b, 2)` as `["a", "cdiv(b, 2)"]`: commas within parentheses belong to an expression.
static std::string gridToml(const std::string &list) {
  std::string result = "[";
  std::string part;
  int depth = 0;
  auto flush = [&] {
    const size_t first = part.find_first_not_of(' ');
    if (first != std::string::npos)
      result += (result.size() > 1 ? ", " : "") +
                profiler::tomlString(part.substr(first, part.find_last_not_of(' ') - first + 1));
    part.clear();
  };
  for (char c : list) {
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth == 0)
      flush();
    else
      part += c;
  }
  flush();
  return result + "]";
}

/// What was assumed becomes the launch block that says otherwise. The options of a document in IR
/// are no part of a launch: they are chosen for the compile.
void RunController::editAssumption(const QString &table, const QString &name,
                                   const std::string &value) {
  if (!m_document)
    return;
  if (m_document->source->entry == compiler::StageId::Ast) {
    if (m_result && !value.empty())
      writeBlock(editedBlock(*m_result, table.toStdString(), name.toStdString(), value));
    else
      updateForm();
    return;
  }
  KernelChoice choice = m_document->choice;
  if (value.empty())
    choice.options.erase(name.toStdString());
  else
    choice.options[name.toStdString()] = value;
  m_compile->setChoice(choice);
}

void RunController::editField(const QStringList &path, const QString &value) {
  if (!m_document)
    return;
  if (path.front() == u"assumed")
    return editAssumption(path[1], path[2], value.trimmed().toStdString());
  profiler::LaunchEdit edit;
  for (const QString &part : path)
    edit.path.push_back(part.toStdString());
  bool isNumber = false;
  value.toDouble(&isNumber);
  if (path.front() == u"grid")
    edit.toml = gridToml(value.toStdString());
  else
    edit.toml = isNumber ? value.toStdString() : profiler::tomlString(value.toStdString());
  const Result<std::string> edited = profiler::editLaunchBlock(
      m_document->source->text, static_cast<size_t>(m_document->launch), {edit});
  if (!edited) {
    m_view->setStatus(text(edited.error().message), true);
    return;
  }
  Q_EMIT sourceEdited(text(*edited));
}

/// What begins a comment in a document of that stage.
static const char *commentMark(compiler::StageId entry, const std::string &document) {
  if (entry == compiler::StageId::Ast)
    return "#";
  // The same ending serves both textual forms of LLVM IR.
  const bool isMlir = document.find("llvm.func") != std::string::npos;
  return entry == compiler::StageId::LlvmIr && !isMlir ? ";" : "//";
}

/// Where the kernel begins with its decorators, in bytes.
static size_t kernelBegin(const std::string &document, const std::string &name) {
  const auto tree = compiler::ast::parseModule(document);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  const compiler::ast::JitFunction *kernel = index.findFunction(name);
  if (!kernel)
    return document.size();
  const auto &decorators = kernel->def->decoratorList;
  const uint32_t line =
      decorators.empty() ? kernel->def->range.begin.line : decorators.front()->range.begin.line;
  size_t at = 0;
  for (uint32_t i = 0; i < line; ++i)
    at = document.find('\n', at) + 1;
  return at;
}

void RunController::writeBlock(const profiler::LaunchBlock &launch) {
  if (launch.args.empty()) {
    m_view->setStatus(tr("A block can be written as soon as the kernel compiles."), true);
    return;
  }
  const compiler::StageId entry = m_document->source->entry;
  const std::string &source = m_document->source->text;
  const std::string block = profiler::formatLaunchBlock(launch, commentMark(entry, source)) + "\n";
  if (entry != compiler::StageId::Ast) {
    Q_EMIT sourceEdited(text(block + source));
    return;
  }
  std::string edited = source;
  edited.insert(kernelBegin(source, launch.kernel), block + "\n");
  Q_EMIT sourceEdited(text(edited));
}

void RunController::runOnInterpreter() {
  if (!m_document)
    return;
  compiler::CompileRequest request = m_document->request();
  if (const std::optional<Error> refusal = interpreterRefusal(request.path, request.entry)) {
    m_view->setStatus(text(refusal->message), true);
    Q_EMIT finished();
    return;
  }
  m_view->setFindings({});
  if (m_document->launch < 0 && m_document->source->launches.problems.empty()) {
    m_view->setStatus(tr("The file has no launch block for this kernel."), true);
    Q_EMIT finished();
    return;
  }
  // Which launch it is comes with the compile.
  if (!m_compile->isCurrent() || m_compile->isRunning()) {
    m_isRunWaiting = true;
    m_view->setStatus(tr("Waiting for the compile…"), false);
    return;
  }
  if (m_compile->latest()->result()->launch.plan.empty()) {
    m_view->setStatus(tr("The launch block has errors; Problems says which."), true);
    Q_EMIT finished();
    return;
  }
  m_outputs = std::make_unique<QTemporaryDir>();
  if (!m_outputs->isValid()) {
    m_view->setStatus(
        tr("No folder for the outputs could be made: %1").arg(m_outputs->errorString()), true);
    return;
  }
  request.stopAfter = compiler::StageId::Ttir;
  m_running = true;
  m_view->setRunning(true);
  const compiler::LaunchFacts &launch = m_compile->latest()->result()->launch;
  request.selection = launch.selection;
  m_view->setStatus(tr("Running…"), false);
  m_backend->interpret(request, launch.plan, m_outputs->path().toStdString());
}

void RunController::cancel() {
  if (m_running)
    m_backend->cancelRun();
  m_gpu->cancel();
}

void RunController::showRun(const compiler::RunDoneReply &reply) {
  m_running = false;
  m_view->setRunning(false);
  std::vector<views::RunOutputTensor> outputs;
  auto add = [&](const compiler::RunOutput &output) {
    Result<profiler::Tensor> tensor = profiler::readNpy(output.path);
    if (tensor)
      outputs.push_back({text(output.name),
                         std::make_shared<const profiler::Tensor>(std::move(*tensor)),
                         output.changed ? QString() : tr("not changed by the run")});
  };
  // What the kernel wrote is what one wants to see first.
  for (const bool changed : {true, false})
    for (const compiler::RunOutput &output : reply.outputs)
      if (output.changed == changed)
        add(output);
  const auto programs = static_cast<qulonglong>(reply.programs);
  if (reply.cancelled)
    m_view->setStatus(tr("Stopped."), false);
  else if (reply.ok)
    m_view->setStatus(tr("%1 programs in %2 ms on the interpreter")
                          .arg(programs)
                          .arg(static_cast<double>(reply.durationNs) / 1e6, 0, 'f', 1),
                      false);
  else
    m_view->setStatus(reply.diagnostics.empty() ? tr("The run failed.")
                                                : text(reply.diagnostics.front().message),
                      true);
  m_view->setOutputs(std::move(outputs));
  m_view->setFindings(reply.diagnostics);
  Q_EMIT finished();
}

} // namespace tilescope::app
