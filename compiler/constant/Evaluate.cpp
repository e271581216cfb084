// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Evaluate.h"

#include "compiler/constant/Builtins.h"
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"

#include <algorithm>
#include <vector>

namespace tilescope::compiler::constant {

using ast::NodeKind;

namespace {

/// Walks the expression. A failure is kept in `m_error` with the place of the innermost expression.
class Evaluator {
public:
  explicit Evaluator(const Environment &environment)
      : m_environment(environment),
        m_limit(environment.stepsLeft ? std::min(*environment.stepsLeft, kMaxEvaluationSteps)
                                      : kMaxEvaluationSteps) {}

  Evaluation run(const ast::Expr &expr) {
    std::optional<Value> value = eval(&expr);
    if (m_environment.stepsLeft)
      *m_environment.stepsLeft -= std::min(m_spent, m_limit);
    return {std::move(value), std::move(m_error)};
  }

private:
  using Result = std::optional<Value>;

  Result fail(const ast::Node &node, PythonError error) {
    m_error = {std::move(error), node.range};
    return std::nullopt;
  }
  Result check(const ast::Node &node, ValueOrError result) {
    if (!result)
      return fail(node, result.error());
    return spend(node, *result) ? Result(*std::move(result)) : std::nullopt;
  }

  /// Counts what it takes to make or look at `value`: its parts, and theirs. False, with the error
  /// noted, when the expression has taken too much; that is found without looking at more.
  bool spend(const ast::Node &node, const Value &value) {
    if (spendOn(value))
      return true;
    fail(node, tooLarge());
    return false;
  }
  bool spendOn(const Value &value) {
    m_spent += 1;
    if (value.isStr())
      m_spent += static_cast<int64_t>(value.str().size()) / kBytesPerStep;
    if (value.isInt() && !value.toInt64())
      m_spent += value.integer().bitLength() / (8 * kBytesPerStep);
    if (m_spent > m_limit)
      return false;
    if (value.isSequence() || value.kind() == Value::Kind::Set)
      return std::ranges::all_of(value.items(),
                                 [this](const Value &item) { return spendOn(item); });
    return !value.isDict() || std::ranges::all_of(value.entries(), [this](const auto &entry) {
      return spendOn(entry.first) && spendOn(entry.second);
    });
  }

  Result eval(const ast::Expr *expr) {
    if (++m_spent > m_limit)
      return fail(*expr, tooLarge());
    switch (expr->kind) {
    case NodeKind::Constant:
      return constant(*ast::as<ast::Constant>(expr));
    case NodeKind::Name:
      return name(*ast::as<ast::Name>(expr));
    case NodeKind::BinOp:
      return binary(*ast::as<ast::BinOp>(expr));
    case NodeKind::UnaryOp:
      return unary(*ast::as<ast::UnaryOp>(expr));
    case NodeKind::BoolOp:
      return boolean(*ast::as<ast::BoolOp>(expr));
    case NodeKind::Compare:
      return compare(*ast::as<ast::Compare>(expr));
    case NodeKind::IfExp: {
      auto *node = ast::as<ast::IfExp>(expr);
      Result test = eval(node->test);
      if (!test)
        return test;
      return eval(truth(*test) ? node->body : node->orelse);
    }
    case NodeKind::Tuple:
      return sequence(ast::as<ast::Tuple>(expr)->elts, Value::tuple);
    case NodeKind::List:
      return sequence(ast::as<ast::List>(expr)->elts, Value::list);
    case NodeKind::Set:
      return sequence(ast::as<ast::Set>(expr)->elts, Value::set);
    case NodeKind::Dict:
      return dict(*ast::as<ast::Dict>(expr));
    case NodeKind::Subscript:
      return index(*ast::as<ast::Subscript>(expr));
    case NodeKind::Slice:
      return slice(*ast::as<ast::Slice>(expr));
    case NodeKind::Attribute:
      return attribute(*ast::as<ast::Attribute>(expr));
    case NodeKind::Call:
      return call(*ast::as<ast::Call>(expr));
    case NodeKind::JoinedStr:
      return joined(*ast::as<ast::JoinedStr>(expr));
    case NodeKind::ListComp:
    case NodeKind::SetComp:
    case NodeKind::GeneratorExp:
    case NodeKind::DictComp:
      return comprehension(*expr);
    case NodeKind::NamedExpr: {
      auto *node = ast::as<ast::NamedExpr>(expr);
      Result value = eval(node->value);
      if (value)
        m_locals.emplace_back(ast::as<ast::Name>(node->target)->id, *value);
      return value;
    }
    default:
      return fail(*expr, typeError("a " + std::string(ast::nodeKindName(expr->kind)) +
                                   " expression cannot be evaluated at compile time"));
    }
  }

  Result constant(const ast::Constant &node) {
    switch (node.constantKind) {
    case ast::ConstantKind::None:
      return Value::none();
    case ast::ConstantKind::True:
    case ast::ConstantKind::False:
      return Value::boolean(node.constantKind == ast::ConstantKind::True);
    case ast::ConstantKind::Ellipsis:
      return Value::ellipsis();
    case ast::ConstantKind::Int:
      return integer(node);
    case ast::ConstantKind::Float:
      return Value::real(node.floatValue);
    case ast::ConstantKind::Str:
      return Value::string(std::string(node.text));
    case ast::ConstantKind::Complex:
    case ast::ConstantKind::Bytes:
      return fail(node, typeError("complex numbers and bytes do not exist in kernels"));
    }
    return std::nullopt;
  }

  Result integer(const ast::Constant &node) {
    if (node.intValue)
      return Value::integer(*node.intValue);
    const std::optional<Int> value = Int::fromLiteral(node.text);
    return value ? Result(Value::integer(*value)) : fail(node, tooLarge());
  }

  Result name(const ast::Name &node) {
    for (size_t i = m_locals.size(); i-- > 0;)
      if (m_locals[i].first == node.id)
        return m_locals[i].second;
    if (m_environment.lookup)
      if (std::optional<Value> value = m_environment.lookup(node.id))
        return value;
    if (std::optional<Value> value = findBuiltin(node.id))
      return value;
    return fail(node, nameError(node.id));
  }

  Result binary(const ast::BinOp &node) {
    Result left = eval(node.left);
    if (!left)
      return left;
    Result right = eval(node.right);
    if (!right || !spend(*node.left, *left) || !spend(*node.right, *right))
      return std::nullopt;
    return check(node, applyBinary(node.op, *left, *right));
  }

  Result unary(const ast::UnaryOp &node) {
    Result operand = eval(node.operand);
    return operand ? check(node, applyUnary(node.op, *operand)) : operand;
  }

  Result boolean(const ast::BoolOp &node) {
    Result value;
    for (const ast::Expr *each : node.values) {
      value = eval(each);
      if (!value || truth(*value) == (node.op == ast::BoolOpKind::Or))
        return value;
    }
    return value;
  }

  Result compare(const ast::Compare &node) {
    Result left = eval(node.left);
    if (!left)
      return left;
    Result outcome;
    for (size_t i = 0; i < node.ops.size(); ++i) {
      Result right = eval(node.comparators[i]);
      if (!right || !spend(node, *left) || !spend(node, *right))
        return std::nullopt;
      outcome = check(node, applyCompare(node.ops[i], *left, *right));
      if (!outcome || !truth(*outcome))
        return outcome;
      left = right;
    }
    return outcome;
  }

  bool appendAll(const ast::Node &node, const Value &value, Value::Items &out) {
    OrError<Value::Items> items = iterate(value);
    if (!items) {
      fail(node, items.error());
      return false;
    }
    out.insert(out.end(), items->begin(), items->end());
    return true;
  }

  std::optional<Value::Items> evalAll(ast::Seq<ast::Expr> elts) {
    Value::Items items;
    for (const ast::Expr *elt : elts) {
      auto *starred = ast::as<ast::Starred>(elt);
      Result value = eval(starred ? starred->value : elt);
      if (!value)
        return std::nullopt;
      if (!starred)
        items.push_back(*value);
      else if (!appendAll(*elt, *value, items))
        return std::nullopt;
    }
    return items;
  }

  Result sequence(ast::Seq<ast::Expr> elts, Value (*make)(Value::Items)) {
    std::optional<Value::Items> items = evalAll(elts);
    return items ? Result(make(std::move(*items))) : std::nullopt;
  }

  Result dict(const ast::Dict &node) {
    Value::Entries entries;
    for (size_t i = 0; i < node.keys.size(); ++i) {
      Result value = eval(node.values[i]);
      if (!value)
        return value;
      if (!node.keys[i]) {
        if (!value->isDict())
          return fail(*node.values[i], typeError(quotedType(*value) + " object is not a mapping"));
        entries.insert(entries.end(), value->entries().begin(), value->entries().end());
        continue;
      }
      Result key = eval(node.keys[i]);
      if (!key)
        return key;
      entries.emplace_back(*key, *value);
    }
    return Value::dict(std::move(entries));
  }

  Result slice(const ast::Slice &node) {
    Value parts[3];
    const ast::Expr *exprs[] = {node.lower, node.upper, node.step};
    for (int i = 0; i < 3; ++i) {
      if (!exprs[i])
        continue;
      Result part = eval(exprs[i]);
      if (!part)
        return part;
      parts[i] = *part;
    }
    return Value::slice(parts[0], parts[1], parts[2]);
  }

  Result index(const ast::Subscript &node) {
    Result value = eval(node.value);
    if (!value)
      return value;
    Result position = eval(node.slice);
    if (value->isStr() && !spend(*node.value, *value))
      return std::nullopt;
    return position ? check(node, subscript(*value, *position)) : position;
  }

  Result attribute(const ast::Attribute &node) {
    Result value = eval(node.value);
    if (!value)
      return value;
    if (value->isExtension() && m_environment.attribute)
      return check(node, m_environment.attribute(*value, node.attr));
    return check(node, getAttribute(*value, node.attr));
  }

  Result call(const ast::Call &node) {
    // A method of a built-in type is called on its object; there are no bound methods as values.
    auto *method = ast::as<ast::Attribute>(node.func);
    Result callee = eval(method ? method->value : node.func);
    if (!callee)
      return callee;
    bool isMethod = method && !callee->isExtension();
    if (method && !isMethod)
      callee = m_environment.attribute
                   ? check(*node.func, m_environment.attribute(*callee, method->attr))
                   : fail(*node.func, typeError("the attribute is not known at compile time"));
    if (!callee)
      return callee;
    std::optional<Value::Items> args = evalAll(node.args);
    if (!args)
      return std::nullopt;
    Keywords keywords;
    for (const ast::Keyword *keyword : node.keywords) {
      Result value = eval(keyword->value);
      if (!value)
        return value;
      if (keyword->arg) {
        keywords.emplace_back(std::string(*keyword->arg), *value);
        continue;
      }
      if (!value->isDict())
        return fail(*keyword,
                    typeError("argument after ** must be a mapping, not " + value->typeName()));
      for (const auto &[key, item] : value->entries())
        keywords.emplace_back(str(key), item);
    }
    for (const Value &arg : *args)
      if (!spend(node, arg))
        return std::nullopt;
    if (isMethod && !spend(node, *callee))
      return std::nullopt;
    if (isMethod)
      return check(node, callMethod(*callee, method->attr, *args, keywords));
    if (callee->isBuiltin())
      return check(node, callBuiltin(callee->str(), *args, keywords));
    if (callee->isExtension() && m_environment.call)
      return check(node, m_environment.call(*callee, *args, keywords));
    return fail(node, typeError(quotedType(*callee) + " object is not callable", Need::Function,
                                {&*callee}));
  }

  Result joined(const ast::JoinedStr &node) {
    std::string text;
    for (const ast::Expr *part : node.values) {
      if (auto *literal = ast::as<ast::Constant>(part)) {
        text += literal->text;
        continue;
      }
      auto *field = ast::as<ast::FormattedValue>(part);
      Result value = eval(field->value);
      if (!value)
        return value;
      std::string spec;
      if (field->formatSpec) {
        Result specValue = eval(field->formatSpec);
        if (!specValue)
          return specValue;
        spec = specValue->str();
      }
      if (!spend(*field, *value))
        return std::nullopt;
      Value shown = field->conversion == 's'  ? Value::string(str(*value))
                    : field->conversion == -1 ? *value
                                              : Value::string(repr(*value));
      OrError<std::string> formatted = format(shown, spec);
      if (!formatted)
        return fail(*part, formatted.error());
      text += *formatted;
    }
    return Value::string(std::move(text));
  }

  /// Binds the names of a comprehension's target.
  bool bind(const ast::Expr *target, const Value &value) {
    if (auto *name = ast::as<ast::Name>(target)) {
      m_locals.emplace_back(name->id, value);
      return true;
    }
    auto *tuple = ast::as<ast::Tuple>(target);
    auto *list = ast::as<ast::List>(target);
    if (!tuple && !list) {
      fail(*target, typeError("this target cannot be bound at compile time"));
      return false;
    }
    ast::Seq<ast::Expr> elts = tuple ? tuple->elts : list->elts;
    Value::Items items;
    if (!appendAll(*target, value, items))
      return false;
    if (items.size() != elts.size()) {
      bool tooMany = items.size() > elts.size();
      PythonError error = valueError(
          tooMany ? "too many values to unpack (expected " + std::to_string(elts.size()) + ")"
                  : "not enough values to unpack (expected " + std::to_string(elts.size()) +
                        ", got " + std::to_string(items.size()) + ")");
      error.cause.need = Need::Sequence;
      fail(*target, std::move(error));
      return false;
    }
    for (size_t i = 0; i < items.size(); ++i)
      if (!bind(elts[i], items[i]))
        return false;
    return true;
  }

  /// Runs `body` for every combination of the generators from `level` on.
  bool generate(ast::Seq<ast::Comprehension> generators, size_t level,
                const std::function<bool()> &body) {
    if (level == generators.size())
      return body();
    const ast::Comprehension &generator = *generators[level];
    Result iterable = eval(generator.iter);
    Value::Items items;
    if (!iterable || !appendAll(*generator.iter, *iterable, items))
      return false;
    for (const Value &item : items) {
      size_t numLocals = m_locals.size();
      if (!bind(generator.target, item))
        return false;
      bool wanted = true;
      for (const ast::Expr *condition : generator.ifs) {
        Result test = eval(condition);
        if (!test)
          return false;
        wanted = wanted && truth(*test);
        if (!wanted)
          break;
      }
      if (wanted && !generate(generators, level + 1, body))
        return false;
      m_locals.resize(numLocals);
    }
    return true;
  }

  Result comprehension(const ast::Expr &node) {
    size_t numLocals = m_locals.size();
    Value::Items items;
    Value::Entries entries;
    auto *dictNode = ast::as<ast::DictComp>(&node);
    auto *listNode = ast::as<ast::ListComp>(&node);
    bool ok = generate(dictNode ? dictNode->generators : listNode->generators, 0, [&] {
      Result first = eval(dictNode ? dictNode->key : listNode->elt);
      if (!first)
        return false;
      if (!dictNode) {
        items.push_back(*first);
      } else {
        Result value = eval(dictNode->value);
        if (!value)
          return false;
        entries.emplace_back(*first, *value);
      }
      if (static_cast<int64_t>(items.size() + entries.size()) <= kMaxElements)
        return true;
      fail(node, tooLarge());
      return false;
    });
    m_locals.resize(numLocals);
    if (!ok)
      return std::nullopt;
    if (dictNode)
      return Value::dict(std::move(entries));
    return node.kind == NodeKind::SetComp ? Value::set(std::move(items))
                                          : Value::list(std::move(items));
  }

  static constexpr int64_t kBytesPerStep = 16;

  const Environment &m_environment;
  const int64_t m_limit;
  EvaluationError m_error;
  int64_t m_spent = 0;
  /// Names bound by comprehensions and `:=`, innermost last.
  std::vector<std::pair<std::string_view, Value>> m_locals;
};

} // namespace

Evaluation evaluate(const ast::Expr &expr, const Environment &environment) {
  return Evaluator(environment).run(expr);
}

} // namespace tilescope::compiler::constant
