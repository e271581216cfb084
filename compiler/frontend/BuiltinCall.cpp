// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The arguments of a call of a builtin: bound to parameters, and taken as what each must be.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/AxisAdvice.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/CallChain.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/ShapeArguments.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>
#include <cctype>

namespace tilescope::compiler::frontend {

/// Says of a constexpr of the kernel where the launch block writes its value.
static void labelLaunchBlock(Diagnostic &diagnostic, const Frame &frame, std::string_view name) {
  const bool isParameter =
      frame.function && !frame.caller && !name.empty() &&
      std::ranges::any_of(frontend::parametersOf(*frame.function),
                          [&](const ast::Arg *each) { return each->arg == name; });
  if (!isParameter || !frame.module->tree || frame.module->file != 0)
    return;
  if (const std::optional<SourceRange> key = launchBlockKey(*frame.module->tree, name))
    diagnostic.labels.push_back({*key, "`" + std::string(name) + "` gets its value here"});
}

void BuiltinCall::fail(size_t parameter, DiagnosticKind kind, Message message,
                       std::vector<std::string> notes, std::vector<DiagnosticFix> fixes) const {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.range = m_ranges[parameter];
  std::move(message).writeTo(diagnostic);
  diagnostic.notes = std::move(notes);
  diagnostic.fixes = std::move(fixes);
  if (kind == DiagnosticKind::ShapeMismatch)
    labelOrigins(diagnostic);
  if (kind == DiagnosticKind::BadArgument && m_values[parameter].constant())
    labelLaunchBlock(diagnostic, emitter.frame(), text(parameter));
  if (kind == DiagnosticKind::NotConstexpr)
    explainNotConstexpr(diagnostic, emitter.frame());
  throw Failure{std::move(diagnostic)};
}

std::string_view BuiltinCall::receiver() const {
  const bool isMethod = !m_ranges.empty() && m_isGiven[0] && m_ranges[0] == range;
  const std::string_view code = isMethod ? text(0) : std::string_view();
  const size_t end = code.find("." + std::string(builtin.name) + "(");
  return end == code.npos ? std::string_view() : code.substr(0, end);
}

std::string_view BuiltinCall::text(size_t parameter) const {
  return sourceText(emitter.frame(), m_ranges[parameter]);
}

/// Says of the blocks whose shapes differ from the first argument's where they come from.
void BuiltinCall::labelOrigins(Diagnostic &diagnostic) const {
  const Frame &frame = emitter.frame();
  const Tensor *first = m_values.empty() ? nullptr : m_values.front().tensor();
  for (size_t i = 1; first && frame.function && i < m_values.size(); ++i) {
    const Tensor *block = m_isGiven[i] ? m_values[i].tensor() : nullptr;
    const ast::Name *assigned =
        block && !text(i).empty() ? findAssignment(*frame.function, text(i)) : nullptr;
    if (!assigned || !block->isBlock() || block->type.shape == first->type.shape ||
        diagnostic.range.begin < assigned->range.begin)
      continue;
    diagnostic.labels.push_back({assigned->range, "`" + std::string(text(i)) + "` of shape " +
                                                      shapeToString(block->type.shape) +
                                                      " is made here"});
  }
}

static std::vector<std::string_view> namesOf(const std::vector<Parameter> &parameters) {
  std::vector<std::string_view> names;
  for (const Parameter &parameter : parameters)
    names.push_back(parameter.name);
  return names;
}

std::string BuiltinCall::name() const {
  // As the user calls it: without what it is a member of here.
  std::string_view name = builtin.name;
  name.remove_prefix(name.rfind('.') + 1);
  name = calledName(emitter.frame(), name);
  return "`" + std::string(name == "plain_range" ? "range" : name) + "`";
}

static size_t countPositional(const std::vector<CallArgument> &arguments) {
  return static_cast<size_t>(llvm::count_if(
      arguments, [](const CallArgument &argument) { return argument.keyword.empty(); }));
}

/// The call with the argument that beginners leave out: programs are mostly counted along their
/// first axis, and NumPy's `arange(n)` begins at 0.
static std::string completedCall(std::string_view builtin, std::string_view call,
                                 size_t numArguments) {
  std::string text(call);
  const size_t open = text.find('(');
  if (open == std::string::npos)
    return {};
  if (builtin == "arange" && numArguments == 1)
    return text.insert(open + 1, "0, ");
  if ((builtin == "program_id" || builtin == "num_programs") && numArguments == 0)
    return text.substr(0, open) + "(axis=0)";
  return {};
}

void BuiltinCall::failMissing(const std::string &parameter, size_t numArguments) const {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = range;
  diagnostic.message = name() + " is missing the argument `" + parameter + "`";
  if (std::string call =
          completedCall(builtin.name, sourceText(emitter.frame(), range), numArguments);
      !call.empty())
    diagnostic.fixes = rewriteFix(emitter.frame(), range, range, std::move(call));
  throw Failure{std::move(diagnostic)};
}

BuiltinCall::BuiltinCall(Emitter &emitter, const Builtin &builtin,
                         std::vector<CallArgument> arguments, SourceRange range)
    : emitter(emitter), ops(emitter.ops), builtin(builtin), range(range) {
  const std::vector<Parameter> &parameters = parametersOf(builtin);
  if (!parameters.empty() && parameters.front().name == "shape")
    checkShapeArguments(emitter, name(), namesOf(parameters), arguments);
  m_values.resize(parameters.size());
  m_ranges.assign(parameters.size(), range);
  m_isGiven.assign(parameters.size(), false);
  size_t position = 0;
  std::vector<Value> rest;
  for (CallArgument &argument : arguments) {
    size_t index = position;
    if (argument.keyword.empty()) {
      if (position < parameters.size() && parameters[position].isVariadic) {
        if (rest.empty())
          m_ranges[position] = argument.range;
        m_ranges[position].end = argument.range.end;
        m_isGiven[position] = true;
        rest.push_back(std::move(argument.value));
        continue;
      }
      if (position >= parameters.size())
        emitter.failAt(argument.range, DiagnosticKind::BadCall,
                       name() + " takes at most " + std::to_string(parameters.size()) +
                           " arguments, but " + std::to_string(countPositional(arguments)) +
                           " are given");
      ++position;
    } else {
      index = 0;
      while (index < parameters.size() && parameters[index].name != argument.keyword)
        ++index;
      // Arguments that only Triton's own library passes.
      if (index == parameters.size() && argument.keyword.starts_with('_'))
        continue;
      if (index == parameters.size())
        failKeyword(emitter, argument, name(), namesOf(parameters));
      if (m_isGiven[index])
        emitter.failAt(argument.range, DiagnosticKind::BadCall,
                       name() + " got several values for `" + std::string(argument.keyword) + "`");
    }
    m_values[index] = std::move(argument.value);
    m_ranges[index] = argument.range;
    m_isGiven[index] = true;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].isVariadic && (!m_isGiven[i] || !rest.empty()))
      m_values[i] = Value::tuple(std::move(rest));
    else if (!m_isGiven[i] && parameters[i].defaultValue)
      m_values[i] = *parameters[i].defaultValue;
    else if (!m_isGiven[i])
      failMissing(parameters[i].name, arguments.size());
  }
  // Only now: how the arguments fit the parameters depends on none of their values.
  const auto isPoison = [](const Value &value) { return value.isPoison(); };
  for (const Value &value : m_values)
    if (isPoison(value) || (value.asTuple() && llvm::any_of(value.asTuple()->items, isPoison)))
      throw PoisonUsed{};
}

/// How one gets a value at run time in place of a constant that is none.
static std::vector<std::string> valueNotes(const std::string &parameter, const Value &value) {
  if (value.isNone())
    return {"a function without `return value` returns None"};
  if (!value.constant() || value.constant()->kind() != constant::Value::Kind::Ellipsis)
    return {};
  if (parameter == "mask")
    return {"`...` stands for code that is still to be written: a condition for each element, such "
            "as `offsets < n`"};
  return {"`...` stands for code that is still to be written"};
}

Tensor BuiltinCall::tensor(size_t parameter) const {
  const Value &value = m_values[parameter];
  if (value.tensor())
    return *value.tensor();
  if (value.isNumber())
    return ops.literal(*value.constant());
  const std::string text =
      value.constant() && value.constant()->isStr() ? value.constant()->str() : std::string();
  std::vector<DiagnosticFix> fixes;
  // `other="-inf"`
  if (text == "inf" || text == "-inf" || text == "nan") {
    const std::string code = "float(\"" + text + "\")";
    fixes.push_back({m_ranges[parameter], code, "write `" + code + "`"});
  }
  fail(parameter, DiagnosticKind::BadArgument,
       {"argument `{}` of {} must be a run-time value, got {}",
        parametersOf(builtin)[parameter].name, name(), value},
       valueNotes(parametersOf(builtin)[parameter].name, value), std::move(fixes));
}

const constant::Value &BuiltinCall::constant(size_t parameter, Need need) const {
  if (const constant::Value *value = m_values[parameter].constant())
    return *value;
  fail(parameter, DiagnosticKind::NotConstexpr,
       Message("argument `{}` of {} must be a constexpr, got {}",
               parametersOf(builtin)[parameter].name, name(), m_values[parameter])
           .needs(need));
}

int64_t BuiltinCall::integer(size_t parameter) const {
  std::optional<int64_t> value = constant(parameter).toInt64();
  if (!value)
    fail(parameter, DiagnosticKind::BadArgument,
         {"argument `{}` of {} must be an integer, got {}", parametersOf(builtin)[parameter].name,
          name(), m_values[parameter]});
  return *value;
}

bool BuiltinCall::boolean(size_t parameter) const { return constant::truth(constant(parameter)); }

std::string BuiltinCall::string(size_t parameter) const {
  const Value &given = m_values[parameter];
  // A tuple, too, if all its items are known.
  const std::optional<constant::Value> known = given.toConstant();
  if (known && known->isNone())
    return "";
  if (known && !known->isStr())
    fail(parameter, DiagnosticKind::BadArgument,
         {"argument `{}` of {} must be a string, got {}", parametersOf(builtin)[parameter].name,
          name(), given});
  return constant(parameter).str();
}

/// What names a dtype but is none, as a dtype: `"fp16"`, `float`; else empty.
static std::string meantDType(const constant::Value &value) {
  std::optional<constant::DType> dtype;
  if (value.isStr()) {
    dtype = constant::dtypeNamed(value.str());
  } else if (value.isBuiltin()) {
    dtype = constant::dtypeFromLanguageName(value.str() == "float"  ? "float32"
                                            : value.str() == "int"  ? "int32"
                                            : value.str() == "bool" ? "int1"
                                                                    : "");
  }
  return dtype && !dtype->isPointer() ? "tl." + dtype->languageName() : std::string();
}

ScalarType BuiltinCall::dtype(size_t parameter) const {
  const constant::Value &value = constant(parameter, Need::DType);
  std::optional<ScalarType> type;
  if (value.isDType()) {
    // Of a block type, what `element_ty` of a pointer to a block is, its elements count.
    constant::DType scalar = value.dtype();
    scalar.shape.clear();
    type = scalar.toScalar();
  }
  if (type)
    return *type;
  const std::string meant = meantDType(value), advice = "write `" + meant + "`";
  std::vector<DiagnosticFix> fixes;
  if (!meant.empty())
    fixes.push_back({m_ranges[parameter], meant, advice});
  const std::string &argument = parametersOf(builtin)[parameter].name;
  fail(parameter, DiagnosticKind::BadArgument,
       (value.isBuiltin()
            ? Message("argument `{}` of {} must be a dtype such as `tl.float32`; `{}` is Python's",
                      argument, name(), value.str())
            : Message("argument `{}` of {} must be a dtype such as `tl.float32`, got {}", argument,
                      name(), m_values[parameter]))
           .needs(Need::DType),
       meant.empty() ? std::vector<std::string>() : std::vector<std::string>{advice},
       std::move(fixes));
}

std::vector<Value> BuiltinCall::items(size_t parameter) const {
  const TupleValue *tuple = m_values[parameter].asTuple();
  return tuple ? tuple->items : std::vector<Value>{m_values[parameter]};
}

std::vector<int64_t> BuiltinCall::integers(size_t parameter, Need need) const {
  std::vector<Value> values = items(parameter);
  // `f(x, (2, 4))` and `f(x, 2, 4)` mean the same.
  if (values.size() == 1 && values.front().asTuple())
    values = std::vector<Value>(values.front().asTuple()->items);
  std::vector<int64_t> integers;
  for (const Value &value : values) {
    const constant::Value *constant = value.constant();
    std::optional<int64_t> integer = constant ? constant->toInt64() : std::nullopt;
    if (!integer)
      fail(parameter, constant ? DiagnosticKind::BadArgument : DiagnosticKind::NotConstexpr,
           Message("argument `{}` of {} must consist of constexpr integers, got {}",
                   parametersOf(builtin)[parameter].name, name(), value)
               .needs(need));
    integers.push_back(*integer);
  }
  return integers;
}

void BuiltinCall::failUnstated(size_t parameter, const std::vector<int64_t> &extents) const {
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  const Tensor *block = parameter ? m_values.front().tensor() : nullptr;
  if (block && extents.size() == 1) {
    // Of a method, the argument is in front of the dot.
    const std::string_view whole = text(0);
    const std::string_view source =
        m_ranges[0] == range ? whole.substr(0, whole.rfind("." + std::string(builtin.name)))
                             : whole;
    const std::string code = "tl.ravel(" + std::string(source.empty() ? "x" : source) + ")";
    notes.push_back("`" + code + "` has all elements in one dimension");
    if (!source.empty() && hasLanguageName(emitter.frame()))
      fixes = rewriteFix(emitter.frame(), range, range, code);
  } else if (block && std::ranges::count(extents, -1) == 1) {
    static constexpr int64_t kMost = kMaxTensorElements;
    int64_t others = 1;
    for (const int64_t extent : extents)
      others = std::min(others * (extent == -1 ? 1 : std::clamp<int64_t>(extent, 0, kMost)), kMost);
    if (others > 0 && block->type.numElements() % others == 0)
      notes.push_back("here it is " + std::to_string(block->type.numElements() / others));
  }
  fail(parameter, DiagnosticKind::BadShape,
       Message("an extent of {} stands for nothing in a kernel: write the number", -1)
           .needs(Need::Rank),
       std::move(notes), std::move(fixes));
}

Shape BuiltinCall::shape(size_t parameter) const {
  std::vector<int64_t> extents = integers(parameter, Need::Extent);
  if (std::ranges::find(extents, -1) != extents.end())
    failUnstated(parameter, extents);
  Shape shape(extents.begin(), extents.end());
  Emitter::Range place(emitter, m_ranges[parameter]);
  ops.checkShape(shape);
  return shape;
}

static bool isName(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// That a block has no such axis, in the words of the call.
Message BuiltinCall::noSuchAxis(size_t parameter, int64_t axis, int64_t rank) const {
  std::string_view block = firstArgument(emitter.frame());
  if (block.empty() && isName(text(0)))
    block = text(0);
  const std::string subject = block.empty() ? "the block" : "`" + std::string(block) + "`";
  const std::string &name = parametersOf(builtin)[parameter].name;
  if (rank == 1)
    return subject + " has one axis: write `" + name + "=0`";
  return subject + " has " + std::to_string(rank) + " axes: `" + name + "` is from " +
         std::to_string(-rank) + " to " + std::to_string(rank - 1) + ", but is " +
         std::to_string(axis);
}

int64_t BuiltinCall::axis(size_t parameter, int64_t rank) const {
  int64_t axis = integer(parameter);
  if (axis < -rank || axis >= rank) {
    std::vector<DiagnosticFix> fixes;
    if (rank == 1 && emitter.frame().module->isPrelude)
      fixes.push_back({m_ranges[parameter], "0", ""});
    else if (rank == 1)
      fixes = numberFixes(emitter.frame(), m_ranges[parameter], axis, 0);
    for (DiagnosticFix &fix : fixes)
      if (fix.range == m_ranges[parameter])
        fix.title = "write `" + parametersOf(builtin)[parameter].name + "=0`";
    std::vector<std::string> notes;
    if (const GivenArgument given = firstGiven(emitter.frame()); given.expr && rank == 1)
      if (const auto *name = ast::as<ast::Name>(given.expr))
        notes = matrixNotes(*given.frame, name->id);
    fail(parameter, DiagnosticKind::BadArgument, noSuchAxis(parameter, axis, rank),
         std::move(notes), std::move(fixes));
  }
  return axis < 0 ? axis + rank : axis;
}

Value callBuiltin(Emitter &emitter, const Builtin &builtin, std::vector<CallArgument> arguments,
                  SourceRange range) {
  BuiltinCall call(emitter, builtin, std::move(arguments), range);
  return builtin.emit(call);
}

} // namespace tilescope::compiler::frontend
