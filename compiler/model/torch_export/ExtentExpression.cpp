// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ExtentExpression.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilescope::model {

static constexpr size_t kMostLetters = 4096;
static constexpr int kMostLevels = 64;

namespace {

/// Sums of products of atoms, from left to right. After a fault all extents are null.
class ExpressionReader {
public:
  ExpressionReader(MLIRContext *context, StringRef text,
                   llvm::function_ref<tm::Extent(StringRef)> symbolOf)
      : m_context(context), m_rest(text), m_symbolOf(symbolOf) {}

  tm::Extent all() {
    const tm::Extent result = sum();
    return skipped().empty() ? result : tm::Extent();
  }

private:
  StringRef skipped() { return m_rest = m_rest.ltrim(); }
  bool take(StringRef token) {
    skipped();
    return m_rest.consume_front(token);
  }

  tm::Extent sum() {
    // Deeper ones are no extents of tensors.
    if (++m_level > kMostLevels)
      return {};
    tm::Extent result = product();
    while (result) {
      if (take("+"))
        result = tm::add(result, product());
      else if (take("-"))
        result = tm::subtract(result, product());
      else
        break;
    }
    --m_level;
    return result;
  }

  tm::Extent product() {
    tm::Extent result = signedAtom();
    while (result) {
      if (take("//"))
        result = tm::floorDivide(result, signedAtom());
      else if (skipped().starts_with("**"))
        return {};
      else if (take("*"))
        result = tm::multiply(result, signedAtom());
      else if (take("%"))
        result = tm::remainder(result, signedAtom());
      else
        break;
    }
    return result;
  }

  tm::Extent signedAtom() {
    bool isNegative = false;
    while (take("-"))
      isNegative = !isNegative;
    const tm::Extent result = atom();
    return isNegative ? tm::subtract(tm::number(m_context, 0), result) : result;
  }

  tm::Extent atom() {
    if (take("(")) {
      const tm::Extent result = sum();
      return take(")") ? result : tm::Extent();
    }
    const StringRef word =
        skipped().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    m_rest = m_rest.drop_front(word.size());
    if (word.empty())
      return {};
    if (llvm::isDigit(word.front())) {
      int64_t value = 0;
      return word.getAsInteger(10, value) ? tm::Extent() : tm::number(m_context, value);
    }
    if (word == "Symbol")
      return quotedSymbol();
    return take("(") ? call(word) : m_symbolOf(word);
  }

  /// `('s77', positive=True, integer=True)`
  tm::Extent quotedSymbol() {
    if (!take("(") || !take("'"))
      return {};
    const auto [name, behind] = m_rest.split('\'');
    const auto [facts, rest] = behind.split(')');
    m_rest = rest;
    return name.empty() ? tm::Extent() : m_symbolOf(name);
  }

  tm::Extent call(StringRef function) {
    SmallVector<tm::Extent> arguments;
    do
      arguments.push_back(sum());
    while (arguments.back() && take(","));
    if (!take(")") || llvm::is_contained(arguments, tm::Extent()))
      return {};
    if (function == "Integer" && arguments.size() == 1)
      return arguments.front();
    tm::Extent result = arguments.front();
    if (function == "Add" || function == "Mul") {
      for (const tm::Extent each : ArrayRef(arguments).drop_front())
        result = function == "Add" ? tm::add(result, each) : tm::multiply(result, each);
      return result;
    }
    if (arguments.size() != 2)
      return {};
    if (function == "FloorDiv" || function == "CleanDiv")
      return tm::floorDivide(result, arguments[1]);
    if (function == "Mod" || function == "PythonMod")
      return tm::remainder(result, arguments[1]);
    return {};
  }

  MLIRContext *m_context;
  StringRef m_rest;
  llvm::function_ref<tm::Extent(StringRef)> m_symbolOf;
  int m_level = 0;
};

} // namespace

tm::Extent readExtentExpression(MLIRContext *context, StringRef text,
                                llvm::function_ref<tm::Extent(StringRef)> symbolOf) {
  if (text.size() > kMostLetters)
    return {};
  return ExpressionReader(context, text, symbolOf).all();
}

} // namespace tilescope::model
