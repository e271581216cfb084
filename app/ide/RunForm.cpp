// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/RunForm.h"

#include <QObject>

#include <algorithm>
#include <optional>

namespace tilescope::app {

using compiler::SuggestedLaunch;
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

static RunField assumedField(const char *table, const std::string &name, const std::string &value) {
  return {
      {QStringLiteral("assumed"), QString::fromLatin1(table), text(name)}, text(name), text(value)};
}

/// Why the compiler assumed something of `name`: of "`n` is `i32`: it is compared with offsets"
/// what follows the colon.
static QString reasonFor(const compiler::CompileResult &result, const std::string &name) {
  for (const std::string &assumption : result.assumptions)
    if (assumption.starts_with("`" + name + "` "))
      if (const size_t at = assumption.find("`: "); at != std::string::npos)
        return text(assumption.substr(at + 3));
  return {};
}

/// What the kernel is compiled for without a launch block: every part can be changed.
static std::vector<RunSection> assumedSections(const compiler::CompileResult &result) {
  RunSection types{QObject::tr("Argument types"), {}};
  for (const auto &[name, type] : result.signature)
    if (!result.constexprs.contains(name))
      types.fields.push_back(assumedField("signature", name, type));
  RunSection constants{QObject::tr("Constexprs"), {}};
  for (const auto &[name, value] : result.constexprs)
    constants.fields.push_back(assumedField("constexprs", name, value));
  RunSection options{QObject::tr("Options"), {}};
  for (const char *name : {"num_warps", "num_stages"})
    if (const auto option = result.options.find(name); option != result.options.end())
      options.fields.push_back(assumedField("options", name, option->second));
  for (RunSection *section : {&types, &constants, &options})
    for (RunField &field : section->fields)
      field.remark = reasonFor(result, field.label.toStdString());
  return {types, constants, options};
}

/// A document in IR fixes the types of its parameters, and from TTGIR on everything else too.
static std::vector<RunSection> documentSections(const compiler::CompileResult &result) {
  RunSection types{QObject::tr("Argument types"), {}};
  for (const compiler::KernelParameter &parameter : result.metadata.parameters) {
    types.fields.push_back(assumedField("signature", parameter.name, parameter.type));
    types.fields.back().editable = false;
  }
  RunSection options{QObject::tr("Options"), {}};
  if (result.stages.front().id == compiler::StageId::Ttir) {
    const compiler::KernelMetadata &metadata = result.metadata;
    options.fields = {assumedField("options", "num_warps", std::to_string(metadata.numWarps)),
                      assumedField("options", "num_stages", std::to_string(metadata.numStages))};
  }
  return {types, options};
}

RunForm runForm(const profiler::LaunchBlocks &blocks, int current,
                const compiler::CompileResult *result) {
  RunForm form;
  for (const profiler::LaunchProblem &problem : blocks.problems)
    if (problem.isError && form.problem.isEmpty())
      form.problem =
          QObject::tr("line %1: %2").arg(problem.range.begin.line + 1).arg(text(problem.message));
  for (size_t i = 0; i < blocks.blocks.size(); ++i) {
    const LaunchBlock &block = blocks.blocks[i];
    form.launches << (!block.name.empty()     ? text(block.name)
                      : !block.kernel.empty() ? text(block.kernel)
                                              : QObject::tr("launch %1").arg(i + 1));
  }
  form.current = current;
  if (current < 0) {
    form.canCreate = blocks.problems.empty();
    const bool isIr =
        result && !result->stages.empty() && result->stages.front().id != compiler::StageId::Ast;
    if (form.problem.isEmpty())
      form.problem =
          isIr ? QObject::tr("The file says nothing about how to launch the kernel. To run it, "
                             "write a block.")
               : QObject::tr("The file says nothing about how to launch the kernel. It is "
                             "compiled for what is assumed here; to run it, write a block.");
    if (result)
      form.sections = isIr ? documentSections(*result) : assumedSections(*result);
    return form;
  }
  const LaunchBlock &block = blocks.blocks[static_cast<size_t>(current)];
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

/// A value for a parameter of this type, in Triton's notation; nothing for what a launch block
/// cannot give.
static std::optional<profiler::LaunchArgument>
suggestedArgument(const std::string &name, std::string type, const SuggestedLaunch &suggestion) {
  profiler::LaunchArgument argument;
  argument.name = name;
  const bool isOne = type.ends_with(":1");
  type.resize(std::min(type.size(), type.find(':')));
  if (type.starts_with("*")) {
    argument.isTensor = true;
    argument.dtype.text = type.substr(type.starts_with("*k") ? 2 : 1);
    const auto shape = suggestion.shapes.find(name);
    for (const std::string &extent :
         shape == suggestion.shapes.end() ? std::vector<std::string>{"size"} : shape->second)
      argument.shape.push_back({extent, {}, {}});
    const bool isReal =
        type.find("fp") != std::string::npos || type.find("bf") != std::string::npos;
    if (isReal) {
      argument.init.text = "randn";
    } else if (argument.shape.size() == 1) {
      argument.init.text = "arange";
    } else {
      // Indices, more often than not.
      argument.init.text = "randint";
      argument.initOptions.push_back({"high", {}, {"size", {}, {}}});
    }
    return argument;
  }
  if (type == "u1" || type == "i1") {
    argument.value.text = "True";
  } else if (type.starts_with("fp") || type == "bf16") {
    argument.value.text = "1.0";
    argument.type.text = type == "fp32" ? "" : type;
  } else if (type.starts_with("i") || type.starts_with("u")) {
    const auto stride = suggestion.strides.find(name);
    argument.value.text = isOne                                ? "1"
                          : stride == suggestion.strides.end() ? "size"
                                                               : stride->second;
    argument.type.text = type == "i32" ? "" : type;
  } else {
    return std::nullopt;
  }
  return argument;
}

LaunchBlock suggestedBlock(const compiler::CompileResult &result) {
  LaunchBlock block;
  block.kernel = result.kernel;
  const auto entry = [](const std::string &name, const std::string &value) {
    return profiler::LaunchEntry{name, {}, {value, {}, {}}};
  };
  block.sizes.push_back(entry("size", std::to_string(result.suggestion.size)));
  for (const auto &[name, value] : result.constexprs)
    block.constexprs.push_back(entry(name, value));
  for (const auto &[name, value] : result.options)
    if (name == "num_warps" || name == "num_stages")
      block.options.push_back(entry(name, value));
  // In the kernel's order; what it does not take at run time comes behind.
  std::map<std::string, std::string> types = result.signature;
  const auto add = [&](const std::string &name, const std::string &type) {
    if (std::optional<profiler::LaunchArgument> argument =
            suggestedArgument(name, type, result.suggestion))
      block.args.push_back(std::move(*argument));
  };
  for (const compiler::KernelParameter &parameter : result.metadata.parameters) {
    // A document in IR has no signature.
    if (result.signature.empty())
      add(parameter.name, parameter.type);
    else if (const auto known = types.extract(parameter.name))
      add(parameter.name, known.mapped());
  }
  for (const auto &[name, type] : types)
    if (!result.constexprs.contains(name))
      add(name, type);
  for (const std::string &extent : result.suggestion.grid)
    block.grid.push_back({extent, {}, {}});
  if (block.grid.empty())
    block.grid.push_back({"1", {}, {}});
  return block;
}

LaunchBlock editedBlock(const compiler::CompileResult &result, const std::string &table,
                        const std::string &name, const std::string &value) {
  compiler::CompileResult changed;
  changed.kernel = result.kernel;
  changed.signature = result.signature;
  changed.constexprs = result.constexprs;
  changed.options = result.options;
  changed.metadata.parameters = result.metadata.parameters;
  changed.suggestion = result.suggestion;
  auto &values = table == "signature"    ? changed.signature
                 : table == "constexprs" ? changed.constexprs
                                         : changed.options;
  values[name] = value;
  return suggestedBlock(changed);
}

} // namespace tilescope::app
