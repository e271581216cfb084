// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/RunForm.h"

#include "app/ide/run/AssumedFields.h"
#include "compiler/support/Text.h"

#include <QObject>
#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tilescope::app {

using profiler::LaunchBlock;
using views::RunColumn;
using views::RunField;
using views::RunForm;
using views::RunSection;

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// Tensors that nothing is in before the run are outputs.
static bool isOutput(const profiler::LaunchArgument &argument) {
  const std::string &init = argument.init.text;
  return init.empty() || init == "empty" || init == "zeros";
}

/// What could be expected of an output, over what the launch puts into its inputs.
static QString expectedExample(const std::vector<profiler::LaunchArgument> &arguments) {
  QStringList inputs;
  for (const profiler::LaunchArgument &argument : arguments)
    if (argument.isTensor && !isOutput(argument))
      inputs << text(argument.name);
  const QString example = inputs.isEmpty()     ? QStringLiteral("0")
                          : inputs.size() == 1 ? inputs.front() + QStringLiteral(" * 2")
                                               : inputs[0] + QStringLiteral(" + ") + inputs[1];
  return QObject::tr("not checked; e.g. %1").arg(example);
}

namespace {
/// Makes fields of a block's values, with what is wrong with them.
struct FieldMaker {
  const std::vector<compiler::Diagnostic> &diagnostics;
  /// What is wrong with extents of blocks that are constexprs, by their names.
  std::map<std::string, QString> extents = {};
  /// Of `expectedExample`.
  QString example = {};
  /// Where something is wrong that a field shows.
  std::set<Position> shown = {};

  QString problemAt(const SourceRange &range) {
    for (const compiler::Diagnostic &diagnostic : diagnostics) {
      const Position at = diagnostic.range.begin;
      if (diagnostic.kind != compiler::DiagnosticKind::LaunchBlockInvalid ||
          diagnostic.range.file != 0 || at < range.begin || !(at < range.end))
        continue;
      QString words = text(diagnostic.message);
      for (const std::string &note : diagnostic.notes)
        words += u'\n' + text(note);
      shown.insert(at);
      return words;
    }
    return {};
  }

  /// Whether something else belongs there.
  bool isMistaken(const SourceRange &range) const {
    return std::ranges::any_of(diagnostics, [&](const compiler::Diagnostic &diagnostic) {
      return diagnostic.kind == compiler::DiagnosticKind::LaunchBlockInvalid &&
             std::ranges::any_of(diagnostic.fixes,
                                 [&](const auto &fix) { return fix.range == range; });
    });
  }

  RunField field(std::initializer_list<std::string> path, const std::string &label,
                 const profiler::LaunchExpression &value) {
    RunField result;
    for (const std::string &part : path)
      result.path << text(part);
    result.label = text(label);
    result.text = text(value.text);
    result.problem = problemAt(value.range);
    return result;
  }

  /// Several extents in one field.
  RunField list(std::initializer_list<std::string> path, const QString &label,
                const std::vector<profiler::LaunchExpression> &values) {
    RunField result;
    for (const std::string &part : path)
      result.path << text(part);
    result.label = label;
    QStringList extents;
    for (const profiler::LaunchExpression &value : values) {
      extents << text(value.text);
      if (result.problem.isEmpty())
        result.problem = problemAt(value.range);
    }
    result.text = extents.join(QStringLiteral(", "));
    return result;
  }

  /// `replaced`: the values of the chosen configuration, which are used in place of the block's.
  RunSection section(const QString &title, const char *table,
                     const std::vector<profiler::LaunchEntry> &entries,
                     const std::map<std::string, std::string> &replaced = {}) {
    RunSection result{title, {}};
    for (const profiler::LaunchEntry &entry : entries) {
      result.fields.push_back(field({table, entry.name}, entry.name, entry.value));
      RunField &made = result.fields.back();
      if (const auto wrong = extents.find(entry.name);
          wrong != extents.end() && made.problem.isEmpty() && !replaced.contains(entry.name))
        made.problem = wrong->second;
      if (const auto used = replaced.find(entry.name);
          used != replaced.end() && used->second != entry.value.text)
        result.fields.back().remark =
            QObject::tr("not used: the chosen configuration has %1").arg(text(used->second));
    }
    return result;
  }

  /// A number: its type is the kernel's, in words.
  void scalar(const profiler::LaunchArgument &argument, const QString &words, RunSection &section) {
    RunField made = field({"args", argument.name}, argument.name, argument.value);
    made.row = text(argument.name);
    made.column = RunColumn::Data;
    made.words = words;
    made.nameProblem = problemAt(argument.nameRange);
    section.fields.push_back(std::move(made));
  }

  void tensor(const profiler::LaunchArgument &argument, const QString &words, RunSection &section) {
    static const QStringList dtypes = [] {
      QStringList names;
      for (const compiler::ScalarInfo &type : profiler::allDtypes())
        names << QString::fromUtf8(type.signatureName.data(),
                                   static_cast<qsizetype>(type.signatureName.size()));
      return names;
    }();
    static const QStringList inits = {
        QStringLiteral("empty"), QStringLiteral("zeros"),   QStringLiteral("ones"),
        QStringLiteral("full"),  QStringLiteral("arange"),  QStringLiteral("rand"),
        QStringLiteral("randn"), QStringLiteral("randint"), QStringLiteral("offsets")};
    const std::string &name = argument.name;
    RunField dtype = field({"args", name, "dtype"}, name + " dtype", argument.dtype);
    dtype.choices = dtypes;
    RunField shape = list({"args", name, "shape"}, text(name + " shape"), argument.shape);
    if (argument.isGuess)
      shape.remark = QObject::tr("guessed: the kernel does not say how large it is");
    // The name is wrong, or with it what is written of the tensor.
    if (isMistaken(argument.nameRange))
      dtype.nameProblem = problemAt(argument.nameRange);
    else if (shape.problem.isEmpty())
      shape.problem = problemAt(argument.nameRange);
    RunField init = field({"args", name, "init"}, name + " init", argument.init);
    init.choices = inits;
    if (init.text.isEmpty())
      init.text = inits.front();
    dtype.words = words;
    std::vector<RunField> row = {dtype, shape, init};
    if (isOutput(argument) || !argument.expected.text.empty()) {
      row.push_back(field({"args", name, "expected"}, name + " expected", argument.expected));
      row.back().placeholder = example;
    }
    static constexpr RunColumn kColumns[] = {RunColumn::Type, RunColumn::Shape, RunColumn::Data,
                                             RunColumn::Expected};
    for (size_t i = 0; i < row.size(); ++i) {
      row[i].row = text(name);
      row[i].column = kColumns[i];
    }
    std::ranges::move(row, std::back_inserter(section.fields));
  }
};
} // namespace

/// What a kernel cannot do with the extents that it gets, by the names that it uses them by.
static std::map<std::string, QString> wrongExtents(const compiler::CompileResult *result) {
  std::map<std::string, QString> extents;
  if (!result || result->files.empty())
    return extents;
  const std::vector<std::string_view> lines = splitLines(result->files.front().text);
  for (const compiler::Diagnostic &diagnostic : result->diagnostics) {
    const SourceRange &range = diagnostic.range;
    const bool isOfValue = diagnostic.kind == compiler::DiagnosticKind::BadShape ||
                           diagnostic.kind == compiler::DiagnosticKind::BadArgument;
    if (isOfValue && range.file == 0 && range.begin.line == range.end.line &&
        range.end.line < lines.size() && range.end.column <= lines[range.end.line].size())
      extents.emplace(
          lines[range.begin.line].substr(range.begin.column, range.end.column - range.begin.column),
          text(diagnostic.message));
  }
  return extents;
}

/// What the form says of a kernel that no block launches; `kernel`: that a block can be written
/// for.
static QString withoutBlock(const QString &kernel, bool isIr) {
  if (kernel.isEmpty())
    return QObject::tr("No launch block says how to launch the kernel. One can be written here as "
                       "soon as the kernel compiles.");
  return isIr ? QObject::tr("No launch block says how to launch `%1`. To run it, press Write a "
                            "launch block.")
                    .arg(kernel)
              : QObject::tr("No launch block says how to launch `%1`. It is compiled for what is "
                            "assumed here; Run writes a launch block of guesses and runs it.")
                    .arg(kernel);
}

/// What a launch block would say, of a kernel that has none.
static void showAssumptions(const RunFormContext &context, RunForm &form) {
  const compiler::CompileResult *result = context.result;
  const bool isIr =
      result && !result->stages.empty() && result->stages.front().id != compiler::StageId::Ast;
  form.canCreateFor = result ? text(result->kernel) : QString();
  if (form.problem.isEmpty())
    form.problem = withoutBlock(form.canCreateFor, isIr);
  if (result)
    form.sections = isIr ? documentSections(*result) : assumedSections(*result, context.kernel);
}

/// In words, as the last compile had it; empty: that was of another kernel.
static QString typeOf(const RunFormContext &context, const std::string &argument) {
  if (!context.result || !context.kernel || context.kernel->name != context.result->kernel)
    return {};
  const auto found = context.result->signature.find(argument);
  if (found == context.result->signature.end())
    return {};
  const QString words = typeInWords(found->second);
  return words.isEmpty() ? text(found->second) : words;
}

static void showBlock(const LaunchBlock &block, FieldMaker &make, const RunFormContext &context,
                      RunForm &form) {
  const KernelChoice &choice = context.choice;
  RunSection arguments{QObject::tr("Arguments"), {}};
  make.example = expectedExample(block.args);
  for (const profiler::LaunchArgument &argument : block.args) {
    const QString words = typeOf(context, argument.name);
    if (argument.isTensor)
      make.tensor(argument, words, arguments);
    else
      make.scalar(argument, words, arguments);
  }
  RunField grid = make.list({"grid"}, QObject::tr("programs"), block.grid);
  if (block.isGridGuess)
    grid.remark = QObject::tr("guessed: the kernel does not say how many there are");
  form.sections = {
      make.section(QObject::tr("Sizes"), "sizes", block.sizes),
      make.section(QObject::tr("Constexprs"), "constexprs", block.constexprs, choice.constexprs),
      make.section(QObject::tr("Options"), "options", block.options, choice.options),
      std::move(arguments),
      {QObject::tr("Grid"), {std::move(grid)}}};
}

/// `a, cdiv(b, 2)` as `a` and `cdiv(b, 2)`: commas within parentheses belong to an expression.
static std::vector<std::string> expressionsOf(const std::string &list) {
  std::vector<std::string> expressions;
  std::string part;
  int depth = 0;
  auto flush = [&] {
    const size_t first = part.find_first_not_of(' ');
    if (first != std::string::npos)
      expressions.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
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
  return expressions;
}

std::vector<profiler::LaunchEdit> editsFor(const QStringList &path, const QString &value) {
  profiler::LaunchEdit edit;
  for (const QString &part : path)
    edit.path.push_back(part.toStdString());
  const std::string written = value.trimmed().toStdString();
  const bool isShape = path.size() == 3 && path.back() == u"shape";
  const bool isExpected = path.size() == 3 && path.back() == u"expected";
  const bool isWord = path.size() == 3 && !isShape && !isExpected;
  edit.toml = isShape || path.front() == u"grid" ? profiler::tomlList(expressionsOf(written))
              : isWord                           ? profiler::tomlString(written)
                                                 : profiler::tomlValue(written);
  // Nothing expected is not a key without a value.
  if (isExpected && written.empty())
    edit.toml.reset();
  std::vector<profiler::LaunchEdit> edits = {edit};
  // A value that the user states is no longer a guess.
  if (path.front() == u"grid")
    edits.push_back({{"guessed"}, std::nullopt});
  if (isShape)
    edits.push_back({{edit.path[0], edit.path[1], "guessed"}, std::nullopt});
  return edits;
}

/// Whether an expression reads a name.
static bool mentions(const QString &expression, const QString &name) {
  static const QRegularExpression kWord(QStringLiteral("[A-Za-z_][A-Za-z0-9_]*"));
  for (const QRegularExpressionMatch &word : kWord.globalMatch(expression))
    if (word.captured() == name)
      return true;
  return false;
}

/// Whether a value is right in itself: where an expression does more with it than name it, the
/// expression is wrong.
static bool isCount(const QString &value) {
  bool isNumber = false;
  return value.toLongLong(&isNumber) > 0 && isNumber;
}

/// A size or constexpr that makes another field wrong says so, too: it is what has to change. What is
/// wrong with what is expected is wrong with its words.
static void markCauses(RunForm &form) {
  const std::vector<RunSection> sections = form.sections;
  for (RunSection &section : form.sections)
    for (RunField &cause : section.fields) {
      const bool isName = cause.path.size() == 2 &&
                          (cause.path.front() == u"sizes" || cause.path.front() == u"constexprs");
      if (!isName || !cause.problem.isEmpty())
        continue;
      for (const RunSection &other : sections)
        for (const RunField &field : other.fields)
          if (cause.problem.isEmpty() && !field.problem.isEmpty() &&
              field.path.back() != u"expected" && mentions(field.text, cause.label) &&
              (field.text == cause.label || !isCount(cause.text)))
            cause.problem =
                QObject::tr("%1 uses it: %2")
                    .arg(field.path.front() == u"grid" ? QObject::tr("the grid") : field.label,
                         field.problem.section(u'\n', 0, 0));
    }
}

/// By name, or by kernel; two that are called alike are told apart by their lines.
static QStringList launchTitles(const std::vector<LaunchBlock> &blocks) {
  QStringList titles;
  for (size_t i = 0; i < blocks.size(); ++i)
    titles << (!blocks[i].name.empty()     ? text(blocks[i].name)
               : !blocks[i].kernel.empty() ? text(blocks[i].kernel)
                                           : QObject::tr("launch %1").arg(i + 1));
  const QStringList alike = titles;
  for (qsizetype i = 0; i < titles.size(); ++i)
    if (alike.count(alike[i]) > 1)
      titles[i] = QObject::tr("%1 (line %2)")
                      .arg(alike[i])
                      .arg(blocks[static_cast<size_t>(i)].range.begin.line + 1);
  return titles;
}

RunForm runForm(const profiler::LaunchBlocks &blocks, const RunFormContext &context) {
  RunForm form;
  FieldMaker fields{context.diagnostics, wrongExtents(context.result)};
  std::optional<SourceRange> wrongPlace;
  const auto complain = [&](const SourceRange &place, const std::string &message) {
    if (wrongPlace)
      return;
    wrongPlace = place;
    form.problem = text(message);
  };
  for (const profiler::LaunchProblem &problem : blocks.problems)
    if (problem.isError)
      complain(problem.range, problem.message);
  for (const compiler::Diagnostic &diagnostic : context.diagnostics)
    if (diagnostic.severity == compiler::Severity::Error) {
      complain(diagnostic.range, diagnostic.message);
      for (const compiler::DiagnosticFix &fix : diagnostic.fixes)
        if (fix.range.file == 0)
          form.fixes.push_back(fix);
    }
  form.launches = launchTitles(blocks.blocks);
  form.current = std::min(context.block, static_cast<int>(blocks.blocks.size()) - 1);
  if (form.current >= 0)
    showBlock(blocks.blocks[form.current], fields, context, form);
  // A block that cannot be read may be the kernel's.
  else if (blocks.problems.empty())
    showAssumptions(context, form);
  markCauses(form);
  // A field that is wrong says so itself.
  if (wrongPlace && fields.shown.contains(wrongPlace->begin))
    form.problem.clear();
  else if (wrongPlace)
    form.problem = QObject::tr("line %1: %2").arg(wrongPlace->begin.line + 1).arg(form.problem);
  return form;
}

} // namespace tilescope::app
