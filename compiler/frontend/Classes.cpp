// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Classes: named tuples and aggregates are tuples whose items have names, made and passed around in
// a kernel; every class is a place to find functions and constants in.
#include "compiler/frontend/Classes.h"

#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

static bool isNamed(const SourceModule &scope, const ast::Expr &expr,
                    std::initializer_list<std::string_view> names) {
  const auto *call = ast::as<ast::Call>(&expr);
  std::string path = resolveDotted(scope, call ? *call->func : expr);
  std::string_view last = std::string_view(path).substr(path.rfind('.') + 1);
  return std::ranges::find(names, last) != names.end();
}

std::shared_ptr<const ClassObject> makeClass(const SourceModule &scope, const ast::ClassDef &type) {
  auto object = std::make_shared<ClassObject>();
  object->name = type.name;
  for (const auto &inner : scope.inner)
    if (inner->type == &type)
      object->scope = inner.get();
  for (const ast::Expr *base : type.bases)
    if (isNamed(scope, *base, {"NamedTuple"}))
      object->kind = ClassObject::Kind::NamedTuple;
  for (const ast::Expr *decorator : type.decoratorList)
    if (isNamed(scope, *decorator, {"_aggregate", "aggregate"}))
      object->kind = ClassObject::Kind::Aggregate;
  for (const ast::Stmt *statement : type.body)
    if (const auto *field = ast::as<ast::AnnAssign>(statement))
      if (const auto *name = ast::as<ast::Name>(field->target)) {
        object->fields.emplace_back(name->id);
        object->defaults.push_back(field->value);
      }
  return object;
}

// `namedtuple("Name", ["a", "b"])` or `namedtuple("Name", "a b")`.
std::shared_ptr<const ClassObject> makeNamedTuple(Emitter &emitter,
                                                  const std::vector<CallArgument> &arguments) {
  std::optional<constant::Value> name, fields;
  if (arguments.size() >= 2) {
    name = arguments[0].value.toConstant();
    fields = arguments[1].value.toConstant();
  }
  auto object = std::make_shared<ClassObject>();
  object->kind = ClassObject::Kind::NamedTuple;
  bool isValid = name && name->isStr() && fields;
  if (isValid && fields->isStr()) {
    std::string text = fields->str();
    std::ranges::replace(text, ',', ' ');
    for (size_t begin = text.find_first_not_of(' '); begin != std::string::npos;
         begin = text.find_first_not_of(' ', begin)) {
      size_t end = std::min(text.find(' ', begin), text.size());
      object->fields.push_back(text.substr(begin, end - begin));
      begin = end;
    }
  } else if (isValid && fields->isSequence()) {
    for (const constant::Value &field : fields->items()) {
      isValid &= field.isStr();
      object->fields.push_back(field.isStr() ? field.str() : "");
    }
  } else {
    isValid = false;
  }
  if (!isValid)
    emitter.fail(DiagnosticKind::BadCall,
                 "`namedtuple` needs the name of the type and the names of its fields");
  object->name = name->str();
  object->defaults.resize(object->fields.size());
  return object;
}

const ClassObject *classOf(const Value &value) {
  const TupleValue *tuple = value.asTuple();
  return tuple ? dynamic_cast<const ClassObject *>(tuple->type.get()) : nullptr;
}

std::optional<Value> Emitter::classMember(const ClassObject &type, std::string_view name) {
  return type.scope ? global(*type.scope, name) : std::nullopt;
}

/// One value per field, from arguments that name them or follow their order.
static TupleValue bindFields(Emitter &emitter, const std::shared_ptr<const ClassObject> &type,
                             std::vector<CallArgument> arguments) {
  std::vector<std::optional<Value>> values(type->fields.size());
  size_t position = 0;
  for (CallArgument &argument : arguments) {
    size_t index = position;
    if (!argument.keyword.empty())
      index = std::ranges::find(type->fields, argument.keyword) - type->fields.begin();
    else
      ++position;
    if (index >= values.size())
      emitter.failAt(argument.range, DiagnosticKind::BadCall,
                     argument.keyword.empty()
                         ? "`" + type->name + "` has " + std::to_string(values.size()) +
                               " fields, but more values are given"
                         : "`" + type->name + "` has no field `" + std::string(argument.keyword) +
                               "`");
    if (values[index])
      emitter.failAt(argument.range, DiagnosticKind::BadCall,
                     "`" + type->name + "` got several values for `" + type->fields[index] + "`");
    values[index] = std::move(argument.value);
  }
  TupleValue tuple{{}, type->fields, type};
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i] && !type->defaults[i])
      emitter.fail(DiagnosticKind::BadCall,
                   "`" + type->name + "` is missing the field `" + type->fields[i] + "`");
    tuple.items.push_back(values[i] ? std::move(*values[i])
                                    : emitter.evaluateGlobal(*type->scope, *type->defaults[i]));
  }
  return tuple;
}

Value Emitter::construct(std::shared_ptr<const ClassObject> type,
                         std::vector<CallArgument> arguments, SourceRange range) {
  if (type->kind == ClassObject::Kind::Plain)
    fail(DiagnosticKind::UnsupportedFeature,
         "`" + type->name + "` cannot be made in a kernel: only named tuples and aggregates can");
  std::optional<Value> found;
  if (type->kind == ClassObject::Kind::Aggregate)
    found = classMember(*type, "__init__");
  const auto *init = found && found->constant() ? found->constant()->as<FunctionObject>() : nullptr;
  if (!init)
    return bindFields(*this, type, std::move(arguments));
  Frame callee;
  callee.module = &init->module;
  callee.function = &init->definition;
  callee.isConstructor = true;
  callee.isCompileTime = init->kind != FunctionObject::Kind::Jit || m_frame->isCompileTime;
  arguments.insert(arguments.begin(), {TupleValue{{}, {}, type}, range, {}});
  bindParameters(*init, std::move(arguments), callee);
  enterFrame(callee, range);
  expandBody(callee);
  const TupleValue *self =
      callee.locals.find(parametersOf(init->definition).front()->arg)->asTuple();
  TupleValue result{{}, type->fields, type};
  for (const std::string &field : type->fields) {
    auto position = std::ranges::find(self->fields, field);
    if (position == self->fields.end())
      fail(DiagnosticKind::BadCall,
           "`__init__` of `" + type->name + "` does not set the field `" + field + "`");
    result.items.push_back(self->items[position - self->fields.begin()]);
  }
  return result;
}

/// `self.field = value` in the `__init__` of an aggregate.
void Emitter::assignField(const ast::Attribute &target, const Value &value) {
  const auto *name = ast::as<ast::Name>(target.value);
  const Value *self = name ? m_frame->locals.find(name->id) : nullptr;
  const ClassObject *type = self ? classOf(*self) : nullptr;
  bool isSelf =
      m_frame->isConstructor && type && parametersOf(*m_frame->function).front()->arg == name->id;
  if (!isSelf)
    failAt(fileRange(target.range), DiagnosticKind::UnsupportedSyntax,
           "attributes cannot be assigned in a kernel",
           {"make a new value instead: aggregates and tuples do not change"});
  if (std::ranges::find(type->fields, target.attr) == type->fields.end())
    failAt(fileRange(target.attrRange), DiagnosticKind::UnknownAttribute,
           "`" + type->name + "` has no field `" + std::string(target.attr) + "`");
  TupleValue copy = *self->asTuple();
  auto position = std::ranges::find(copy.fields, target.attr);
  if (position != copy.fields.end()) {
    copy.items[position - copy.fields.begin()] = value;
  } else {
    copy.fields.emplace_back(target.attr);
    copy.items.push_back(value);
  }
  m_frame->locals.set(name->id, copy);
}

} // namespace tilescope::compiler::frontend
