// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/RunController.h"

#include "app/ide/GpuRun.h"
#include "app/ide/RunForm.h"
#include "app/launch/InputFile.h"
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
    m_launch = index;
    compiler::Selection selection = m_compile->selection();
    selection.launch = std::to_string(index);
    selection.kernel.clear();
    m_compile->setSelection(selection);
    updateForm();
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
  if (m_gpu->isRunning())
    return;
  m_view->setFindings({});
  m_view->setRunning(true);
  m_view->setStatus(tr("Running on the GPU…"), false);
  compiler::Selection chosen = m_compile->selection();
  // The text is run without what lies beside its file.
  completeSelection(chosen, m_compile->facts());
  if (chosen.kernel.empty())
    chosen.kernel = m_compile->request().selection.kernel;
  m_gpu->run(m_view->form().place() - 1, m_compile->request(), chosen);
}

void RunController::setText(std::string newText) {
  m_text = std::move(newText);
  updateForm();
}

void RunController::setResult(ResultPointer result) {
  m_result = std::move(result);
  updateConfigurations();
  updateForm();
}

void RunController::clear() {
  m_text.clear();
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
  if (const auto plan = resolveLaunch(m_text, m_compile->selection()).plan)
    for (const profiler::PlanArgument &argument : plan->args)
      if (const profiler::PlanScalar *scalar = argument.scalar())
        known[argument.name] = scalarText(scalar->value);
  return known;
}

void RunController::updateConfigurations() {
  m_configurations.clear();
  // Most files have none, and need not be parsed for it.
  if (m_text.find("autotune") == std::string::npos &&
      m_text.find("heuristics") == std::string::npos)
    return;
  const auto tree = compiler::ast::parseModule(m_text);
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
  if (!titles.isEmpty())
    titles.prepend(tr("as launched"));
  return titles;
}

int RunController::chosenConfiguration() const {
  const compiler::Selection &chosen = m_compile->selection();
  const compiler::Configuration wanted{chosen.constexprs, chosen.options};
  const auto found = std::find(m_configurations.begin(), m_configurations.end(), wanted);
  return found == m_configurations.end() ? 0
                                         : static_cast<int>(found - m_configurations.begin()) + 1;
}

void RunController::chooseConfiguration(int index) {
  if (index < 0 || index > static_cast<int>(m_configurations.size()))
    return;
  const compiler::Configuration configuration =
      index == 0 ? compiler::Configuration() : m_configurations[static_cast<size_t>(index - 1)];
  compiler::Selection selection = m_compile->selection();
  selection.constexprs = configuration.constexprs;
  selection.options = configuration.options;
  m_compile->setSelection(selection);
}

void RunController::updateForm() {
  m_view->form().setForm(runForm(profiler::parseLaunchBlocks(m_text), m_launch, m_result.get()));
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
  if (m_compile->request().entry == compiler::StageId::Ast) {
    if (m_result && !value.empty())
      writeBlock(editedBlock(*m_result, table.toStdString(), name.toStdString(), value));
    else
      updateForm();
    return;
  }
  compiler::Selection selection = m_compile->selection();
  if (value.empty())
    selection.options.erase(name.toStdString());
  else
    selection.options[name.toStdString()] = value;
  m_compile->setSelection(selection);
}

void RunController::editField(const QStringList &path, const QString &value) {
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
      m_text, static_cast<size_t>(m_view ? std::max(0, m_launch) : 0), {edit});
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
  const compiler::StageId entry = m_compile->request().entry;
  const std::string block = profiler::formatLaunchBlock(launch, commentMark(entry, m_text)) + "\n";
  if (entry != compiler::StageId::Ast) {
    Q_EMIT sourceEdited(text(block + m_text));
    return;
  }
  std::string edited = m_text;
  edited.insert(kernelBegin(m_text, launch.kernel), block + "\n");
  Q_EMIT sourceEdited(text(edited));
}

void RunController::runOnInterpreter() {
  const compiler::CompileRequest &compiled = m_compile->request();
  if (const std::optional<Error> refusal = interpreterRefusal(compiled.path, compiled.entry)) {
    m_view->setStatus(text(refusal->message), true);
    Q_EMIT finished();
    return;
  }
  compiler::Selection wanted = m_compile->selection();
  const ResolvedLaunch launch = resolveLaunch(m_text, wanted);
  m_view->setFindings(launch.diagnostics);
  if (!launch.plan) {
    m_view->setStatus(launch.diagnostics.empty()
                          ? tr("The file has no launch block for this kernel.")
                          : text(launch.diagnostics.front().message),
                      true);
    Q_EMIT finished();
    return;
  }
  m_outputs = std::make_unique<QTemporaryDir>();
  if (!m_outputs->isValid()) {
    m_view->setStatus(
        tr("No folder for the outputs could be made: %1").arg(m_outputs->errorString()), true);
    return;
  }
  compiler::CompileRequest request = m_compile->request();
  request.selection = launch.selection;
  request.stopAfter = compiler::StageId::Ttir;
  m_running = true;
  m_view->setRunning(true);
  m_view->setStatus(tr("Running %1…").arg(text(launch.plan->kernel)), false);
  m_backend->interpret(request, profiler::launchPlanToJson(*launch.plan),
                       m_outputs->path().toStdString());
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
