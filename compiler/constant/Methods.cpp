// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Attributes and methods of the built-in types.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

namespace tilescope::compiler::constant {

using Items = Value::Items;

static constexpr std::string_view kSpace = " \t\n\r\f\v";

static PythonError noAttribute(const Value &value, std::string_view name) {
  return {"AttributeError",
          quotedType(value) + " object has no attribute '" + std::string(name) + "'",
          {.subject = std::string(name)}};
}

// Dtypes

static Value shapeOf(const DType &block) {
  Items extents;
  for (int64_t extent : block.shape)
    extents.push_back(Value::integer(extent));
  return Value::tuple(std::move(extents));
}

static std::optional<Value> dtypeAttribute(const DType &type, std::string_view name) {
  if (name == "primitive_bitwidth")
    return Value::integer(type.bitWidth());
  if (name == "itemsize")
    return Value::integer((type.bitWidth() + 7) / 8);
  if (name == "int_bitwidth" && type.isInt())
    return Value::integer(type.bitWidth());
  if (name == "fp_mantissa_width" && type.isFloating())
    return Value::integer(type.mantissaWidth());
  if (name == "exponent_bias" && type.isFloating())
    return Value::integer(type.exponentBias());
  // As `tl.dtype.SIGNEDNESS` has them.
  if (name == "int_signedness" && type.isInt())
    return Value::integer(type.isSigned() ? 0 : 1);
  if (name == "name" || name == "cache_key_part")
    return Value::string(type.name());
  if (name == "numel" && type.isBlock())
    return Value::integer(
        std::accumulate(type.shape.begin(), type.shape.end(), int64_t(1), std::multiplies<>()));
  if (name == "scalar") {
    DType scalar = type;
    scalar.shape.clear();
    return Value::dtype(scalar);
  }
  if (name == "element_ty" && type.isBlock()) {
    DType element = type;
    element.shape.clear();
    return Value::dtype(element);
  }
  if (name == "element_ty" && type.isPointer())
    return Value::dtype(*type.pointee);
  if (name == "address_space" && type.isPointer())
    return Value::integer(type.addressSpace);
  if (name == "shape" && type.isBlock())
    return shapeOf(type);
  return std::nullopt;
}

static std::optional<Value> dtypeMethod(const DType &type, std::string_view name) {
  auto isScalar = [&](ScalarKind kind) { return !type.isPointer() && type.scalar == kind; };
  if (name == "is_floating")
    return Value::boolean(type.isFloating());
  if (name == "is_standard_floating")
    return Value::boolean(type.isStandardFloating());
  if (name == "is_int")
    return Value::boolean(type.isInt());
  if (name == "is_int_signed")
    return Value::boolean(type.isSigned());
  if (name == "is_int_unsigned")
    return Value::boolean(type.isUnsigned());
  if (name == "is_bool")
    return Value::boolean(type.isBool());
  if (name == "is_fp8")
    return Value::boolean(type.isFp8());
  if (name == "is_ptr")
    return Value::boolean(type.isPointer());
  if (name == "is_block")
    return Value::boolean(type.isBlock());
  if (name == "get_block_shapes")
    return shapeOf(type);
  if (name == "is_const")
    return Value::boolean(type.isConst);
  if (name == "kind")
    return Value::integer(type.isBool() ? 0 : type.isInt() ? 1 : 2);
  if (name == "get_int_max_value" && type.isInt())
    return Value::integer(
        (*Int::shiftLeft(Int(1), Int(type.bitWidth() - (type.isSigned() ? 1 : 0)))) - Int(1));
  if (name == "get_int_min_value" && type.isInt())
    return Value::integer(type.isSigned() ? -*Int::shiftLeft(Int(1), Int(type.bitWidth() - 1))
                                          : Int(0));
  static constexpr std::pair<std::string_view, ScalarKind> kTests[] = {
      {"is_fp16", ScalarKind::Fp16},       {"is_bf16", ScalarKind::Bf16},
      {"is_fp32", ScalarKind::Fp32},       {"is_fp64", ScalarKind::Fp64},
      {"is_int1", ScalarKind::Int1},       {"is_int8", ScalarKind::Int8},
      {"is_int16", ScalarKind::Int16},     {"is_int32", ScalarKind::Int32},
      {"is_int64", ScalarKind::Int64},     {"is_uint8", ScalarKind::Uint8},
      {"is_uint16", ScalarKind::Uint16},   {"is_uint32", ScalarKind::Uint32},
      {"is_uint64", ScalarKind::Uint64},   {"is_fp8e4nv", ScalarKind::Fp8e4nv},
      {"is_fp8e5", ScalarKind::Fp8e5},     {"is_fp8e4b15", ScalarKind::Fp8e4b15},
      {"is_fp8e4b8", ScalarKind::Fp8e4b8}, {"is_fp8e5b16", ScalarKind::Fp8e5b16}};
  for (const auto &[test, kind] : kTests)
    if (test == name)
      return Value::boolean(isScalar(kind));
  return std::nullopt;
}

// Strings

static std::string mapCase(std::string text, int (*convert)(int)) {
  for (char &c : text)
    if (c >= 0)
      c = static_cast<char>(convert(c));
  return text;
}

static std::string strip(std::string_view text, const Items &args, bool left, bool right) {
  std::string_view set =
      args.empty() || args[0].isNone() ? kSpace : std::string_view(args[0].str());
  size_t first = left ? text.find_first_not_of(set) : 0;
  if (first == std::string_view::npos)
    return {};
  size_t last = right ? text.find_last_not_of(set) : text.size() - 1;
  if (last == std::string_view::npos || text.empty())
    return {};
  return std::string(text.substr(first, last - first + 1));
}

static ValueOrError split(const std::string &text, const Items &args) {
  Items parts;
  int64_t limit = args.size() > 1 ? args[1].toInt64().value_or(-1) : -1;
  auto full = [&] { return limit >= 0 && static_cast<int64_t>(parts.size()) >= limit; };
  if (args.empty() || args[0].isNone()) {
    for (size_t at = text.find_first_not_of(kSpace); at != std::string::npos;) {
      size_t end = full() ? std::string::npos : text.find_first_of(kSpace, at);
      parts.push_back(Value::string(text.substr(at, end == std::string::npos ? end : end - at)));
      at = text.find_first_not_of(kSpace, end);
      if (end == std::string::npos)
        break;
    }
    return Value::list(std::move(parts));
  }
  if (!args[0].isStr())
    return typeError("must be str or None, not " + args[0].typeName());
  const std::string &separator = args[0].str();
  if (separator.empty())
    return valueError("empty separator");
  size_t at = 0;
  while (true) {
    size_t next = full() ? std::string::npos : text.find(separator, at);
    parts.push_back(Value::string(text.substr(at, next == std::string::npos ? next : next - at)));
    if (next == std::string::npos)
      return Value::list(std::move(parts));
    at = next + separator.size();
  }
}

static ValueOrError join(const std::string &separator, const Value &list) {
  OrError<Items> items = iterate(list);
  if (!items)
    return typeError("can only join an iterable");
  std::string text;
  for (size_t i = 0; i < items->size(); ++i) {
    const Value &item = items.value()[i];
    if (!item.isStr())
      return typeError("sequence item " + std::to_string(i) + ": expected str instance, " +
                       item.typeName() + " found");
    text += (i ? separator : "") + item.str();
  }
  return Value::string(std::move(text));
}

static ValueOrError replace(const std::string &text, const Items &args) {
  if (args.size() < 2 || !args[0].isStr() || !args[1].isStr())
    return typeError("replace() needs two str arguments");
  int64_t limit = args.size() > 2 ? args[2].toInt64().value_or(-1) : -1;
  const std::string &from = args[0].str(), &to = args[1].str();
  std::string result;
  size_t at = 0;
  for (int64_t count = 0; limit < 0 || count < limit; ++count) {
    size_t next = text.find(from, at);
    // An empty pattern matches between characters, which would need code points; no kernel asks for
    // it.
    if (from.empty() || next == std::string::npos)
      break;
    result += text.substr(at, next - at) + to;
    at = next + from.size();
    if (static_cast<int64_t>(result.size()) > kMaxElements)
      return tooLarge();
  }
  return Value::string(result + text.substr(at));
}

static ValueOrError startsOrEndsWith(const std::string &text, const Items &args, bool atStart) {
  std::string name = atStart ? "startswith" : "endswith";
  Items candidates = args[0].isTuple() ? args[0].items() : Items{args[0]};
  for (const Value &candidate : candidates) {
    if (!candidate.isStr())
      return typeError(name + " first arg must be str or a tuple of str, not " +
                       candidate.typeName());
    if (atStart ? text.starts_with(candidate.str()) : text.ends_with(candidate.str()))
      return Value::boolean(true);
  }
  return Value::boolean(false);
}

/// `find`, `rfind`, `index`, `count` with positions in code points.
static ValueOrError findText(std::string_view name, const std::string &text, const Value &needle) {
  if (!needle.isStr())
    return typeError("must be str, not " + needle.typeName());
  std::u32string haystack = codePoints(text), pattern = codePoints(needle.str());
  if (name == "count") {
    if (pattern.empty())
      return Value::integer(static_cast<int64_t>(haystack.size()) + 1);
    int64_t count = 0;
    for (size_t at = haystack.find(pattern); at != std::u32string::npos; ++count)
      at = haystack.find(pattern, at + pattern.size());
    return Value::integer(count);
  }
  size_t at = name == "rfind" ? haystack.rfind(pattern) : haystack.find(pattern);
  if (at == std::u32string::npos && name == "index")
    return valueError("substring not found");
  return Value::integer(at == std::u32string::npos ? -1 : static_cast<int64_t>(at));
}

static bool allOf(const std::string &text, int (*test)(int)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return test(static_cast<unsigned char>(c)) != 0;
  });
}

static ValueOrError formatMethod(const std::string &pattern, const Items &args,
                                 const Keywords &keywords) {
  std::string out;
  size_t nextIndex = 0;
  for (size_t at = 0; at < pattern.size(); ++at) {
    char c = pattern[at];
    if (c != '{' && c != '}') {
      out += c;
      continue;
    }
    if (at + 1 < pattern.size() && pattern[at + 1] == c) {
      out += c;
      ++at;
      continue;
    }
    if (c == '}')
      return valueError("Single '}' encountered in format string");
    size_t end = pattern.find('}', at);
    if (end == std::string::npos)
      return valueError("expected '}' before end of string");
    std::string_view field = std::string_view(pattern).substr(at + 1, end - at - 1);
    at = end;
    size_t colon = field.find(':');
    std::string_view spec = colon == std::string_view::npos ? "" : field.substr(colon + 1);
    field = field.substr(0, colon);
    char conversion = '\0';
    if (size_t mark = field.find('!'); mark != std::string_view::npos) {
      conversion = mark + 1 < field.size() ? field[mark + 1] : 's';
      field = field.substr(0, mark);
    }
    std::optional<Value> value;
    std::optional<Int> index =
        field.empty() ? Int(static_cast<int64_t>(nextIndex++)) : Int::parse(field);
    if (index) {
      size_t position = static_cast<size_t>(index->toInt64().value_or(-1));
      if (position >= args.size())
        return PythonError{"IndexError", "Replacement index " + index->toString() +
                                             " out of range for positional args tuple"};
      value = args[position];
    } else {
      for (const auto &[key, keywordValue] : keywords)
        if (key == field)
          value = keywordValue;
      if (!value)
        return PythonError{"KeyError", "'" + std::string(field) + "'"};
    }
    OrError<std::string> text =
        conversion == 'r' ? format(Value::string(repr(*value)), spec) : format(*value, spec);
    if (!text)
      return text.error();
    out += *text;
  }
  return Value::string(std::move(out));
}

static std::optional<ValueOrError> strMethod(const Value &value, std::string_view name,
                                             const Items &args, const Keywords &keywords) {
  const std::string &text = value.str();
  if (name == "upper")
    return Value::string(mapCase(text, std::toupper));
  if (name == "lower" || name == "casefold")
    return Value::string(mapCase(text, std::tolower));
  if (name == "strip" || name == "lstrip" || name == "rstrip") {
    if (!args.empty() && !args[0].isNone() && !args[0].isStr())
      return ValueOrError(typeError(std::string(name) + " arg must be None or str"));
    return Value::string(strip(text, args, name != "rstrip", name != "lstrip"));
  }
  if (name == "split")
    return split(text, args);
  if (name == "replace")
    return replace(text, args);
  if (name == "format")
    return formatMethod(text, args, keywords);
  if (name == "isdigit" || name == "isdecimal" || name == "isnumeric")
    return Value::boolean(allOf(text, std::isdigit));
  if (name == "isalpha")
    return Value::boolean(allOf(text, std::isalpha));
  if (name == "isalnum")
    return Value::boolean(allOf(text, std::isalnum));
  if (name == "isupper" || name == "islower") {
    std::string upper = mapCase(text, std::toupper), lower = mapCase(text, std::tolower);
    return Value::boolean(upper != lower && text == (name == "isupper" ? upper : lower));
  }
  if (name == "capitalize") {
    std::string lower = mapCase(text, std::tolower);
    return Value::string(mapCase(lower.substr(0, 1), std::toupper) +
                         (lower.empty() ? "" : lower.substr(1)));
  }
  if (args.empty())
    return std::nullopt;
  if (name == "join")
    return join(text, args[0]);
  if (name == "startswith" || name == "endswith")
    return startsOrEndsWith(text, args, name == "startswith");
  if (name == "find" || name == "rfind" || name == "index" || name == "count")
    return findText(name, text, args[0]);
  if ((name == "removeprefix" || name == "removesuffix") && args[0].isStr()) {
    const std::string &part = args[0].str();
    if (name == "removeprefix")
      return Value::string(text.starts_with(part) ? text.substr(part.size()) : text);
    return Value::string(text.ends_with(part) ? text.substr(0, text.size() - part.size()) : text);
  }
  return std::nullopt;
}

// Numbers and containers

static std::optional<ValueOrError> numberMethod(const Value &value, std::string_view name) {
  if (isIntegral(value)) {
    Int number = value.integer();
    if (name == "bit_length")
      return Value::integer(number.bitLength());
    if (name == "bit_count") {
      std::string bits = number.toString(2);
      return Value::integer(static_cast<int64_t>(std::count(bits.begin(), bits.end(), '1')));
    }
    if (name == "is_integer")
      return Value::boolean(true);
    return std::nullopt;
  }
  if (name == "is_integer")
    return Value::boolean(std::isfinite(value.real()) && value.real() == std::floor(value.real()));
  return std::nullopt;
}

static std::optional<ValueOrError> sequenceMethod(const Value &value, std::string_view name,
                                                  const Items &args) {
  if (args.empty())
    return std::nullopt;
  const Items &items = value.items();
  auto isWanted = [&](const Value &item) { return equal(item, args[0]); };
  if (name == "count")
    return Value::integer(std::count_if(items.begin(), items.end(), isWanted));
  if (name != "index")
    return std::nullopt;
  auto found = std::find_if(items.begin(), items.end(), isWanted);
  if (found == items.end())
    return ValueOrError(valueError(value.isTuple() ? "tuple.index(x): x not in tuple"
                                                   : repr(args[0]) + " is not in list"));
  return Value::integer(found - items.begin());
}

static std::optional<ValueOrError> dictMethod(const Value &value, std::string_view name,
                                              const Items &args) {
  Items result;
  if (name == "keys" || name == "values" || name == "items") {
    for (const auto &[key, item] : value.entries())
      result.push_back(name == "keys" ? key : name == "values" ? item : Value::tuple({key, item}));
    return Value::list(std::move(result));
  }
  if (name != "get" || args.empty())
    return std::nullopt;
  for (const auto &[key, item] : value.entries())
    if (equal(key, args[0]))
      return item;
  return args.size() > 1 ? args[1] : Value();
}

ValueOrError getAttribute(const Value &value, std::string_view name) {
  if (value.isDType()) {
    if (std::optional<Value> found = dtypeAttribute(value.dtype(), name))
      return *found;
  } else if (value.isNumber()) {
    if (name == "real")
      return value.isBool() ? Value::integer(value.integer()) : value;
    if (name == "imag")
      return value.isFloat() ? Value::real(0) : Value::integer(0);
    if (isIntegral(value) && name == "numerator")
      return Value::integer(value.integer());
    if (isIntegral(value) && name == "denominator")
      return Value::integer(1);
  }
  return noAttribute(value, name);
}

static std::optional<ValueOrError> dispatch(const Value &value, std::string_view name,
                                            const Items &args, const Keywords &keywords) {
  if (value.isDType()) {
    if (std::optional<Value> result = dtypeMethod(value.dtype(), name))
      return ValueOrError(*result);
    return std::nullopt;
  }
  if (value.isStr())
    return strMethod(value, name, args, keywords);
  if (value.isNumber())
    return numberMethod(value, name);
  if (value.isSequence())
    return sequenceMethod(value, name, args);
  if (value.isDict())
    return dictMethod(value, name, args);
  return std::nullopt;
}

bool hasMethod(const Value &value, std::string_view name) {
  // Two arguments satisfy every method's count; a method that dislikes their types still exists.
  Items sample(2, Value::string(""));
  return dispatch(value, name, {}, {}) || dispatch(value, name, sample, {});
}

/// The most arguments that a method takes.
static size_t maxArguments(const Value &value, std::string_view name) {
  static constexpr std::pair<std::string_view, size_t> kLimits[] = {
      {"split", 2},    {"replace", 3}, {"format", 1000},    {"strip", 1},
      {"lstrip", 1},   {"rstrip", 1},  {"join", 1},         {"startswith", 1},
      {"endswith", 1}, {"find", 1},    {"rfind", 1},        {"index", 1},
      {"count", 1},    {"get", 2},     {"removeprefix", 1}, {"removesuffix", 1}};
  for (const auto &[method, limit] : kLimits)
    if (method == name)
      return limit;
  return 0;
}

ValueOrError callMethod(const Value &value, std::string_view name, const Items &args,
                        const Keywords &keywords) {
  if (!hasMethod(value, name))
    return noAttribute(value, name);
  std::string shown = value.typeName() + "." + std::string(name) + "()";
  size_t limit = maxArguments(value, name);
  if (args.size() > limit)
    return typeError(shown + " takes " +
                     (limit == 0 ? "no arguments" : "at most " + std::to_string(limit)) + " (" +
                     std::to_string(args.size()) + " given)");
  if (std::optional<ValueOrError> result = dispatch(value, name, args, keywords))
    return *result;
  return typeError(shown + " got too few arguments or arguments of a wrong type");
}

} // namespace tilescope::compiler::constant
