// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/types/SignatureType.h"

#include <charconv>

namespace tilescope::compiler {

using Form = SignatureType::Form;

static constexpr std::string_view kDescriptor = "tensordesc<";
static constexpr std::string_view kBlockPointer = "blockptr<";

SignatureType SignatureType::block(ScalarType element, std::vector<int64_t> shape, Form form) {
  SignatureType type(element);
  type.form = form;
  type.shape = std::move(shape);
  return type;
}

SignatureType SignatureType::tuple(std::vector<SignatureType> items) {
  SignatureType type;
  type.form = Form::Tuple;
  type.items = std::move(items);
  return type;
}

SignatureType SignatureType::constexprValue() {
  SignatureType type;
  type.form = Form::Constexpr;
  return type;
}

std::optional<ScalarType> parseScalarType(std::string_view text) {
  static constexpr int kMaxDepth = 8;
  int depth = 0;
  bool isConst = false;
  for (; text.starts_with('*'); ++depth) {
    text.remove_prefix(1);
    const bool isConstPointee = text.starts_with('k');
    text.remove_prefix(isConstPointee ? 1 : 0);
    // Only the outermost pointer is told apart.
    isConst = depth == 0 ? isConstPointee : isConst;
  }
  const std::optional<ScalarKind> kind = scalarFromSignature(text);
  if (!kind || depth > kMaxDepth)
    return std::nullopt;
  return ScalarType{*kind, static_cast<uint8_t>(depth), isConst, 1};
}

namespace {
/// Reads one entry of a signature from the front of a text.
class SignatureReader {
public:
  explicit SignatureReader(std::string_view text) : m_text(text) {}

  std::optional<SignatureType> readAll() {
    std::optional<SignatureType> type = readEntry(0);
    skipSpace();
    return m_text.empty() ? type : std::nullopt;
  }

private:
  void skipSpace() {
    while (m_text.starts_with(' '))
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
    while (part.ends_with(' '))
      part.remove_suffix(1);
    return part;
  }

  std::optional<int64_t> takeNumber(std::string_view ends) {
    const std::string_view text = takeUntil(ends);
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    return isNumber ? std::optional(number) : std::nullopt;
  }

  /// `depth`: how many tuples are around the entry.
  std::optional<SignatureType> readEntry(int depth) {
    if (take("("))
      return readTuple(depth + 1);
    SignatureType type;
    type.form = take(kDescriptor)     ? Form::Descriptor
                : take(kBlockPointer) ? Form::BlockPointer
                                      : Form::Value;
    const std::string_view name = takeUntil("[:,()<>=");
    if (name == "constexpr")
      return type.form == Form::Value ? std::optional(SignatureType::constexprValue())
                                      : std::nullopt;
    const std::optional<ScalarType> scalar = parseScalarType(name);
    if (!scalar)
      return std::nullopt;
    type.scalar = *scalar;
    if (take("[") && !readShape(type.shape))
      return std::nullopt;
    if (type.form != Form::Value && !readWindowEnd(type))
      return std::nullopt;
    return readHint(type) ? std::optional(std::move(type)) : std::nullopt;
  }

  bool readShape(std::vector<int64_t> &shape) {
    do {
      const std::optional<int64_t> extent = takeNumber(",]");
      if (!extent || *extent < 1)
        return false;
      shape.push_back(*extent);
    } while (take(","));
    return take("]");
  }

  /// What follows the shape of a descriptor or block pointer.
  bool readWindowEnd(SignatureType &type) {
    if (type.isDescriptor() && take(",swizzle=")) {
      const std::optional<int64_t> bytes = takeNumber(",>");
      if (!bytes || (*bytes != 0 && *bytes != 32 && *bytes != 64 && *bytes != 128))
        return false;
      type.swizzleBytes = static_cast<int32_t>(*bytes);
      if (take(",of=") && !readExtents(type))
        return false;
    }
    return !type.shape.empty() && take(">");
  }

  bool readExtents(SignatureType &type) {
    do {
      const std::optional<int64_t> extent = takeNumber("x>");
      if (!extent || *extent < 1)
        return false;
      type.extents.push_back(*extent);
    } while (take("x"));
    return type.extents.size() == type.shape.size();
  }

  bool readHint(SignatureType &type) {
    if (!take(":"))
      return true;
    type.hint = take("16")  ? SignatureHint::Divisible
                : take("1") ? SignatureHint::One
                            : SignatureHint::None;
    return type.hint != SignatureHint::None;
  }

  std::optional<SignatureType> readTuple(int depth) {
    static constexpr int kMaxDepth = 16;
    if (depth > kMaxDepth)
      return std::nullopt;
    SignatureType tuple = SignatureType::tuple({});
    while (!take(")")) {
      std::string field;
      const size_t equals = m_text.find_first_of("=,)(");
      if (equals != std::string_view::npos && m_text[equals] == '=') {
        field = takeUntil("=");
        take("=");
      }
      const std::string_view before = m_text;
      std::optional<SignatureType> item = readEntry(depth);
      if (!item) {
        // What is not a type is a constant.
        m_text = before;
        item.emplace().form = Form::Literal;
        item->literal = takeUntil(",)");
        if (item->literal.empty())
          return std::nullopt;
      }
      item->field = std::move(field);
      tuple.items.push_back(std::move(*item));
      if (!take(",") && !m_text.starts_with(")"))
        return std::nullopt;
    }
    return tuple;
  }

  std::string_view m_text;
};
} // namespace

std::optional<SignatureType> parseSignatureType(std::string_view text) {
  return SignatureReader(text).readAll();
}

/// As what is pointed to, or what a block consists of.
static std::string elementName(const ScalarType &type) {
  if (type.isPointer())
    return (type.isConst ? "*k" : "*") + elementName(type.pointee());
  return std::string(scalarInfo(type.dtype).signatureName);
}

std::string toSignature(const ScalarType &type) {
  return type == ScalarType{ScalarKind::Int1} ? "u1" : elementName(type);
}

static std::string tupleText(const SignatureType &tuple) {
  std::string text;
  for (const SignatureType &item : tuple.items)
    text += (text.empty() ? "" : ", ") + (item.field.empty() ? "" : item.field + "=") +
            toSignature(item);
  return "(" + text + ")";
}

/// `fp16[64,64]`
static std::string blockText(const SignatureType &type) {
  std::string text = elementName(type.scalar);
  for (size_t i = 0; i < type.shape.size(); ++i)
    text += (i ? "," : "[") + std::to_string(type.shape[i]);
  return text + "]";
}

/// `,swizzle=128,of=1568x768`
static std::string machineText(const SignatureType &type) {
  if (!type.swizzleBytes)
    return "";
  std::string text = ",swizzle=" + std::to_string(*type.swizzleBytes);
  for (size_t i = 0; i < type.extents.size(); ++i)
    text += (i ? "x" : ",of=") + std::to_string(type.extents[i]);
  return text;
}

static std::string textOf(const SignatureType &type) {
  switch (type.form) {
  case Form::Constexpr:
    return "constexpr";
  case Form::Literal:
    return type.literal;
  case Form::Tuple:
    return tupleText(type);
  case Form::Descriptor:
    return std::string(kDescriptor) + blockText(type) + machineText(type) + ">";
  case Form::BlockPointer:
    return std::string(kBlockPointer) + blockText(type) + ">";
  case Form::Value:
    break;
  }
  return type.shape.empty() ? toSignature(type.scalar) : blockText(type);
}

std::string toSignature(const SignatureType &type) {
  return textOf(type) + (type.isDivisible() ? ":16" : type.isOne() ? ":1" : "");
}

} // namespace tilescope::compiler
