// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/AssumedFields.h"

#include "compiler/types/SignatureType.h"

#include <QObject>

#include <algorithm>
#include <optional>

namespace tilescope::app {

using views::RunColumn;
using views::RunField;
using views::RunSection;

static QString text(const std::string &value) { return QString::fromStdString(value); }

static RunField assumedField(const char *table, const std::string &name, const std::string &value) {
  return {
      {QStringLiteral("assumed"), QString::fromLatin1(table), text(name)}, text(name), text(value)};
}

QString typeInWords(const std::string &notation) {
  const std::optional<compiler::SignatureType> type = compiler::parseSignatureType(notation);
  if (!type || type->form != compiler::SignatureType::Form::Value || type->isBlock())
    return {};
  if (type->isPointer())
    return (type->isDivisible() ? QObject::tr("a pointer to %1, aligned to 16 bytes")
                                : QObject::tr("a pointer to %1"))
        .arg(text(toSignature(type->scalar.pointee())));
  if (type->isDivisible())
    return QObject::tr("%1, a multiple of 16").arg(text(toSignature(type->scalar)));
  if (type->isOne())
    return QObject::tr("%1, always 1").arg(text(toSignature(type->scalar)));
  return {};
}

static QString typeHelp(const QString &type) {
  return QObject::tr(
             "`%1` is a type as Triton writes it: `*` means a pointer, a name such as `fp32` "
             "or `i32` is the type of the number or of the elements pointed to, and `:16` "
             "says that the number or the address is a multiple of 16.")
      .arg(type);
}

/// Why the compiler assumed something of `name`.
static QString reasonFor(const compiler::CompileResult &result, const std::string &name) {
  const auto found = std::ranges::find(result.assumptions, name, &compiler::Assumption::parameter);
  return found == result.assumptions.end() ? QString() : text(found->reason);
}

std::vector<RunSection> assumedSections(const compiler::CompileResult &result,
                                        const SourceKernel *kernel) {
  RunSection types{QObject::tr("Argument types"), {}};
  for (const auto &[name, type] : result.signature)
    if (!result.constexprs.contains(name))
      types.fields.push_back(assumedField("signature", name, type));
  if (kernel)
    std::ranges::stable_sort(types.fields, {}, [kernel](const RunField &field) {
      return std::ranges::find(kernel->parameters, field.label.toStdString(),
                               &profiler::LaunchParameter::name);
    });
  RunSection constants{QObject::tr("Constexprs"), {}};
  for (const auto &[name, value] : result.constexprs)
    constants.fields.push_back(assumedField("constexprs", name, value));
  RunSection options{QObject::tr("Options"), {}};
  for (const char *name : {"num_warps", "num_stages"})
    if (const auto option = result.options.find(name); option != result.options.end())
      options.fields.push_back(assumedField("options", name, option->second));
  for (RunField &field : types.fields) {
    field.column = RunColumn::Type;
    field.remark = typeInWords(field.text.toStdString());
    field.help = typeHelp(field.text);
  }
  for (RunSection *section : {&types, &constants, &options})
    for (RunField &field : section->fields)
      if (const QString reason = reasonFor(result, field.label.toStdString()); !reason.isEmpty())
        field.remark += (field.remark.isEmpty() ? QObject::tr("assumed because %1")
                                                : QObject::tr("; assumed because %1"))
                            .arg(reason);
  return {types, constants, options};
}

std::vector<RunSection> documentSections(const compiler::CompileResult &result) {
  RunSection types{QObject::tr("Argument types"), {}};
  for (const compiler::KernelParameter &parameter : result.metadata.parameters) {
    types.fields.push_back(assumedField("signature", parameter.name, parameter.type));
    types.fields.back().editable = false;
    types.fields.back().column = RunColumn::Type;
  }
  RunSection options{QObject::tr("Options"), {}};
  if (result.stages.front().id == compiler::StageId::Ttir) {
    const compiler::KernelMetadata &metadata = result.metadata;
    options.fields = {assumedField("options", "num_warps", std::to_string(metadata.numWarps)),
                      assumedField("options", "num_stages", std::to_string(metadata.numStages))};
  }
  return {types, options};
}

} // namespace tilescope::app
