// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/GuessAlternatives.h"

#include "compiler/constant/Operators.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace tilescope::compiler::frontend {

using namespace ast;
using Texts = std::vector<std::string>;

namespace {

/// What an error is about.
enum class Subject { Types, Extents };

bool says(const Diagnostic &error, std::string_view words) {
  return error.message.find(words) != std::string::npos;
}

Subject subjectOf(const Diagnostic &error) {
  // A stride that is not known to be 1 is an integer of another kind.
  if (says(error, "must be 1 but"))
    return Subject::Types;
  switch (error.kind) {
  case DiagnosticKind::BadShape:
  case DiagnosticKind::ShapeMismatch:
  case DiagnosticKind::UnrollTooLarge:
  case DiagnosticKind::StaticAssertFailed:
  case DiagnosticKind::ConstantEvaluation:
  case DiagnosticKind::BadArgument:
  case DiagnosticKind::AmbiguousCondition:
  case DiagnosticKind::UndefinedName:
    return Subject::Extents;
  default:
    return Subject::Types;
  }
}

/// The element types that a message names, as signatures write them, in its order.
Texts mentionedTypes(const Diagnostic &error) {
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
  static constexpr std::pair<std::string_view, Texts (*)()> kWords[] = {
      {"boolean", [] { return Texts{"i1"}; }},
      {"`dot`",
       [] {
         return Texts{"fp16", "fp32"};
       }},
      {"become pointers", [] { return Texts{"i64"}; }},
      {"to data-type of size 64",
       [] {
         return Texts{"fp64", "i64"};
       }},
      {"to data-type of size 16",
       [] {
         return Texts{"fp16", "i16"};
       }},
      {"to data-type of size 8 ", [] {
         return Texts{"i8", "u8"};
       }}};
  for (auto [word, types] : kWords)
    if (says(error, word)) {
      Texts first = types();
      result.insert(result.begin(), first.begin(), first.end());
    }
  return result;
}

std::optional<int64_t> integerOf(const std::string &text) {
  int64_t number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool isWhole = failure == std::errc() && end == text.data() + text.size();
  return isWhole ? std::optional(number) : std::nullopt;
}

/// The whole numbers after each `word` in a message.
std::vector<int64_t> numbersAfter(const Diagnostic &error, std::string_view word) {
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

/// What an extent would have to be for the sizes that a message compares to be the same:
/// `[64, 32] has 2048, [32, 1] has 32` asks 64 to become 1, or 1 to become 64.
std::vector<int64_t> balanced(const Diagnostic &error, int64_t extent) {
  static constexpr int64_t kLargest = 4096;
  std::vector<int64_t> sizes = numbersAfter(error, " has "), result;
  if (sizes.size() != 2 || sizes[0] <= 0 || sizes[1] <= 0 || extent <= 0 || extent > kLargest)
    return numbersAfter(error, " and ");
  for (auto [more, less] : {std::pair(sizes[0], sizes[1]), std::pair(sizes[1], sizes[0])})
    if (extent * less % more == 0 && extent * less / more <= kLargest)
      result.push_back(extent * less / more);
  return result;
}

/// `*kfp16:16` -> `fp16`; empty when it is no pointer.
std::string pointeeOf(const std::string &type) {
  if (!type.starts_with('*'))
    return {};
  std::string result = type.substr(type.starts_with("*k") ? 2 : 1);
  return result.substr(0, result.find(':'));
}

class Alternatives {
public:
  Alternatives(const ModuleIndex &index, const JitFunction &kernel, const Selection &selection,
               const Diagnostic &error)
      : m_index(index), m_kernel(kernel), m_selection(selection), m_error(error),
        m_subject(subjectOf(error)), m_mentioned(mentionedTypes(error)) {
    readComparisons();
  }

  std::vector<Alternative> run(const std::vector<Origin> &origins) {
    std::map<std::pair<bool, std::string>, Alternative> groups;
    for (const Origin &origin : origins) {
      const ParameterInfo &parameter = *m_kernel.findParameter(origin.parameter);
      bool isConstant = isConstexpr(parameter);
      Texts types = isConstant ? Texts() : typesFor(parameter);
      Texts values = isConstant || wantsConstant() ? valuesFor(parameter) : Texts();
      add(origin, types, false, groups);
      add(origin, values, true, groups);
    }
    for (auto &[key, group] : groups)
      if (group.parameters.size() > 1)
        m_result.push_back(std::move(group));
    std::ranges::stable_sort(m_result, {}, &Alternative::rank);
    return std::move(m_result);
  }

private:
  bool isConstexpr(const ParameterInfo &parameter) const {
    return parameter.annotationKind == AnnotationKind::Constexpr ||
           m_selection.constexprs.contains(parameter.name);
  }
  /// Whether an argument should be a constexpr without being declared as one: dtypes and None may
  /// be passed so, extents may not.
  bool wantsConstant() const {
    if (says(m_error, "arange") || says(m_error, "shape"))
      return false;
    return m_error.kind == DiagnosticKind::NotConstexpr || says(m_error, "constexpr") ||
           says(m_error, "compile time");
  }

  std::string current(const ParameterInfo &parameter) const {
    if (auto value = m_selection.constexprs.find(parameter.name);
        value != m_selection.constexprs.end())
      return value->second;
    if (auto type = m_selection.signature.find(parameter.name); type != m_selection.signature.end())
      return type->second;
    return {};
  }

  void add(const Origin &origin, const Texts &texts, bool isConstant,
           std::map<std::pair<bool, std::string>, Alternative> &groups) {
    const ParameterInfo &parameter = *m_kernel.findParameter(origin.parameter);
    const std::string now = current(parameter);
    bool fits = m_subject == (isConstant ? Subject::Extents : Subject::Types);
    int rank = 2 * origin.distance + (fits ? 0 : isConstant ? 6 : 30);
    // What its author wrote is the last thing to doubt.
    if (parameter.defaultValue)
      rank += 6;
    std::set<std::string> seen = {now};
    for (const std::string &text : texts) {
      if (!seen.insert(text).second)
        continue;
      m_result.push_back({{origin.parameter}, text, isConstant, rank});
      // Parameters that are alike may have to change together.
      bool isNumber = isConstant && integerOf(now).has_value();
      std::string kind = isConstant ? (isNumber ? "number" : now) : now.substr(0, now.find(':'));
      if (!kind.empty() && !parameter.defaultValue) {
        Alternative &group = groups[{isConstant, kind + "|" + text}];
        if (group.parameters.empty())
          group = {{}, text, isConstant, rank + 1};
        if (rank <= group.rank + 2 * kGroupReach)
          group.parameters.push_back(origin.parameter);
      }
      rank += 3;
    }
  }

  Texts typesFor(const ParameterInfo &parameter) const {
    const std::string now = current(parameter);
    Texts result;
    auto append = [&](std::initializer_list<const char *> texts) {
      result.insert(result.end(), texts.begin(), texts.end());
    };
    if (says(m_error, "expected a tensor descriptor") || now.starts_with("tensordesc")) {
      if (now.starts_with("tensordesc") && !m_mentioned.empty())
        for (const std::string &type : m_mentioned)
          result.push_back("tensordesc<" + type + now.substr(now.find('[')));
      append({"tensordesc<fp16[64,64]>", "tensordesc<fp32[64,64]>", "tensordesc<fp16[64]>",
              "tensordesc<fp16[1,64,64]>", "tensordesc<fp16[1,1,64,64]>"});
    }
    const std::string pointee = pointeeOf(now);
    if (!pointee.empty()) {
      if (says(m_error, "pointer<"))
        append({"i32", "i64"});
      for (const std::string &type : m_mentioned)
        result.push_back("*" + type + ":16");
      for (const char *type : {"fp32", "i32", "fp16", "i64", "bf16", "u8", "i8", "i1", "u32",
                               "fp8e4nv", "i16", "fp64", "u64"})
        result.push_back("*" + std::string(type) + ":16");
      append({"i32", "fp32"});
      return result;
    }
    if (says(m_error, "must be 1"))
      append({"i32:1"});
    if (now == "constexpr" || says(m_error, "pointer is needed") || says(m_error, "element_ty") ||
        says(m_error, "ptr type") || says(m_error, "expected a pointer"))
      append({"*fp32:16", "*i32:16", "*i64:16", "*fp16:16"});
    if (says(m_error, "subscriptable") || says(m_error, "unpack") || says(m_error, "iterable") ||
        says(m_error, "len()"))
      append({"(i32, i32)", "(i32, i32, i32)", "(i32, i32, i32, i32)", "(*fp32, *fp32)"});
    if (size_t shape = now.find('['); shape != std::string::npos) {
      for (const std::string &type : m_mentioned)
        result.push_back(type + now.substr(shape));
      for (const char *type : {"i32", "i1", "fp16", "fp32"})
        result.push_back(type + now.substr(shape));
    }
    if (says(m_error, "block") || says(m_error, "shape") || says(m_error, "rank"))
      for (const char *shape : {"[64]", "[64,64]", "[64,64,64]"})
        for (const std::string &type :
             {now.starts_with("i") ? "i32" : "fp32", now.starts_with("i") ? "fp32" : "i32"})
          result.push_back(std::string(type) + shape);
    for (const std::string &type : m_mentioned)
      result.push_back(type == "i1" ? "u1" : type);
    append({"i32", "i64", "fp32", "u1", "*fp32:16", "*i32:16"});
    return result;
  }

  Texts valuesFor(const ParameterInfo &parameter) const {
    const std::string now = current(parameter);
    Texts result = comparedWith(parameter.name);
    auto append = [&](std::initializer_list<const char *> texts) {
      result.insert(result.end(), texts.begin(), texts.end());
    };
    if (says(m_error, "dtype") || now.starts_with("tl.")) {
      for (const std::string &type : m_mentioned)
        result.push_back("tl." + nameOf(type));
      append({"tl.float32", "tl.float16", "tl.int32", "tl.bfloat16", "tl.int64"});
    }
    if (says(m_error, "not callable") || now.empty())
      for (const JitFunction &function : m_index.functions)
        if (function.returnsValue && function.name != m_kernel.name)
          result.push_back(function.name);
    if (says(m_error, "subscriptable") || says(m_error, "unpack") || says(m_error, "iterable") ||
        says(m_error, "len()"))
      append({"(64, 64)", "(64, 64, 64)", "(16, 16, 16, 16)", "(64,)"});
    if (now == "True")
      append({"False", "None", "1", "0"});
    else if (now == "False")
      append({"True", "None", "1", "0"});
    else if (now == "None")
      append({"True", "64", "1", "tl.float32"});
    if (std::optional<int64_t> number = integerOf(now)) {
      for (int64_t size : balanced(m_error, *number))
        result.push_back(std::to_string(size));
      // Near sizes first, and both ways.
      for (int64_t factor : {2, 4})
        if (*number >= 16)
          result.push_back(std::to_string(*number / factor));
      append({"16", "32", "64", "128", "256", "4", "8", "2", "1", "0", "512", "1024", "3"});
    } else {
      append({"64", "16", "1"});
    }
    append({"True", "False", "None", "tl.float32"});
    return result;
  }

  static std::string nameOf(const std::string &type) {
    std::optional<constant::DType> dtype = constant::dtypeFromSignature(type);
    return dtype ? dtype->languageName() : type;
  }

  /// Constants that a name is compared with anywhere in the file, nearest kind first.
  Texts comparedWith(const std::string &name) const {
    auto found = m_compared.find(name);
    return found == m_compared.end() ? Texts() : found->second;
  }

  void readComparisons() {
    auto read = [&](const Expr *side, const Expr *other) {
      auto *name = as<Name>(side);
      if (!name || !other || !m_kernel.findParameter(name->id))
        return;
      walk(*other, [&](const Node &node) {
        auto *constant = as<Constant>(&node);
        if (!constant)
          return is<Tuple>(&node) || is<List>(&node) || is<Set>(&node);
        if (constant->constantKind == ConstantKind::Str)
          m_compared[std::string(name->id)].push_back(
              constant::repr(constant::Value::string(std::string(constant->text))));
        else if (constant->intValue)
          m_compared[std::string(name->id)].push_back(std::to_string(*constant->intValue));
        return false;
      });
    };
    for (const JitFunction &function : m_index.functions)
      for (const Stmt *stmt : function.def->body)
        walk(*stmt, [&](const Node &node) {
          if (auto *compare = as<Compare>(&node)) {
            read(compare->left, compare->comparators[0]);
            read(compare->comparators[0], compare->left);
          }
          return true;
        });
  }

  /// How much further than the first a parameter may be to change together with it.
  static constexpr int kGroupReach = 4;

  const ModuleIndex &m_index;
  const JitFunction &m_kernel;
  const Selection &m_selection;
  const Diagnostic &m_error;
  Subject m_subject;
  Texts m_mentioned;
  std::map<std::string, Texts, std::less<>> m_compared;
  std::vector<Alternative> m_result;
};

} // namespace

std::vector<Alternative> alternativesFor(const ModuleIndex &index, const JitFunction &kernel,
                                         const Selection &selection,
                                         const std::vector<Origin> &origins,
                                         const Diagnostic &error) {
  return Alternatives(index, kernel, selection, error).run(origins);
}

} // namespace tilescope::compiler::frontend
