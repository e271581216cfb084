// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/ErrorHints.h"

#include "compiler/types/ScalarKind.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace tilescope::compiler::inference {

using namespace ast;
using Texts = std::vector<std::string>;

Subject subjectOf(const Diagnostic &error) {
  // A stride that is not known to be 1 is an integer of another kind.
  if (error.cause.need == Need::UnitStride)
    return Subject::Types;
  switch (error.kind) {
  case DiagnosticKind::BadShape:
  case DiagnosticKind::ShapeMismatch:
  case DiagnosticKind::UnrollTooLarge:
  case DiagnosticKind::StaticAssertFailed:
  case DiagnosticKind::ConstantEvaluation:
  case DiagnosticKind::BadArgument:
  case DiagnosticKind::UndefinedName:
    return Subject::Extents;
  default:
    return Subject::Types;
  }
}

std::string namedType(const ModuleIndex &index, const Node &node) {
  auto *attribute = as<Attribute>(&node);
  const std::string path = attribute ? index.resolve(*attribute) : std::string();
  std::optional<std::string_view> member = languageMember(path);
  const std::optional<ScalarKind> type = member ? scalarFromLanguageName(*member) : std::nullopt;
  return type ? std::string(scalarInfo(*type).signatureName) : std::string();
}

/// The types in an assertion and in the conditions around it.
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

Texts wantedTypes(const ModuleIndex &index, const Diagnostic &error) {
  Texts result = assertedTypes(index, error);
  const DiagnosticCause &cause = error.cause;
  // Sums in blocks of `int32` are sums of products of bytes.
  if (error.kind == DiagnosticKind::LoopCarriedType && cause.shapes.size() == 2 &&
      !cause.types.empty() && cause.types.front() == "i32")
    result.insert(result.begin(), "i8");
  for (const std::string &type : cause.types)
    if (std::ranges::find(result, type) == result.end())
      result.push_back(type);
  return result;
}

std::vector<int64_t> balanced(const Diagnostic &error, int64_t extent) {
  static constexpr int64_t kLargest = 4096;
  const std::vector<int64_t> &totals = error.cause.totals, &extents = error.cause.extents;
  if (totals.empty() && !extents.empty())
    return {extents.back()};
  if (totals.size() != 2 || extent <= 0 || extent > kLargest)
    return {};
  std::vector<int64_t> result;
  for (auto [more, less] : {std::pair(totals[0], totals[1]), std::pair(totals[1], totals[0])})
    if (more > 0 && less > 0 && less <= kMostElements && extent * less % more == 0 &&
        extent * less / more <= kLargest)
      result.push_back(extent * less / more);
  return result;
}

double numElementsTooLarge(const Diagnostic &error) {
  if (error.cause.need != Need::FewerElements || error.cause.shapes.empty())
    return 0;
  const std::vector<int64_t> &shape = error.cause.shapes.front();
  return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
}

} // namespace tilescope::compiler::inference
