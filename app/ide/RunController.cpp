// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/RunController.h"

#include "app/ide/GpuRun.h"
#include "profiler/data/Npy.h"
#include "profiler/package/LaunchBlock.h"
#include "views/run/RunView.h"

#include <set>

namespace tilescope::app {

using profiler::LaunchBlock;
using views::RunField;
using views::RunForm;
using views::RunSection;

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
  });
  connect(m_view, &views::RunView::runRequested, this, [this, gpu] {
    if (m_view->place() <= 0)
      return runOnInterpreter();
    m_view->setFindings({});
    m_view->setRunning(true);
    m_view->setStatus(tr("Running on the GPU…"), false);
    gpu->run(m_view->place() - 1, m_compile->request());
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

void RunController::setResult(ResultPointer result) { m_result = std::move(result); }

static RunField field(std::vector<std::string> path, const std::string &label,
                      const profiler::LaunchExpression &value, bool quoted) {
  RunField result;
  for (const std::string &part : path)
    result.path << text(part);
  result.label = text(label);
  result.text = text(value.text);
  result.quoted = quoted;
  return result;
}

static RunSection section(const QString &title, const char *table,
                          const std::vector<profiler::LaunchEntry> &entries) {
  RunSection result{title, {}};
  for (const profiler::LaunchEntry &entry : entries)
    result.fields.push_back(
        field({table, entry.name}, entry.name, entry.value, entry.value.textBegin.has_value()));
  return result;
}

RunForm runForm(const profiler::LaunchBlocks &blocks, int current) {
  RunForm form;
  for (const profiler::LaunchProblem &problem : blocks.problems)
    if (problem.isError && form.problem.isEmpty())
      form.problem =
          QObject::tr("line %1: %2").arg(problem.range.begin.line + 1).arg(text(problem.message));
  if (blocks.blocks.empty()) {
    form.canCreate = blocks.problems.empty();
    if (form.problem.isEmpty())
      form.problem = QObject::tr("The file says nothing about how to launch the kernel.");
    return form;
  }
  for (size_t i = 0; i < blocks.blocks.size(); ++i) {
    const LaunchBlock &block = blocks.blocks[i];
    form.launches << (!block.name.empty()     ? text(block.name)
                      : !block.kernel.empty() ? text(block.kernel)
                                              : QObject::tr("launch %1").arg(i + 1));
  }
  form.current = std::clamp(current, 0, static_cast<int>(blocks.blocks.size()) - 1);
  const LaunchBlock &block = blocks.blocks[form.current];
  form.sections.push_back(section(QObject::tr("Sizes"), "sizes", block.sizes));
  form.sections.push_back(section(QObject::tr("Constexprs"), "constexprs", block.constexprs));
  form.sections.push_back(section(QObject::tr("Options"), "options", block.options));
  RunSection arguments{QObject::tr("Arguments"), {}};
  for (const profiler::LaunchArgument &argument : block.args) {
    if (!argument.isTensor) {
      arguments.fields.push_back(field({"args", argument.name}, argument.name, argument.value,
                                       argument.value.textBegin.has_value()));
      continue;
    }
    arguments.fields.push_back(
        field({"args", argument.name, "dtype"}, argument.name + " dtype", argument.dtype, true));
    if (!argument.init.text.empty())
      arguments.fields.push_back(
          field({"args", argument.name, "init"}, argument.name + " init", argument.init, true));
  }
  form.sections.push_back(std::move(arguments));
  RunSection grid{QObject::tr("Grid"), {}};
  QStringList extents;
  for (const profiler::LaunchExpression &extent : block.grid)
    extents << text(extent.text);
  grid.fields.push_back({{QStringLiteral("grid")},
                         QObject::tr("programs"),
                         extents.join(QStringLiteral(", ")),
                         false});
  form.sections.push_back(std::move(grid));
  return form;
}

void RunController::updateForm() {
  m_view->setForm(runForm(profiler::parseLaunchBlocks(m_text), m_launch));
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

void RunController::editField(const QStringList &path, const QString &value, bool quoted) {
  profiler::LaunchEdit edit;
  for (const QString &part : path)
    edit.path.push_back(part.toStdString());
  bool isNumber = false;
  value.toDouble(&isNumber);
  if (path.front() == u"grid")
    edit.toml = gridToml(value.toStdString());
  else
    edit.toml =
        quoted || !isNumber ? profiler::tomlString(value.toStdString()) : value.toStdString();
  const Result<std::string> edited = profiler::editLaunchBlock(
      m_text, static_cast<size_t>(m_view ? std::max(0, m_launch) : 0), {edit});
  if (!edited) {
    m_view->setStatus(text(edited.error().message), true);
    return;
  }
  Q_EMIT sourceEdited(text(*edited));
}

LaunchBlock suggestedBlock(const compiler::CompileResult &result) {
  LaunchBlock block;
  block.kernel = result.kernel;
  profiler::LaunchEntry size;
  size.name = "size";
  size.value.text = "4096";
  block.sizes.push_back(size);
  for (const auto &[name, value] : result.constexprs) {
    profiler::LaunchEntry entry;
    entry.name = name;
    entry.value.text = value;
    block.constexprs.push_back(entry);
  }
  for (const compiler::KernelParameter &parameter : result.metadata.parameters) {
    profiler::LaunchArgument argument;
    argument.name = parameter.name;
    argument.isTensor = parameter.type.starts_with("*");
    if (argument.isTensor) {
      argument.dtype.text = parameter.type.substr(1);
      argument.shape.push_back({"size", {}, {}});
      argument.init.text = parameter.type.find("fp") != std::string::npos ||
                                   parameter.type.find("bf") != std::string::npos
                               ? "randn"
                               : "arange";
    } else {
      argument.value.text = "size";
    }
    block.args.push_back(std::move(argument));
  }
  profiler::LaunchExpression grid;
  grid.text =
      result.constexprs.empty() ? "1" : "cdiv(size, " + result.constexprs.begin()->first + ")";
  block.grid.push_back(grid);
  return block;
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
  for (const compiler::RunOutput &output : reply.outputs) {
    Result<profiler::Tensor> tensor = profiler::readNpy(output.path);
    if (tensor)
      outputs.push_back(
          {text(output.name), std::make_shared<const profiler::Tensor>(std::move(*tensor)), {}});
  }
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
