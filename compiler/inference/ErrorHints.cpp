// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/ErrorHints.h"

#include "compiler/constant/DType.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>

namespace tilescope::compiler::inference {

using namespace ast;
using Texts = std::vector<std::string>;

bool says(const Diagnostic &error, std::string_view words) {
  return error.message.find(words) != std::string::npos;
}

std::string namedType(const ModuleIndex &index, const Node &node) {
  auto *attribute = as<Attribute>(&node);
  const std::string path = attribute ? index.resolve(*attribute) : std::string();
  std::optional<std::string_view> member = languageMember(path);
  std::optional<constant::DType> type =
      member ? constant::dtypeFromLanguageName(*member) : std::nullopt;
  return type ? type->signatureName() : std::string();
}

/// The types that stand in an assertion and in the conditions around it.
static Texts assertedTypes(const ModuleIndex &index, const Diagnostic &error) {
  Texts result;
  auto covers = [&](const Node &node) {
    return node.range.begin <= error.range.begin && error.range.end <= node.range.end;
  };
  auto readTypes = [&](const Node &part) {
    walk(part, [&](const Node &node) {
      std::string type = namedType(index, node);
      if (!type.empty() && std::ranges::find(result, type) == result.end())
        result.push_back(std::move(type));
      return true;
    });
  };
  if (error.kind != DiagnosticKind::StaticAssertFailed || error.range.file != 0)
    return result;
  for (const JitFunction &function : index.functions)
    for (const Stmt *stmt : function.def->body)
      walk(*stmt, [&](const Node &node) {
        if (!covers(node))
          return false;
        if (auto *branch = as<If>(&node))
          readTypes(*branch->test);
        else if (is<ExprStmt>(&node))
          readTypes(node);
        return true;
      });
  return result;
}

/// The element types that a message names, as signatures write them, in its order.
static Texts mentionedTypes(const Diagnostic &error) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"fp8e4nv", "fp8e4nv"}, {"fp8e5", "fp8e5"}, {"fp16", "fp16"}, {"bf16", "bf16"},
      {"fp32", "fp32"},       {"fp64", "fp64"},   {"uint8", "u8"},  {"uint16", "u16"},
      {"uint32", "u32"},      {"uint64", "u64"},  {"int1", "i1"},   {"int8", "i8"},
      {"int16", "i16"},       {"int32", "i32"},   {"int64", "i64"}};
  Texts result;
  auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  // Not what would be supported.
  const std::string text = error.message.substr(0, error.message.find(": only "));
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isLetter(text[end]))
      ++end;
    std::string_view word = std::string_view(text).substr(i, end - i);
    for (auto [name, type] : kTypes)
      if (word == name && std::ranges::find(result, type) == result.end())
        result.emplace_back(type);
    i = std::max(end, i + 1);
  }
  struct Hint {
    std::string_view words;
    std::initializer_list<std::string_view> types;
  };
  const Hint kHints[] = {{"boolean", {"i1"}},
                         {"`dot`", {"fp16", "fp32"}},
                         {"become pointers", {"i64"}},
                         {"to data-type of size 64", {"fp64", "i64"}},
                         {"to data-type of size 16", {"fp16", "i16"}},
                         {"to data-type of size 8 ", {"i8", "u8"}}};
  for (const Hint &hint : kHints)
    if (says(error, hint.words))
      result.insert(result.begin(), hint.types.begin(), hint.types.end());
  // What sums up in `int32` are products of bytes.
  if (error.kind == DiagnosticKind::LoopCarriedType && says(error, "type `tensor<int32>"))
    result.insert(result.begin(), "i8");
  return result;
}

Texts wantedTypes(const ModuleIndex &index, const Diagnostic &error) {
  Texts result = assertedTypes(index, error);
  for (std::string &type : mentionedTypes(error))
    if (std::ranges::find(result, type) == result.end())
      result.push_back(std::move(type));
  return result;
}

/// The whole numbers after each `word` in a message.
static std::vector<int64_t> numbersAfter(const Diagnostic &error, std::string_view word) {
  std::vector<int64_t> result;
  const std::string &text = error.message;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    int64_t number = 0;
    const char *begin = text.data() + at + word.size();
    if (std::from_chars(begin, text.data() + text.size(), number).ec == std::errc())
      result.push_back(number);
  }
  return result;
}

std::vector<int64_t> totals(const Diagnostic &error) {
  std::vector<int64_t> result = numbersAfter(error, " has ");
  std::erase_if(result, [](int64_t size) { return size < 1 || size > kMostElements; });
  return result;
}

std::vector<int64_t> balanced(const Diagnostic &error, int64_t extent) {
  static constexpr int64_t kLargest = 4096;
  std::vector<int64_t> sizes = totals(error), result;
  if (sizes.size() != 2 || extent <= 0 || extent > kLargest)
    return numbersAfter(error, " and ");
  for (auto [more, less] : {std::pair(sizes[0], sizes[1]), std::pair(sizes[1], sizes[0])})
    if (extent * less % more == 0 && extent * less / more <= kLargest)
      result.push_back(extent * less / more);
  return result;
}

std::vector<int64_t> extentsIn(std::string_view text) {
  std::vector<int64_t> result;
  const char *at = text.data(), *end = at + text.size();
  while (at != end && (*at == '[' || *at == ',' || *at == ' ')) {
    at = std::find_if(at, end, [](char c) { return c != '[' && c != ',' && c != ' '; });
    int64_t extent = 0;
    auto [rest, failure] = std::from_chars(at, end, extent);
    if (failure != std::errc() || extent <= 0)
      return {};
    result.push_back(extent);
    at = rest;
  }
  return at != end && *at == ']' ? result : std::vector<int64_t>();
}

std::string shapeText(const std::vector<int64_t> &extents) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "[" : ",") + std::to_string(extent);
  return text + "]";
}

std::vector<std::vector<int64_t>> namedShapes(const Diagnostic &error) {
  std::vector<std::vector<int64_t>> result;
  const std::string_view message = error.message;
  for (size_t at = message.find('['); at != message.npos; at = message.find('[', at + 1))
    if (std::vector<int64_t> extents = extentsIn(message.substr(at)); !extents.empty())
      result.push_back(std::move(extents));
  return result;
}

double numElementsTooLarge(const Diagnostic &error) {
  const std::vector<std::vector<int64_t>> shapes = namedShapes(error);
  if (shapes.size() != 1 || !says(error, "more elements"))
    return 0;
  return std::accumulate(shapes[0].begin(), shapes[0].end(), 1.0, std::multiplies<>());
}

std::string_view variableOf(const Diagnostic &error) {
  if (error.kind != DiagnosticKind::BranchType && error.kind != DiagnosticKind::LoopCarriedType)
    return {};
  // The first name in the message.
  const std::string_view message = error.message;
  const std::string_view rest = message.substr(std::min(message.find('`'), message.size() - 1) + 1);
  return rest.substr(0, rest.find('`'));
}

} // namespace tilescope::compiler::inference
