// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Attributes and methods of the built-in types. Those of str are in StrMethods.cpp.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tilescope::compiler::constant {

using Items = Value::Items;

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
