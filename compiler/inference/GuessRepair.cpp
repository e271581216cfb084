// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GuessRepair.h"

#include "compiler/inference/ErrorHints.h"
#include "compiler/inference/GuessAlternatives.h"
#include "compiler/inference/RowsAndColumns.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

namespace tilescope::compiler::inference {

namespace {

/// Emissions in a row that bring nothing.
constexpr int kMaxVainTrials = 28;

/// Whether a name that is not defined at `place` is defined somewhere in that function: in a branch
/// that other guesses would take.
bool isBoundAround(const ast::ModuleIndex &index, SourceRange place) {
  for (const ast::JitFunction &function : index.functions) {
    std::string_view missing;
    std::set<std::string_view> bound;
    ast::walk(*function.def, [&](const ast::Node &node) {
      auto *name = ast::as<ast::Name>(&node);
      if (name && name->ctx == ast::ExprContext::Store)
        bound.insert(name->id);
      else if (name && name->range == place)
        missing = name->id;
      return true;
    });
    if (!missing.empty())
      return bound.contains(missing);
  }
  return false;
}

/// The place of an error in the document and the calls that led there, innermost first.
std::vector<SourceRange> placesOf(const Diagnostic &error) {
  std::vector<SourceRange> places;
  if (error.range.file == 0)
    places.push_back(error.range);
  for (const DiagnosticLabel &label : error.labels)
    if (label.range.file == 0)
      places.push_back(label.range);
  return places;
}

/// Whether the author gave a constexpr a number that no block has as its side: `BLOCK: tl.constexpr = 1000`. A launch
/// that leaves it out fails, and another number would hide that.
bool isFaultyDefault(const ast::ParameterInfo &parameter) {
  const ast::Constant *number =
      parameter.defaultValue ? ast::as<ast::Constant>(parameter.defaultValue) : nullptr;
  const int64_t value = number ? number->intValue.value_or(0) : 0;
  return parameter.annotationKind == ast::AnnotationKind::Constexpr && value > 1 &&
         !std::has_single_bit(static_cast<uint64_t>(value));
}

/// Whether emission came further before it met `later` than before `earlier`.
bool isFurther(const Diagnostic &later, const Diagnostic &earlier) {
  auto outermostFirst = [](const Diagnostic &error) {
    std::vector<SourceRange> places = placesOf(error);
    std::ranges::reverse(places);
    return places;
  };
  const std::vector<SourceRange> one = outermostFirst(later), other = outermostFirst(earlier);
  // Code inside the earlier place was emitted before it.
  for (size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    if (one[i] != other[i])
      return one[i].begin >= other[i].end;
  return one.empty() && other.empty() && later.range > earlier.range;
}

/// Whether `later` is at the place of `earlier` and says less: of a block that it is too large, but
/// not as much, or of the next one of the variables that are set there.
bool isSmaller(const Diagnostic &later, const Diagnostic &earlier) {
  if (later.kind != earlier.kind || later.range != earlier.range)
    return false;
  if (const double elements = numElementsTooLarge(later); elements > 0)
    return elements < numElementsTooLarge(earlier);
  return later.cause.subject != earlier.cause.subject;
}

bool isBetter(const std::optional<Objection> &one, const Objection &other) {
  if (!one)
    return true;
  if ((one->excess == 0) != (other.excess == 0))
    return one->excess != 0;
  return one->excess != 0
             ? one->excess < other.excess
             : isFurther(one->error, other.error) || isSmaller(one->error, other.error);
}

class Repairer {
public:
  Repairer(const ast::ModuleIndex &index, const ast::JitFunction &kernel, const Selection &given,
           const SearchBudget &budget, const Trial &tryOut)
      : m_index(index), m_kernel(kernel), m_given(given), m_budget(budget), m_tryOut(tryOut) {}

  Repair run(Repair best) {
    int numVain = 0;
    // A change that only puts another error at the same place may be half of the answer.
    std::optional<Repair> sideways;
    bool wentSideways = false;
    Repair current = best;
    while (current.objection && isGuessable(m_index, current.objection->error)) {
      bool isNew = false;
      sideways.reset();
      for (const Alternative &alternative : alternatives(current)) {
        Repair next{changed(current, alternative), std::nullopt};
        if (!m_tried.insert(keyOf(next)).second)
          continue;
        if (m_budget.isSpent() || ++numVain > kMaxVainTrials)
          return best;
        next.objection = m_tryOut(next.inferred.selection);
        isNew = isBetter(next.objection, *best.objection);
        if (isNew) {
          current = std::move(next);
          break;
        }
        bool isSideways = current.objection->excess == 0 && !wentSideways && !sideways &&
                          next.objection->error.range == current.objection->error.range &&
                          next.objection->error.message != current.objection->error.message;
        if (isSideways)
          sideways = std::move(next);
      }
      if (isNew) {
        best = current;
        numVain = 0;
        wentSideways = false;
      } else if (sideways) {
        current = std::move(*sideways);
        wentSideways = true;
      } else {
        break;
      }
    }
    return best;
  }

private:
  static std::string keyOf(const Repair &repair) {
    std::string key;
    for (const auto *map :
         {&repair.inferred.selection.signature, &repair.inferred.selection.constexprs})
      for (const auto &[name, text] : *map)
        key += name + "=" + text + ";";
    return key;
  }

  std::vector<Alternative> alternatives(const Repair &from) const {
    const std::vector<SourceRange> places = placesOf(from.objection->error);
    std::vector<Origin> origins =
        originsOf(m_index, m_kernel, places, from.objection->error.cause.subject);
    std::erase_if(origins, [&](const Origin &origin) {
      const ast::ParameterInfo &parameter = *m_kernel.findParameter(origin.parameter);
      return m_given.signature.contains(origin.parameter) ||
             m_given.constexprs.contains(origin.parameter) ||
             parameter.annotationKind == ast::AnnotationKind::DType || isFaultyDefault(parameter);
    });
    if (from.objection->excess != 0)
      return smallerExtents(from.inferred, origins);
    std::vector<Alternative> result =
        alternativesFor(m_index, m_kernel, from.inferred.selection, origins, from.objection->error);
    std::erase_if(result, [&](const Alternative &alternative) {
      return makesSquare(m_kernel, from.objection->error, from.inferred.selection,
                         changed(from, alternative).selection);
    });
    return result;
  }

  /// The extents that make a block too large, together and one by one.
  static std::vector<Alternative> smallerExtents(const InferredSelection &inferred,
                                                 const std::vector<Origin> &origins) {
    const std::map<std::string, std::string> &values = inferred.selection.constexprs;
    std::vector<Alternative> result;
    for (int limit : {64, 32, 16}) {
      std::vector<Alternative::Change> large;
      for (const Origin &origin : origins) {
        auto value = values.find(origin.parameter);
        bool isNumber = value != values.end() && !isAuthors(inferred, origin.parameter) &&
                        !value->second.empty() &&
                        value->second.find_first_not_of("0123456789") == std::string::npos;
        if (isNumber && value->second.size() < 9 && std::stoi(value->second) > limit)
          large.push_back({origin.parameter, std::to_string(limit)});
      }
      for (const Alternative::Change &change : large)
        result.push_back({{change}, true, 0});
      if (large.size() > 1)
        result.push_back({large, true, 0});
    }
    return result;
  }

  /// Whether the file itself chooses this value for large blocks.
  static bool isAuthors(const InferredSelection &inferred, const std::string &name) {
    return std::ranges::any_of(inferred.assumptions, [&](const Assumption &assumption) {
      return assumption.parameter == name &&
             (assumption.source == Assumption::Source::Configuration ||
              assumption.source == Assumption::Source::Launch);
    });
  }

  InferredSelection changed(const Repair &from, const Alternative &alternative) const {
    InferredSelection result = from.inferred;
    for (const auto &[name, text] : alternative.changes) {
      Selection &selection = result.selection;
      selection.signature.erase(name);
      selection.constexprs.erase(name);
      (alternative.isConstant ? selection.constexprs : selection.signature)[name] = text;
      std::erase_if(result.assumptions,
                    [&](const Assumption &assumption) { return assumption.parameter == name; });
      const Diagnostic &error = from.objection->error;
      result.assumptions.push_back({name, text, alternative.isConstant, Assumption::Source::Error,
                                    "otherwise line " + std::to_string(error.range.begin.line + 1) +
                                        " fails with \"" + error.message + "\""});
    }
    return result;
  }

  const ast::ModuleIndex &m_index;
  const ast::JitFunction &m_kernel;
  const Selection &m_given;
  const SearchBudget &m_budget;
  const Trial &m_tryOut;
  std::set<std::string> m_tried;
};

} // namespace

bool isGuessable(const ast::ModuleIndex &index, const Diagnostic &error) {
  switch (error.kind) {
  case DiagnosticKind::Internal:
  case DiagnosticKind::UnsupportedSyntax:
  case DiagnosticKind::PlainFunction:
  case DiagnosticKind::GlobalNotConstexpr:
  case DiagnosticKind::NoKernel:
  case DiagnosticKind::RecursionTooDeep:
  case DiagnosticKind::ReturnInLoop:
  case DiagnosticKind::UnusedResult:
  case DiagnosticKind::ConstexprReassigned:
    return false;
  case DiagnosticKind::ShapeMismatch:
    // Rows and columns that lack axes would fit each other where blocks are square.
    return error.cause.need != Need::Rank;
  case DiagnosticKind::UndefinedName:
    return isBoundAround(index, error.range);
  case DiagnosticKind::UnknownAttribute:
    // A name that a module lacks is missing for every guess.
    return error.cause.need != Need::Import;
  default:
    return true;
  }
}

bool makesSquare(const ast::JitFunction &kernel, const Diagnostic &error, const Selection &before,
                 const Selection &after) {
  const bool isOfShapes = error.kind == DiagnosticKind::ShapeMismatch;
  const auto isNew = [&](const std::string &one, const std::string &other) {
    const auto first = before.constexprs.find(one), second = before.constexprs.find(other);
    return first != before.constexprs.end() && second != before.constexprs.end() &&
           first->second != second->second;
  };
  for (const auto &[one, value] : after.constexprs)
    for (const auto &[other, same] : after.constexprs)
      if (one < other && value == same && isNew(one, other) &&
          (areRowsAndColumns(one, other) || (isOfShapes && areAxes(kernel, one, other))))
        return true;
  return false;
}

Repair repairGuesses(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
                     const Selection &given, InferredSelection start, Objection objection,
                     const SearchBudget &budget, const Trial &tryOut) {
  return Repairer(index, kernel, given, budget, tryOut)
      .run({std::move(start), std::move(objection)});
}

} // namespace tilescope::compiler::inference
