// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Emitter.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/CallChain.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/Counterparts.h"
#include "compiler/frontend/Remedies.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

Emitter::Emitter(mlir::MLIRContext *context, ModuleTable &modules, EmitterOptions options)
    : ops(context, *this, options.rules), m_modules(modules), m_options(std::move(options)) {}

SourceRange Emitter::fileRange(SourceRange range) const {
  range.file = m_frame->module->file;
  return range;
}

mlir::Location Emitter::location() {
  mlir::MLIRContext *context = ops.context();
  while (m_fileNames.size() <= m_range.file)
    m_fileNames.push_back({});
  mlir::StringAttr &file = m_fileNames[m_range.file];
  if (!file)
    file = mlir::StringAttr::get(context, m_modules.path(m_range.file));
  mlir::Location location =
      mlir::FileLineColRange::get(file, m_range.begin.line + 1, m_range.begin.column + 1,
                                  m_range.end.line + 1, m_range.end.column + 1);
  if (m_name)
    location = mlir::NameLoc::get(m_name, location);
  if (m_frame && m_frame->callLocation)
    location = mlir::CallSiteLoc::get(location, *m_frame->callLocation);
  return location;
}

mlir::Location Emitter::constantLocation() {
  mlir::StringAttr name = std::exchange(m_name, {});
  mlir::Location result = location();
  m_name = name;
  return result;
}

void Emitter::checkStop() {
  if (m_options.stop.stop_requested())
    throw Cancelled{};
}

void Emitter::fail(DiagnosticKind kind, Message message) {
  failAt(m_range, kind, std::move(message));
}

void Emitter::failAt(SourceRange range, DiagnosticKind kind, Message message,
                     std::vector<std::string> notes) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.range = range;
  std::move(message).writeTo(diagnostic);
  diagnostic.notes = std::move(notes);
  throw Failure{std::move(diagnostic)};
}

void Emitter::failImport(const std::string &path) {
  if (isHostLibrary(path)) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::ImportNotFound;
    diagnostic.range = m_range;
    diagnostic.message =
        "`" + path + "` cannot be used in a kernel: it runs on the CPU, outside of kernels";
    explainCounterpart(diagnostic, std::string_view(path).substr(path.rfind('.') + 1), *m_frame);
    throw Failure{std::move(diagnostic)};
  }
  const std::string_view parent = std::string_view(path).substr(0, path.rfind('.'));
  const SourceModule *source = nullptr;
  for (int level = 0; m_frame->module && parent.size() < path.size() && level < 2 && !source;
       ++level)
    source = m_modules.import(*m_frame->module, parent, level);
  if (source)
    failAt(m_range, DiagnosticKind::ImportNotFound,
           "`" + std::filesystem::path(source->path).filename().string() + "` has no `" +
               path.substr(parent.size() + 1) + "`");
  failAt(m_range, DiagnosticKind::ImportNotFound,
         "`" + path + "` is not available in a kernel: its source was not found",
         {"imports are looked up in the file's project and in the import folders"});
}

void Emitter::failPython(const constant::PythonError &error) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::ConstantEvaluation;
  diagnostic.range = m_range;
  diagnostic.message = error.text();
  diagnostic.cause = error.cause;
  throw Failure{std::move(diagnostic)};
}

bool Emitter::isReported(const Diagnostic &diagnostic) const {
  return std::ranges::any_of(m_diagnostics, [&](const Diagnostic &other) {
    return other.range == diagnostic.range && other.message == diagnostic.message;
  });
}

/// Whether an earlier error is mended by the very same edit: they are one mistake, and the earlier
/// one gets the place of this one.
static bool joinsEarlier(const Diagnostic &diagnostic, std::vector<Diagnostic> &earlier) {
  if (diagnostic.fixes.empty())
    return false;
  const auto same = std::ranges::find_if(earlier, [&](const Diagnostic &other) {
    return other.severity == Severity::Error && other.kind == diagnostic.kind &&
           other.fixes == diagnostic.fixes;
  });
  if (same == earlier.end())
    return false;
  const bool isShown = same->range == diagnostic.range ||
                       std::ranges::find(same->labels, diagnostic.range, &DiagnosticLabel::range) !=
                           same->labels.end();
  if (!isShown)
    same->labels.push_back({diagnostic.range, "the same here"});
  return true;
}

void Emitter::report(Diagnostic diagnostic) {
  addCallers(diagnostic, m_frame);
  // A warning whose mending an error offers has become a part of that error.
  const bool isPartOfError =
      diagnostic.severity == Severity::Warning && !diagnostic.fixes.empty() &&
      std::ranges::any_of(m_diagnostics, [&](const Diagnostic &other) {
        return other.severity == Severity::Error && other.fixes == diagnostic.fixes;
      });
  const bool isWithdrawn = std::ranges::find(m_withdrawn, diagnostic) != m_withdrawn.end();
  if (isPartOfError || isWithdrawn || isReported(diagnostic))
    return;
  const bool isError = diagnostic.severity == Severity::Error;
  if (isError && joinsEarlier(diagnostic, m_diagnostics))
    return;
  m_numErrors += isError;
  m_diagnostics.push_back(std::move(diagnostic));
  if (isError && m_options.stopsAtFirstError)
    throw FirstError{};
}

std::optional<Diagnostic> Emitter::withdrawWarning(const SourceRange &place) {
  const auto found = std::ranges::find_if(m_diagnostics, [&](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Warning && diagnostic.range.file == place.file &&
           diagnostic.range.begin == place.begin;
  });
  if (found == m_diagnostics.end())
    return std::nullopt;
  m_withdrawn.push_back(std::move(*found));
  m_diagnostics.erase(found);
  return m_withdrawn.back();
}

static Diagnostic plainDiagnostic(DiagnosticKind kind, Severity severity, SourceRange range,
                                  std::string message) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.severity = severity;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  return diagnostic;
}

void Emitter::warn(DiagnosticKind kind, std::string message) {
  warn(kind, m_range, std::move(message));
}

void Emitter::warn(DiagnosticKind kind, SourceRange range, std::string message) {
  report(plainDiagnostic(kind, Severity::Warning, range, std::move(message)));
}

void Emitter::note(DiagnosticKind kind, SourceRange range, std::string message) {
  report(plainDiagnostic(kind, Severity::Note, range, std::move(message)));
}

static bool isUnsigned(const Value &value) {
  const Tensor *tensor = value.tensor();
  return tensor && scalarInfo(tensor->type.dtype()).category == ScalarClass::Unsigned;
}

void Emitter::record(const ast::Expr &expr, const Value &value, bool isDefinition) {
  if (!m_options.collectFacts || !m_frame->module || m_frame->isModuleLevel || value.isPoison())
    return;
  // Of other files only what the IR does not say.
  if (m_frame->module->file != 0 && !isUnsigned(value))
    return;
  auto [entry, isNew] = m_factOfNode.try_emplace(&expr, m_facts.size());
  if (isNew)
    m_facts.push_back({fileRange(expr.range), value, isDefinition});
}

std::vector<ValueFacts> Emitter::takeFacts() {
  std::vector<ValueFacts> facts;
  facts.reserve(m_facts.size());
  for (const Fact &fact : m_facts)
    facts.push_back({fact.range, fact.value.describe(), fact.isDefinition});
  return facts;
}

Value Emitter::assigned(const Value &value) {
  if (m_frame->isCompileTime || m_frame->isModuleLevel)
    return value;
  if (value.isNumber())
    return ops.literal(*value.constant());
  const ClassObject *type = classOf(value);
  if (type && type->kind == ClassObject::Kind::Aggregate)
    return value;
  if (const TupleValue *tuple = value.asTuple()) {
    TupleValue copy{{}, tuple->fields, tuple->type};
    for (const Value &item : tuple->items)
      copy.items.push_back(assigned(item));
    return copy;
  }
  if (const constant::Value *constant = value.constant())
    if (!constant->isNone() && !constant->isDType()) {
      failAsFunction(value);
      fail(DiagnosticKind::TypeMismatch,
           Message("cannot convert {} to a tensor: annotate the name with "
                   "`tl.constexpr` to keep it a constexpr",
                   value)
               .needs(Need::Constexpr));
    }
  return value;
}

void Emitter::failAsFunction(const Value &value, const ast::Expr *operand) {
  std::string advice = callAdvice(value);
  if (advice.empty())
    return;
  const Range range(*this, operand ? fileRange(operand->range) : m_range);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = m_range;
  diagnostic.message = std::move(advice);
  const std::string text(sourceText(*m_frame, m_range));
  if (text.ends_with(".program_id") || text.ends_with(".num_programs"))
    diagnostic.fixes = rewriteFix(*m_frame, m_range, m_range, text + "(0)");
  throw Failure{std::move(diagnostic)};
}

std::vector<Value> Emitter::items(const Value &value) {
  if (const TupleValue *tuple = value.asTuple())
    return tuple->items;
  if (const constant::Value *constant = value.constant()) {
    constant::Value::Items list = orFail(constant::iterate(*constant));
    return {list.begin(), list.end()};
  }
  fail(DiagnosticKind::TypeMismatch, Message("{} is not iterable", value).needs(Need::Sequence));
}

bool Emitter::constexprTruth(const Value &value) {
  if (const TupleValue *tuple = value.asTuple())
    return !tuple->items.empty();
  if (value.constant())
    return constant::truth(*value.constant());
  fail(DiagnosticKind::NotConstexpr, {"expected a value known at compile time, got {}", value});
}

} // namespace tilescope::compiler::frontend
