// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GuessAlternatives.h"

#include "compiler/constant/Operators.h"
#include "compiler/inference/ErrorHints.h"
#include "compiler/inference/LaunchedKernel.h"
#include "compiler/inference/NameWords.h"
#include "compiler/inference/ParameterUses.h"
#include "compiler/inference/TypeAlternatives.h"
#include "compiler/types/SignatureType.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace tilescope::compiler::inference {

using namespace ast;
using Texts = std::vector<std::string>;

namespace {

std::optional<int64_t> integerOf(const std::string &text) {
  int64_t number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool isWhole = failure == std::errc() && end == text.data() + text.size();
  return isWhole ? std::optional(number) : std::nullopt;
}

/// What a type consists of: `fp16` of `*kfp16:16`, `fp16` and `fp16[64,64]`.
std::string elementOf(const SignatureType &type) {
  switch (type.form) {
  case SignatureType::Form::Value:
    return toSignature(ScalarType{type.scalar.dtype});
  case SignatureType::Form::Descriptor:
  case SignatureType::Form::BlockPointer:
    return toSignature(SignatureType::block(type.scalar, {1}, type.form));
  default:
    return toSignature(type);
  }
}

/// What is left of it.
std::pair<bool, std::vector<int64_t>> formOf(const SignatureType &type) {
  return {type.isPointer(), type.shape};
}

class Alternatives {
public:
  Alternatives(const ModuleIndex &index, const JitFunction &kernel, const Selection &selection,
               const Diagnostic &error)
      : m_index(index), m_kernel(kernel), m_selection(selection), m_error(error),
        m_cause(error.cause), m_subject(subjectOf(error)), m_mentioned(wantedTypes(index, error)),
        m_uses(analyzeUses(index, kernel)) {
    readComparisons();
  }

  std::vector<Alternative> run(const std::vector<Origin> &origins) {
    Groups groups;
    for (const Origin &origin : origins) {
      const ParameterInfo &parameter = *m_kernel.findParameter(origin.parameter);
      bool isConstant = isConstexpr(parameter);
      Texts types = isConstant ? Texts() : textsOf(usefulTypesFor(parameter));
      Texts values = isConstant || wantsConstant() ? usefulValuesFor(parameter) : Texts();
      // What a launch passes as a number is known when it runs only.
      if (!isConstant && isLaunched())
        std::erase_if(values, [](const std::string &text) {
          return integerOf(text).has_value() || text == "True" || text == "False";
        });
      add(origin, types, false, groups);
      add(origin, values, true, groups);
    }
    for (auto &[key, group] : groups)
      if (group.changes.size() > 1) {
        group.isConstant = key.first;
        m_result.push_back(std::move(group));
      }
    for (auto &[key, group] : m_mixed)
      if (group.changes.size() > 1 && hasSeveralForms(group))
        m_result.push_back(std::move(group));
    std::ranges::stable_sort(m_result, {}, &Alternative::rank);
    return std::move(m_result);
  }

private:
  bool isLaunched() const { return m_kernel.isKernel() && !m_kernel.usedByOthers; }

  bool isConstexpr(const ParameterInfo &parameter) const {
    return parameter.annotationKind == AnnotationKind::Constexpr ||
           m_selection.constexprs.contains(parameter.name);
  }
  /// Whether an argument should be a constexpr without being declared as one: dtypes and None may
  /// be passed so, extents may not.
  bool wantsConstant() const {
    // What a launch passes as an integer is none; what a kernel passes on may be one.
    if (isLaunched() && needs(Need::Extent))
      return false;
    return m_error.kind == DiagnosticKind::NotConstexpr || needs(Need::Constexpr) ||
           needs(Need::Extent) || m_cause.namesConstexpr;
  }

  bool needs(Need need) const { return m_cause.need == need; }

  std::string current(const ParameterInfo &parameter) const {
    if (auto value = m_selection.constexprs.find(parameter.name);
        value != m_selection.constexprs.end())
      return value->second;
    if (auto type = m_selection.signature.find(parameter.name); type != m_selection.signature.end())
      return type->second;
    return {};
  }

  /// Nothing where the parameter is a constant, or open.
  std::optional<SignatureType> currentType(const ParameterInfo &parameter) const {
    const bool isConstant = m_selection.constexprs.contains(parameter.name);
    const auto type = m_selection.signature.find(parameter.name);
    return isConstant || type == m_selection.signature.end() ? std::nullopt
                                                             : parseSignatureType(type->second);
  }

  /// A guess must not make a kernel compile that computes with addresses, with blocks that no
  /// launch passes, or with a number as a condition.
  std::vector<SignatureType> usefulTypesFor(const ParameterInfo &parameter) const {
    std::vector<SignatureType> types =
        otherTypes(currentType(parameter), current(parameter) == "constexpr", m_error, m_mentioned,
                   isNamedPointer(parameter.name));
    const ParameterUse use =
        launchedUse(m_index, m_kernel, parameter.name, m_uses.at(parameter.name));
    const bool storesAddress = isStoredAddress();
    const bool isLaunched = isSurelyLaunched(m_index, m_kernel);
    const bool isSum = use.isSummedUp && m_error.kind == DiagnosticKind::LoopCarriedType;
    const bool isNumber = isNumberAsMask(m_index, m_kernel, parameter.name, use);
    std::erase_if(types, [&](const SignatureType &type) {
      const bool isPlainPointer = type.isPointer() && type.shape.empty();
      const ScalarKind element = type.scalar.dtype;
      const bool holdsAddresses =
          type.isPointer() && (element == ScalarKind::Int64 || element == ScalarKind::Uint64);
      const bool isPassed = type.shape.empty() || type.isDescriptor();
      return (isLaunched && !isPassed) ||
             ((use.isArray || (storesAddress && isNamedPointer(parameter.name))) &&
              !isPlainPointer) ||
             (storesAddress && holdsAddresses) || isSum ||
             (isNumber && !type.isPointer() && element == ScalarKind::Int1);
    });
    return types;
  }

  /// Whether the error is that `tl.store` gets an address as the value.
  bool isStoredAddress() const {
    bool isFound = false;
    for (const Stmt *stmt : m_kernel.def->body)
      walk(*stmt, [&](const Node &node) {
        auto *call = as<Call>(&node);
        auto *callee = call ? as<Attribute>(call->func) : nullptr;
        isFound |= callee && callee->attr == "store" && call->args.size() > 1 &&
                   call->args[1]->range == m_error.range && m_cause.namesPointer;
        return !isFound;
      });
    return isFound;
  }

  static Texts textsOf(const std::vector<SignatureType> &types) {
    Texts texts;
    for (const SignatureType &type : types)
      texts.push_back(toSignature(type));
    return texts;
  }

  using Groups = std::map<std::pair<bool, std::string>, Alternative>;

  void add(const Origin &origin, const Texts &texts, bool isConstant, Groups &groups) {
    const ParameterInfo &parameter = *m_kernel.findParameter(origin.parameter);
    const std::string now = current(parameter);
    const std::optional<SignatureType> type = currentType(parameter);
    // The requirement of an assertion on a type applies to nothing else.
    bool isAsserted =
        !isConstant && m_error.kind == DiagnosticKind::StaticAssertFailed && !m_mentioned.empty();
    bool isShape = !isConstant && type && !type->shape.empty();
    bool fits =
        isAsserted || isShape || m_subject == (isConstant ? Subject::Extents : Subject::Types);
    int rank = 2 * origin.distance + (fits ? 0 : isConstant ? 6 : 30);
    // The author's own text is doubted last, unless it is the part that is missing.
    bool isMissing = m_cause.namesNone && (now == "constexpr" || now == "None");
    if (parameter.defaultValue && !isMissing)
      rank += 6;
    else if (isMissing)
      rank = 0;
    std::set<std::string> seen = {now};
    for (const std::string &text : texts) {
      if (!seen.insert(text).second)
        continue;
      // Factors of a product are as narrow as its other factor, not the other way round.
      const std::optional<SignatureType> other =
          isConstant ? std::nullopt : parseSignatureType(text);
      bool widens = needs(Need::SameDType) && other && elementOf(*other) == "fp32";
      const int ownRank = rank + (widens ? 10 : 0);
      m_result.push_back({{{origin.parameter, text}}, isConstant, ownRank});
      // Parameters that are alike may have to change together.
      bool isNumber = isConstant && integerOf(now).has_value();
      std::string kind = isConstant ? (isNumber ? "number" : now) : now.substr(0, now.find(':'));
      if (!kind.empty() && !parameter.defaultValue) {
        join(groups[{isConstant, kind + "|" + text}], {origin.parameter, text}, ownRank + 1);
        if (type && other && formOf(*type) == formOf(*other))
          join(m_mixed[{elementOf(*type), elementOf(*other)}], {origin.parameter, text},
               ownRank + 2);
      }
      rank += 3;
    }
  }

  static bool hasSeveralForms(const Alternative &group) {
    const auto form = [](const Alternative::Change &change) {
      return formOf(parseSignatureType(change.text).value_or(SignatureType()));
    };
    return std::ranges::any_of(group.changes, [&](const Alternative::Change &change) {
      return form(change) != form(group.changes.front());
    });
  }

  static void join(Alternative &group, const Alternative::Change &change, int rank) {
    if (group.changes.empty())
      group.rank = rank;
    if (rank <= group.rank + 2 * kGroupReach)
      group.changes.push_back(change);
  }

  /// How many arguments a call of the parameter has; none when it is not called.
  std::optional<size_t> numCallArguments(const std::string &name) const {
    std::optional<size_t> result;
    for (const Stmt *stmt : m_kernel.def->body)
      walk(*stmt, [&](const Node &node) {
        auto *call = as<Call>(&node);
        if (call && m_kernel.nameMeantBy(*call->func) == name)
          result = call->args.size() + call->keywords.size();
        return !result;
      });
    return result;
  }

  /// Functions that can be called as a parameter is.
  Texts functionsFor(const ParameterInfo &parameter) const {
    const std::optional<size_t> numArguments = numCallArguments(parameter.name);
    Texts result;
    for (const JitFunction &function : m_index.functions) {
      const auto needed =
          std::ranges::count(function.parameters, nullptr, &ParameterInfo::defaultValue);
      bool fits = !numArguments || (static_cast<size_t>(needed) <= *numArguments &&
                                    *numArguments <= function.parameters.size());
      if (function.returnsValue && function.name != m_kernel.name && fits)
        result.push_back(function.name);
    }
    if (numArguments == 1)
      result.insert(result.end(), {"tl.sigmoid", "tl.abs"});
    else if (numArguments == 2)
      result.push_back("tl.maximum");
    return result;
  }

  /// A block of one element fits every other, and is a condition like a scalar: such an extent
  /// would not mend the kernel but hide what is wrong with it.
  Texts usefulValuesFor(const ParameterInfo &parameter) const {
    if (!m_uses.at(parameter.name).isShape)
      return valuesFor(parameter);
    if (m_error.kind == DiagnosticKind::AmbiguousCondition)
      return {};
    const Texts compared = comparedWith(parameter.name);
    Texts values = valuesFor(parameter);
    std::erase_if(values, [&](const std::string &text) {
      const bool isOne = text == "1" || text == "True";
      return isOne && std::ranges::find(compared, text) == compared.end();
    });
    return values;
  }

  Texts valuesFor(const ParameterInfo &parameter) const {
    const std::string now = current(parameter);
    Texts result = comparedWith(parameter.name);
    auto append = [&](std::initializer_list<const char *> texts) {
      result.insert(result.end(), texts.begin(), texts.end());
    };
    bool isOpen = now.empty() && !parameter.defaultValue;
    if (needs(Need::DType) || now.starts_with("tl.")) {
      for (const std::string &type : m_mentioned)
        result.push_back("tl." + nameOf(type));
      append({"tl.float32", "tl.float16", "tl.int32", "tl.bfloat16", "tl.int64"});
    }
    if (needs(Need::Function) || isOpen)
      std::ranges::move(functionsFor(parameter), std::back_inserter(result));
    if (needs(Need::Sequence))
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
    const std::optional<ScalarKind> kind = scalarFromSignature(type);
    return kind ? std::string(scalarInfo(*kind).languageName) : type;
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
        if (const std::string type = namedType(m_index, node); !type.empty())
          m_compared[std::string(name->id)].push_back("tl." + nameOf(type));
        auto *constant = as<Constant>(&node);
        if (!constant)
          return is<Tuple>(&node) || is<List>(&node) || is<Set>(&node) || is<Call>(&node);
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
  const DiagnosticCause &m_cause;
  Subject m_subject;
  Texts m_mentioned;
  std::map<std::string, ParameterUse, std::less<>> m_uses;
  std::map<std::string, Texts, std::less<>> m_compared;
  std::vector<Alternative> m_result;
  /// Pointers together with what is combined with the values there, by old and new element type.
  std::map<std::pair<std::string, std::string>, Alternative> m_mixed;
};

} // namespace

std::vector<Alternative> alternativesFor(const ModuleIndex &index, const JitFunction &kernel,
                                         const Selection &selection,
                                         const std::vector<Origin> &origins,
                                         const Diagnostic &error) {
  return Alternatives(index, kernel, selection, error).run(origins);
}

} // namespace tilescope::compiler::inference
