// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/RunForm.h"

#include <QObject>

#include <algorithm>

namespace tilescope::app {

using profiler::LaunchBlock;
using views::RunField;
using views::RunForm;
using views::RunSection;

static QString text(const std::string &value) { return QString::fromStdString(value); }

static RunField field(std::vector<std::string> path, const std::string &label,
                      const profiler::LaunchExpression &value) {
  RunField result;
  for (const std::string &part : path)
    result.path << text(part);
  result.label = text(label);
  result.text = text(value.text);
  return result;
}

static RunSection section(const QString &title, const char *table,
                          const std::vector<profiler::LaunchEntry> &entries) {
  RunSection result{title, {}};
  for (const profiler::LaunchEntry &entry : entries)
    result.fields.push_back(field({table, entry.name}, entry.name, entry.value));
  return result;
}

/// What the kernel is compiled for without a launch block: every part can be changed.
static std::vector<RunSection> assumedSections(const compiler::CompileResult &result) {
  auto field = [](const char *table, const std::string &name, const std::string &value) {
    return RunField{{QStringLiteral("assumed"), QString::fromLatin1(table), text(name)},
                    text(name),
                    text(value)};
  };
  RunSection types{QObject::tr("Argument types"), {}};
  for (const auto &[name, type] : result.signature)
    if (!result.constexprs.contains(name))
      types.fields.push_back(field("signature", name, type));
  RunSection constants{QObject::tr("Constexprs"), {}};
  for (const auto &[name, value] : result.constexprs)
    constants.fields.push_back(field("constexprs", name, value));
  RunSection options{QObject::tr("Options"), {}};
  for (const char *name : {"num_warps", "num_stages"})
    if (const auto option = result.options.find(name); option != result.options.end())
      options.fields.push_back(field("options", name, option->second));
  return {types, constants, options};
}

RunForm runForm(const profiler::LaunchBlocks &blocks, int current,
                const compiler::CompileResult *result) {
  RunForm form;
  for (const profiler::LaunchProblem &problem : blocks.problems)
    if (problem.isError && form.problem.isEmpty())
      form.problem =
          QObject::tr("line %1: %2").arg(problem.range.begin.line + 1).arg(text(problem.message));
  if (blocks.blocks.empty()) {
    form.canCreate = blocks.problems.empty();
    if (form.problem.isEmpty())
      form.problem = QObject::tr("The file says nothing about how to launch the kernel. It is "
                                 "compiled for what is assumed here; to run it, write a block.");
    if (result)
      form.sections = assumedSections(*result);
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
      arguments.fields.push_back(field({"args", argument.name}, argument.name, argument.value));
      continue;
    }
    arguments.fields.push_back(
        field({"args", argument.name, "dtype"}, argument.name + " dtype", argument.dtype));
    if (!argument.init.text.empty())
      arguments.fields.push_back(
          field({"args", argument.name, "init"}, argument.name + " init", argument.init));
  }
  form.sections.push_back(std::move(arguments));
  RunSection grid{QObject::tr("Grid"), {}};
  QStringList extents;
  for (const profiler::LaunchExpression &extent : block.grid)
    extents << text(extent.text);
  grid.fields.push_back(
      {{QStringLiteral("grid")}, QObject::tr("programs"), extents.join(QStringLiteral(", "))});
  form.sections.push_back(std::move(grid));
  return form;
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

} // namespace tilescope::app
