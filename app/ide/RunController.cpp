// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/RunController.h"

#include "app/ide/GpuRun.h"
#include "app/ide/RunForm.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Npy.h"
#include "profiler/package/LaunchBlock.h"
#include "views/run/RunView.h"

#include <set>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

RunController::RunController(CompileBackend *backend, CompileController *compile, QWidget *window)
    : QObject(window), m_backend(backend), m_compile(compile), m_view(new views::RunView(window)) {
  connectGpu();
  connect(m_view, &views::RunView::fieldEdited, this, &RunController::editField);
  connect(m_view, &views::RunView::createBlockRequested, this, &RunController::writeBlock);
  connect(m_view, &views::RunView::placeRequested, this, &RunController::placeRequested);
  connect(m_view, &views::RunView::launchChosen, this, [this](int index) {
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
  auto *gpu = new GpuRun(this);
  m_view->setPlaces({tr("Interpreter")});
  connect(gpu, &GpuRun::devicesFound, m_view, [this](const QStringList &names) {
    m_view->setPlaces(QStringList{tr("Interpreter")} + names);
    Q_EMIT devicesFound(names);
  });
  connect(m_view, &views::RunView::runRequested, this, [this, gpu] {
    if (m_view->place() <= 0)
      return runOnInterpreter();
    m_view->setFindings({});
    m_view->setRunning(true);
    m_view->setStatus(tr("Running on the GPU…"), false);
    compiler::Selection chosen = m_compile->selection();
    if (chosen.kernel.empty())
      chosen.kernel = m_compile->request().selection.kernel;
    gpu->run(m_view->place() - 1, m_compile->request(), chosen);
  });
  connect(m_view, &views::RunView::cancelRequested, this, [this, gpu] {
    cancel();
    gpu->cancel();
  });
  connect(
      gpu, &GpuRun::finished, this,
      [this](const QString &summary, bool ok, const std::vector<views::RunOutputTensor> &outputs) {
        m_view->setRunning(false);
        m_view->setStatus(summary, !ok);
        m_view->setOutputs(outputs);
        Q_EMIT finished();
      });
  gpu->findDevices();
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

void RunController::updateConfigurations() {
  m_configurations.clear();
  // Most files have none, and need not be parsed for it.
  if (m_text.find("autotune") == std::string::npos)
    return;
  const auto tree = compiler::ast::parseModule(m_text);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  if (const compiler::ast::JitFunction *kernel = index.findFunction(m_result->kernel))
    m_configurations = compiler::configurationsOf(index, *kernel);
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
  m_view->setForm(runForm(profiler::parseLaunchBlocks(m_text), m_launch, m_result.get()));
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

void RunController::editAssumption(const QString &table, const QString &name,
                                   const std::string &value) {
  compiler::Selection selection = m_compile->selection();
  auto &values = table == u"signature"    ? selection.signature
                 : table == u"constexprs" ? selection.constexprs
                                          : selection.options;
  // An emptied field leaves it to the compiler again.
  if (value.empty())
    values.erase(name.toStdString());
  else
    values[name.toStdString()] = value;
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

void RunController::writeBlock() {
  if (!m_result || m_result->metadata.parameters.empty()) {
    m_view->setStatus(tr("A block can be written as soon as the kernel compiles."), true);
    return;
  }
  // Before the decorators of the kernel, with an empty line on both sides.
  const std::string definition = "def " + m_result->kernel;
  size_t at = std::min(m_text.find(definition), m_text.size());
  while (at > 0) {
    const size_t lineStart = at < 2 ? 0 : m_text.rfind('\n', at - 2) + 1;
    if (m_text.compare(lineStart, 1, "@") != 0)
      break;
    at = lineStart;
  }
  std::string edited = m_text;
  edited.insert(at, profiler::formatLaunchBlock(suggestedBlock(*m_result)) + "\n\n");
  Q_EMIT sourceEdited(text(edited));
}

void RunController::runOnInterpreter() {
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
