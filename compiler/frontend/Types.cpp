// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Types.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cassert>
#include <charconv>

namespace tilescope::compiler::frontend {

NumberKind numberKind(DType dtype) {
  switch (scalarInfo(dtype).category) {
  case ScalarClass::Bool:
    return NumberKind::Boolean;
  case ScalarClass::Floating:
    return NumberKind::Floating;
  case ScalarClass::Void:
  case ScalarClass::Signed:
  case ScalarClass::Unsigned:
    break;
  }
  return NumberKind::Integral;
}

DType integerOf(int bits, bool isSigned) {
  switch (bits) {
  case 1:
    return DType::Int1;
  case 8:
    return isSigned ? DType::Int8 : DType::Uint8;
  case 16:
    return isSigned ? DType::Int16 : DType::Uint16;
  case 32:
    return isSigned ? DType::Int32 : DType::Uint32;
  default:
    assert(bits == 64 && "no integer type of this width");
    return isSigned ? DType::Int64 : DType::Uint64;
  }
}

ScalarType ScalarType::pointee() const {
  assert(isPointer());
  return {dtype, static_cast<uint8_t>(pointerDepth - 1), false, 1};
}

ScalarType ScalarType::pointerTo(bool constPointee, int space) const {
  return {dtype, static_cast<uint8_t>(pointerDepth + 1), constPointee, static_cast<uint8_t>(space)};
}

int64_t Type::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string toString(const ScalarType &type) {
  if (!type.isPointer())
    return nameOf(type.dtype);
  return (type.isConst ? "const_pointer<" : "pointer<") + toString(type.pointee()) + ">";
}

std::string shapeToString(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::string toString(const Type &type) {
  if (!type.isBlock())
    return toString(type.scalar);
  return toString(type.scalar) + shapeToString(type.shape);
}

std::string toSignature(const ScalarType &type) {
  if (!type.isPointer())
    return type.dtype == DType::Int1 ? "u1" : std::string(scalarInfo(type.dtype).signatureName);
  return (type.isConst ? "*k" : "*") + toSignature(type.pointee());
}

namespace {
/// Reads one entry of a signature from the front of a text.
class SignatureReader {
public:
  explicit SignatureReader(std::string_view text) : m_text(text) {}

  std::optional<SignatureEntry> readAll() {
    std::optional<SignatureEntry> entry = readEntry();
    skipSpace();
    return m_text.empty() ? entry : std::nullopt;
  }

private:
  void skipSpace() {
    while (!m_text.empty() && m_text.front() == ' ')
      m_text.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!m_text.starts_with(token))
      return false;
    m_text.remove_prefix(token.size());
    return true;
  }
  /// Everything up to one of `ends`, without the space around it.
  std::string_view takeUntil(std::string_view ends) {
    skipSpace();
    std::string_view part = m_text.substr(0, m_text.find_first_of(ends));
    m_text.remove_prefix(part.size());
    while (!part.empty() && part.back() == ' ')
      part.remove_suffix(1);
    return part;
  }

  std::optional<SignatureEntry> readEntry() {
    SignatureEntry entry;
    if (take("("))
      return readTuple(std::move(entry));
    entry.isDescriptor = take("tensordesc<");
    entry.isBlockPointer = !entry.isDescriptor && take("blockptr<");
    std::string_view name = takeUntil("[:,()<>=");
    if (name == "constexpr") {
      entry.isConstexpr = true;
      return entry;
    }
    std::optional<constant::DType> dtype = constant::dtypeFromSignature(name);
    std::optional<ScalarType> type = dtype ? fromConstant(*dtype) : std::nullopt;
    if (!type)
      return std::nullopt;
    entry.type = *type;
    if (take("[") && !readShape(entry.shape))
      return std::nullopt;
    bool isWindow = entry.isDescriptor || entry.isBlockPointer;
    if (isWindow && (entry.shape.empty() || !take(">")))
      return std::nullopt;
    if (!take(":"))
      return entry;
    entry.isDivisible = take("16");
    entry.isOne = !entry.isDivisible && take("1");
    return entry.isDivisible || entry.isOne ? std::optional(entry) : std::nullopt;
  }

  bool readShape(Shape &shape) {
    do {
      std::string_view text = takeUntil(",]");
      int64_t extent = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
      if (error != std::errc() || end != text.data() + text.size() || extent < 1)
        return false;
      shape.push_back(extent);
    } while (take(","));
    return take("]");
  }

  std::optional<SignatureEntry> readTuple(SignatureEntry entry) {
    entry.isTuple = true;
    while (!take(")")) {
      std::string field;
      size_t equals = m_text.find_first_of("=,)(");
      if (equals != std::string_view::npos && m_text[equals] == '=') {
        field = takeUntil("=");
        take("=");
      }
      std::string_view before = m_text;
      std::optional<SignatureEntry> item = readEntry();
      if (!item) {
        // Anything that is not a type is a constant.
        m_text = before;
        item.emplace().literal = takeUntil(",)");
        if (item->literal.empty())
          return std::nullopt;
      }
      item->field = std::move(field);
      entry.items.push_back(std::move(*item));
      if (!take(",") && !m_text.starts_with(")"))
        return std::nullopt;
    }
    return entry;
  }

  std::string_view m_text;
};
} // namespace

std::optional<SignatureEntry> parseSignatureEntry(std::string_view text) {
  return SignatureReader(text).readAll();
}

std::string toSignature(const SignatureEntry &entry) {
  std::string text;
  if (!entry.literal.empty()) {
    text = entry.literal;
  } else if (entry.isConstexpr) {
    text = "constexpr";
  } else if (entry.isTuple) {
    for (const SignatureEntry &item : entry.items)
      text += (text.empty() ? "" : ", ") + (item.field.empty() ? "" : item.field + "=") +
              toSignature(item);
    text = "(" + text + ")";
  } else {
    text = toSignature(entry.type);
    for (size_t i = 0; i < entry.shape.size(); ++i)
      text += (i ? "," : "[") + std::to_string(entry.shape[i]);
    text += entry.shape.empty() ? "" : "]";
    if (entry.isDescriptor || entry.isBlockPointer)
      text = (entry.isDescriptor ? "tensordesc<" : "blockptr<") + text + ">";
  }
  return text + (entry.isDivisible ? ":16" : entry.isOne ? ":1" : "");
}

constant::DType toConstant(const ScalarType &type) {
  if (!type.isPointer())
    return constant::DType::of(type.dtype);
  return constant::DType::pointerTo(toConstant(type.pointee()), type.addressSpace, type.isConst);
}

std::optional<ScalarType> fromConstant(const constant::DType &type) {
  if (type.isBlock())
    return std::nullopt;
  if (!type.isPointer())
    return ScalarType{type.scalar};
  std::optional<ScalarType> pointee = fromConstant(*type.pointee);
  if (!pointee)
    return std::nullopt;
  return pointee->pointerTo(type.isConst, type.addressSpace);
}

static mlir::Type scalarToMlir(mlir::MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::Void:
    return mlir::NoneType::get(context);
  case DType::Fp8e5:
    return mlir::Float8E5M2Type::get(context);
  case DType::Fp8e4nv:
    return mlir::Float8E4M3FNType::get(context);
  case DType::Fp8e4b8:
    return mlir::Float8E4M3FNUZType::get(context);
  case DType::Fp8e5b16:
    return mlir::Float8E5M2FNUZType::get(context);
  case DType::Fp16:
    return mlir::Float16Type::get(context);
  case DType::Bf16:
    return mlir::BFloat16Type::get(context);
  case DType::Fp32:
    return mlir::Float32Type::get(context);
  case DType::Fp64:
    return mlir::Float64Type::get(context);
  default:
    // Integers; fp8e4b15 too has no type of its own in the IR.
    return mlir::IntegerType::get(context, bitWidth(dtype));
  }
}

mlir::Type toMlir(mlir::MLIRContext *context, const ScalarType &type) {
  if (!type.isPointer())
    return scalarToMlir(context, type.dtype);
  return tt::PointerType::get(toMlir(context, type.pointee()), type.addressSpace);
}

mlir::Type toMlir(mlir::MLIRContext *context, const Type &type) {
  mlir::Type scalar = toMlir(context, type.scalar);
  return type.isBlock() ? mlir::RankedTensorType::get(type.shape, scalar) : scalar;
}

} // namespace tilescope::compiler::frontend
