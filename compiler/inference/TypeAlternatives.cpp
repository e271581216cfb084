// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/TypeAlternatives.h"

#include "compiler/inference/ErrorHints.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using enum ScalarKind;
using Types = std::vector<SignatureType>;

namespace {

class TypeAlternatives {
public:
  TypeAlternatives(const Diagnostic &error, const std::vector<std::string> &mentioned)
      : m_error(error) {
    for (const std::string &name : mentioned)
      if (const std::optional<ScalarKind> element = scalarFromSignature(name))
        m_mentioned.emplace_back(*element);
  }

  Types typesInsteadOf(const std::optional<SignatureType> &now, bool isConstexpr) const {
    Types result = descriptorsFor(now);
    const auto append = [&](const Types &types) {
      result.insert(result.end(), types.begin(), types.end());
    };
    if (now && now->isPointer()) {
      if (needs(Need::Block))
        return now->isBlock()
                   ? Types()
                   : Types{SignatureType::block(ScalarType{now->scalar.dtype}.pointerTo(), {64})};
      append(pointers());
      return result;
    }
    if (needs(Need::UnitStride))
      append({{Int32, SignatureHint::One}});
    if (isConstexpr || needs(Need::Pointer))
      for (ScalarKind element : {Fp32, Int32, Int64, Fp16})
        result.push_back(SignatureType::pointerTo(element));
    if (needs(Need::Sequence)) {
      for (size_t count : {2, 3, 4})
        result.push_back(SignatureType::tuple(Types(count, Int32)));
      result.push_back(SignatureType::tuple(Types(2, ScalarType{Fp32}.pointerTo())));
    }
    append(blocksFor(now));
    append(m_mentioned);
    append({Int32, Int64, Fp32, Int1, SignatureType::pointerTo(Fp32),
            SignatureType::pointerTo(Int32)});
    return result;
  }

private:
  bool needs(Need need) const { return m_error.cause.need == need; }

  Types descriptorsFor(const std::optional<SignatureType> &now) const {
    Types result;
    const bool isDescriptor = now && now->isDescriptor();
    if (!isDescriptor && !needs(Need::Descriptor))
      return result;
    const auto add = [&](const ScalarType &element, std::vector<int64_t> shape) {
      result.push_back(
          SignatureType::block(element, std::move(shape), SignatureType::Form::Descriptor));
    };
    if (isDescriptor)
      for (const SignatureType &type : m_mentioned)
        add(type.scalar, now->shape);
    add({Fp16}, {64, 64});
    add({Fp32}, {64, 64});
    add({Fp16}, {64});
    add({Fp16}, {1, 64, 64});
    add({Fp16}, {1, 1, 64, 64});
    return result;
  }

  /// Instead of a pointer.
  Types pointers() const {
    Types result;
    if (m_error.cause.namesPointer)
      result = {Int32, Int64};
    for (const SignatureType &type : m_mentioned)
      result.push_back(SignatureType::pointerTo(type.scalar.dtype));
    for (ScalarKind element :
         {Fp32, Int32, Fp16, Int64, Bf16, Uint8, Int8, Int1, Uint32, Fp8e4nv, Int16, Fp64, Uint64})
      result.push_back(SignatureType::pointerTo(element));
    result.insert(result.end(), {Int32, Fp32});
    return result;
  }

  /// Blocks of other shapes or elements, and blocks instead of what is none.
  Types blocksFor(const std::optional<SignatureType> &now) const {
    Types result;
    if (now && !now->shape.empty()) {
      const auto add = [&](const ScalarType &element, const std::vector<int64_t> &shape) {
        result.push_back(SignatureType::block(element, shape, now->form));
      };
      for (const std::vector<int64_t> &extents : otherShapes(now->shape))
        add(now->scalar, extents);
      if (now->isBlock()) {
        for (const SignatureType &type : m_mentioned)
          add(type.scalar, now->shape);
        for (ScalarKind element : {Int32, Int1, Fp16, Fp32})
          add({element}, now->shape);
      }
    }
    const bool isSigned =
        now && scalarInfo(now->scalar.dtype).category == ScalarClass::Signed && !now->isTuple();
    if (needs(Need::Block) || needs(Need::Rank) || needs(Need::FewerElements) ||
        m_error.kind == DiagnosticKind::ShapeMismatch)
      for (size_t rank : {1, 2, 3})
        for (ScalarKind element : {isSigned ? Int32 : Fp32, isSigned ? Fp32 : Int32})
          result.push_back(SignatureType::block({element}, std::vector<int64_t>(rank, 64)));
    return result;
  }

  /// 0 for more than a block may have.
  static int64_t numElements(const std::vector<int64_t> &shape) {
    int64_t total = 1;
    for (int64_t extent : shape) {
      if (extent > kMostElements / total)
        return 0;
      total *= extent;
    }
    return total;
  }

  /// Shapes that a block may need to have instead of `shape`.
  std::vector<std::vector<int64_t>> otherShapes(const std::vector<int64_t> &shape) const {
    std::vector<std::vector<int64_t>> result;
    if (subjectOf(m_error) != Subject::Extents)
      return result;
    auto withLast = [&](int64_t extent) {
      std::vector<int64_t> changed = shape;
      changed.back() = extent;
      return changed;
    };
    const int64_t total = numElements(shape);
    for (int64_t size : m_error.cause.totals)
      if (total > 0 && size > 0 && size <= kMostElements && size * shape.back() % total == 0 &&
          size != total)
        result.push_back(withLast(size * shape.back() / total));
    for (const std::vector<int64_t> &found : m_error.cause.shapes)
      if (found.size() == shape.size() && std::ranges::find(found, 1) == found.end())
        result.push_back(found);
    if (needs(Need::FewerElements))
      for (int64_t extent : {16, 4})
        result.emplace_back(shape.size(), extent);
    if (m_error.kind == DiagnosticKind::StaticAssertFailed)
      for (int64_t extent : {128, 32, 256, 16}) {
        result.push_back(withLast(extent));
        result.emplace_back(shape.size(), extent);
      }
    return result;
  }

  const Diagnostic &m_error;
  /// The types that the error mentions.
  Types m_mentioned;
};

} // namespace

Types otherTypes(const std::optional<SignatureType> &now, bool isConstexpr, const Diagnostic &error,
                 const std::vector<std::string> &mentioned, bool isNamedPointer) {
  Types types = TypeAlternatives(error, mentioned).typesInsteadOf(now, isConstexpr);
  // `x_ptr[0]` is an error, not an item of a tuple.
  if (isNamedPointer)
    std::erase_if(types, [](const SignatureType &type) { return type.isTuple(); });
  return types;
}

} // namespace tilescope::compiler::inference
