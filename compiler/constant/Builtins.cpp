// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Builtins.h"

#include "compiler/constant/Internal.h"
#include "compiler/constant/NumberBuiltins.h"
#include "compiler/constant/Operators.h"
#include "compiler/syntax/PythonText.h"

#include <algorithm>
#include <limits>

namespace tilescope::compiler::constant {

using ast::BinaryOpKind;
using ast::CompareOpKind;
using Kind = Value::Kind;
using Items = Value::Items;

static ValueOrError wrapInt(OrError<int64_t> number) {
  if (!number)
    return number.error();
  return Value::integer(*number);
}

/// `min` and `max`.
static ValueOrError callExtreme(std::string_view name, const Items &args,
                                const Keywords &keywords) {
  if (args.empty())
    return typeError(std::string(name) + " expected at least 1 argument, got 0");
  Items items = args;
  if (args.size() == 1) {
    OrError<Items> iterated = iterate(args[0]);
    if (!iterated)
      return iterated.error();
    items = *iterated;
  }
  if (items.empty()) {
    if (std::optional<Value> fallback = findKeyword(keywords, "default"))
      return *fallback;
    return valueError(std::string(name) + "() iterable argument is empty");
  }
  CompareOpKind op = name == "min" ? CompareOpKind::Lt : CompareOpKind::Gt;
  Value best = items[0];
  for (size_t i = 1; i < items.size(); ++i) {
    ValueOrError better = applyCompare(op, items[i], best);
    if (!better)
      return better;
    if (better->boolean())
      best = items[i];
  }
  return best;
}

static ValueOrError callRange(const Items &args) {
  Int bounds[3] = {Int(0), Int(0), Int(1)};
  for (size_t i = 0; i < args.size(); ++i) {
    if (!isIntegral(args[i]))
      return typeError(quotedType(args[i]) + " object cannot be interpreted as an integer");
    bounds[args.size() == 1 ? 1 : i] = args[i].integer();
  }
  const auto &[start, stop, step] = bounds;
  if (step.isZero())
    return valueError("range() arg 3 must not be zero");
  Int distance = step.isNegative() ? start - stop : stop - start;
  Int stride = step.isNegative() ? -step : step;
  Int count = Int::floorDiv(distance + stride - Int(1), stride);
  if (count > Int(kMaxElements))
    return tooLarge();
  Items items;
  for (Int i = start; step.isNegative() ? i > stop : i < stop; i = i + step)
    items.push_back(Value::integer(i));
  return Value::list(std::move(items));
}

static bool isInstance(const Value &value, std::string_view type) {
  if (type == "int")
    return isIntegral(value);
  if (type == "object")
    return true;
  return value.typeName() == type;
}

static ValueOrError callIsInstance(const Items &args) {
  auto check = [](auto &&self, const Value &value, const Value &type) -> std::optional<bool> {
    if (type.isBuiltin())
      return isInstance(value, type.str());
    if (!type.isTuple())
      return std::nullopt;
    for (const Value &each : type.items()) {
      std::optional<bool> matches = self(self, value, each);
      if (!matches || *matches)
        return matches;
    }
    return false;
  };
  std::optional<bool> result = check(check, args[0], args[1]);
  if (!result)
    return typeError("isinstance() arg 2 must be a type, a tuple of types, or a union");
  return Value::boolean(*result);
}

static ValueOrError callSorted(const Items &args, const Keywords &keywords) {
  OrError<Items> iterated = iterate(args[0]);
  if (!iterated)
    return iterated.error();
  Items items = *iterated;
  std::optional<PythonError> failure;
  bool reverse = truth(findKeyword(keywords, "reverse").value_or(Value()));
  std::stable_sort(items.begin(), items.end(), [&](const Value &a, const Value &b) {
    ValueOrError less =
        reverse ? applyCompare(CompareOpKind::Lt, b, a) : applyCompare(CompareOpKind::Lt, a, b);
    if (!less && !failure)
      failure = less.error();
    return less && less->boolean();
  });
  if (failure)
    return *failure;
  return Value::list(std::move(items));
}

/// The second argument of `sum` and `enumerate`.
static Value startOf(const Items &args, const Keywords &keywords) {
  return args.size() > 1 ? args[1] : findKeyword(keywords, "start").value_or(Value::integer(0));
}

static ValueOrError callSum(const Items &args, const Keywords &keywords) {
  OrError<Items> items = iterate(args[0]);
  if (!items)
    return items.error();
  Value total = startOf(args, keywords);
  if (total.isStr())
    return typeError("sum() can't sum strings [use ''.join(seq) instead]");
  for (const Value &item : *items) {
    ValueOrError next = applyBinary(BinaryOpKind::Add, total, item);
    if (!next)
      return next;
    total = *next;
  }
  return total;
}

static ValueOrError callZip(const Items &args) {
  std::vector<Items> columns;
  size_t numRows = args.empty() ? 0 : std::numeric_limits<size_t>::max();
  for (const Value &arg : args) {
    OrError<Items> column = iterate(arg);
    if (!column)
      return column.error();
    numRows = std::min(numRows, column->size());
    columns.push_back(*column);
  }
  Items rows;
  for (size_t i = 0; i < numRows; ++i) {
    Items row;
    for (const Items &column : columns)
      row.push_back(column[i]);
    rows.push_back(Value::tuple(std::move(row)));
  }
  return Value::list(std::move(rows));
}

static ValueOrError callAnyAll(bool isAny, const Value &arg) {
  OrError<Items> items = iterate(arg);
  if (!items)
    return items.error();
  for (const Value &item : *items)
    if (truth(item) == isAny)
      return Value::boolean(isAny);
  return Value::boolean(!isAny);
}

static ValueOrError callEnumerate(const Items &args, const Keywords &keywords) {
  OrError<Items> items = iterate(args[0]);
  if (!items)
    return items.error();
  Value start = startOf(args, keywords);
  if (!isIntegral(start))
    return typeError(quotedType(start) + " object cannot be interpreted as an integer");
  Items pairs;
  Int index = start.integer();
  for (const Value &item : *items) {
    pairs.push_back(Value::tuple({Value::integer(index), item}));
    index = index + Int(1);
  }
  return Value::list(std::move(pairs));
}

/// `tuple`, `list`, `set`, `reversed`.
static ValueOrError callSequence(std::string_view name, const Items &args) {
  Items items;
  if (!args.empty()) {
    OrError<Items> iterated = iterate(args[0]);
    if (!iterated)
      return iterated.error();
    items = *iterated;
  }
  if (name == "reversed")
    std::reverse(items.begin(), items.end());
  if (name == "tuple")
    return Value::tuple(std::move(items));
  return name == "set" || name == "frozenset" ? Value::set(std::move(items))
                                              : Value::list(std::move(items));
}

static ValueOrError callDict(const Items &args, const Keywords &keywords) {
  Value::Entries entries;
  if (!args.empty() && args[0].isDict()) {
    entries = args[0].entries();
  } else if (!args.empty()) {
    OrError<Items> items = iterate(args[0]);
    if (!items)
      return items.error();
    for (const Value &item : *items) {
      if (!item.isSequence() || item.items().size() != 2)
        return typeError("cannot convert dictionary update sequence element to a sequence");
      entries.emplace_back(item.items()[0], item.items()[1]);
    }
  }
  for (const auto &[key, value] : keywords)
    entries.emplace_back(Value::string(key), value);
  return Value::dict(std::move(entries));
}

static ValueOrError callOrd(const Value &value) {
  if (!value.isStr())
    return typeError("ord() expected string of length 1, but " + value.typeName() + " found");
  std::u32string points = codePoints(value.str());
  if (points.size() != 1)
    return typeError("ord() expected a character, but string of length " +
                     std::to_string(points.size()) + " found");
  return Value::integer(static_cast<int64_t>(points[0]));
}

static ValueOrError callChr(const Value &value) {
  static constexpr int64_t kEnd = 0x110000;
  if (!isIntegral(value))
    return typeError(quotedType(value) + " object cannot be interpreted as an integer");
  int64_t point = value.toInt64().value_or(-1);
  if (point < 0 || point >= kEnd)
    return valueError("chr() arg not in range(0x110000)");
  std::string text;
  appendUtf8(text, static_cast<char32_t>(point));
  return Value::string(std::move(text));
}

namespace {
/// How many positional arguments a builtin takes; `max` -1: any number.
struct Arity {
  std::string_view name;
  int min;
  int max;
};
} // namespace

static constexpr Arity kBuiltins[] = {
    {"abs", 1, 1},       {"all", 1, 1},      {"any", 1, 1},        {"bin", 1, 1},
    {"bool", 0, 1},      {"chr", 1, 1},      {"dict", 0, 1},       {"divmod", 2, 2},
    {"enumerate", 1, 2}, {"float", 0, 1},    {"format", 1, 2},     {"frozenset", 0, 1},
    {"hex", 1, 1},       {"int", 0, 2},      {"isinstance", 2, 2}, {"len", 1, 1},
    {"list", 0, 1},      {"max", 0, -1},     {"min", 0, -1},       {"object", 0, 0},
    {"oct", 1, 1},       {"ord", 1, 1},      {"pow", 2, 3},        {"range", 1, 3},
    {"repr", 1, 1},      {"reversed", 1, 1}, {"round", 1, 2},      {"set", 0, 1},
    {"slice", 1, 3},     {"sorted", 1, 1},   {"str", 0, 1},        {"sum", 1, 2},
    {"tuple", 0, 1},     {"type", 1, 1},     {"zip", 0, -1}};

std::optional<Value> findBuiltin(std::string_view name) {
  for (const Arity &arity : kBuiltins)
    if (arity.name == name)
      return Value::builtin(std::string(name));
  return std::nullopt;
}

static std::optional<PythonError> checkArity(const Arity &arity, size_t numArgs) {
  int given = static_cast<int>(numArgs);
  if (given >= arity.min && (arity.max < 0 || given <= arity.max))
    return std::nullopt;
  std::string name(arity.name);
  if (arity.min == 1 && arity.max == 1)
    return typeError(name + "() takes exactly one argument (" + std::to_string(given) + " given)");
  bool tooFew = given < arity.min;
  int limit = tooFew ? arity.min : arity.max;
  std::string kind = arity.min == arity.max ? "" : tooFew ? "at least " : "at most ";
  return typeError(name + " expected " + kind + std::to_string(limit) + " argument" +
                   (limit == 1 ? "" : "s") + ", got " + std::to_string(given));
}

ValueOrError callBuiltin(std::string_view name, const Items &args, const Keywords &keywords) {
  const Arity *arity = std::find_if(std::begin(kBuiltins), std::end(kBuiltins),
                                    [&](const Arity &each) { return each.name == name; });
  if (arity == std::end(kBuiltins))
    return nameError(name);
  if (std::optional<PythonError> error = checkArity(*arity, args.size()))
    return *error;
  if (name == "abs")
    return callAbs(args[0]);
  if (name == "all" || name == "any")
    return callAnyAll(name == "any", args[0]);
  if (name == "bin")
    return callBase(args[0], 2, "0b");
  if (name == "oct")
    return callBase(args[0], 8, "0o");
  if (name == "hex")
    return callBase(args[0], 16, "0x");
  if (name == "bool")
    return Value::boolean(!args.empty() && truth(args[0]));
  if (name == "chr")
    return callChr(args[0]);
  if (name == "ord")
    return callOrd(args[0]);
  if (name == "dict")
    return callDict(args, keywords);
  if (name == "divmod")
    return callDivMod(args);
  if (name == "enumerate")
    return callEnumerate(args, keywords);
  if (name == "float")
    return callFloat(args);
  if (name == "int")
    return callInt(args, keywords);
  if (name == "isinstance")
    return callIsInstance(args);
  if (name == "len")
    return wrapInt(length(args[0]));
  if (name == "max" || name == "min")
    return callExtreme(name, args, keywords);
  if (name == "pow")
    return callPow(args);
  if (name == "range")
    return callRange(args);
  if (name == "round")
    return callRound(args, keywords);
  if (name == "sorted")
    return callSorted(args, keywords);
  if (name == "sum")
    return callSum(args, keywords);
  if (name == "zip")
    return callZip(args);
  if (name == "repr")
    return Value::string(repr(args[0]));
  if (name == "str")
    return Value::string(args.empty() ? "" : str(args[0]));
  if (name == "format") {
    OrError<std::string> text =
        format(args[0], args.size() > 1 && args[1].isStr() ? args[1].str() : "");
    if (!text)
      return text.error();
    return Value::string(*text);
  }
  if (name == "slice")
    return args.size() == 1 ? Value::slice(Value(), args[0], Value())
                            : Value::slice(args[0], args[1], args.size() > 2 ? args[2] : Value());
  if (name == "type") {
    if (std::optional<Value> type = findBuiltin(args[0].typeName()))
      return *type;
    return typeError("type() of " + quotedType(args[0]) + " is not known at compile time");
  }
  if (name == "object")
    return typeError("object() is not supported at compile time");
  return callSequence(name, args);
}

} // namespace tilescope::compiler::constant
