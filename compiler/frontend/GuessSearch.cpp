// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/GuessSearch.h"

#include "compiler/frontend/GeneratedSignature.h"
#include "compiler/frontend/GuessLimits.h"
#include "compiler/frontend/GuessRepair.h"
#include "compiler/frontend/ObservedCall.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::frontend {

/// Whole sets of guesses, in the order in which they are tried when changing single ones is not
/// enough.
static constexpr InferenceStyle kOtherStyles[] = {
    {.hasEqualExtents = true},
    {.isComplete = false},
    {.isComplete = false, .hasEqualExtents = true},
    {.index = "i32"},
    {.factor = "fp32"},
    {.factor = "bf16"},
    {.isComplete = false, .hasEqualExtents = true, .factor = "fp32"},
};

/// Callers that are asked what they pass. The first nearly always tells.
static constexpr size_t kMaxCallers = 5;

static std::optional<Objection> objectionTo(EmittedModule &emitted) {
  auto error = std::ranges::find(emitted.diagnostics, Severity::Error, &Diagnostic::severity);
  if (error != emitted.diagnostics.end())
    return Objection{*error, 0};
  return objectionToSize(*emitted.module);
}

static int64_t numOperationsOf(EmittedModule &emitted) {
  int64_t count = 0;
  if (emitted.module)
    emitted.module->walk([&](mlir::Operation *) { ++count; });
  return count;
}

/// The functions whose expansion may reach `function`: first those that can be launched, then the
/// farther ones.
static std::vector<const ast::JitFunction *> callersOf(const ast::ModuleIndex &index,
                                                       const ast::JitFunction &function) {
  std::vector<const ast::JitFunction *> callers = {&function};
  for (size_t i = 0; i < callers.size(); ++i)
    for (const ast::JitFunction &other : index.functions)
      if (std::ranges::find(callers, &other) == callers.end() &&
          std::ranges::binary_search(other.usedNames, std::string_view(callers[i]->name)))
        callers.push_back(&other);
  callers.erase(callers.begin());
  std::ranges::reverse(callers);
  std::ranges::stable_sort(callers, std::ranges::greater(), [](const ast::JitFunction *caller) {
    return caller->isKernel() && !caller->usedByOthers;
  });
  return callers;
}

namespace {

/// The search for one function's selection.
class GuessSearch {
public:
  GuessSearch(const Emission &emission, const ast::ModuleIndex &index,
              const ast::JitFunction &function, Selection given,
              std::function<void(const Frame &)> callObserved = {})
      : m_emission(emission), m_index(index), m_function(function),
        m_given(std::move(given)), m_trial{.isTrial = true,
                                           .callObserved = std::move(callObserved)} {
    const SourceModule &document = emission.modules.document();
    readGeneratedSignature(*document.tree, *function.def, m_given);
    std::vector<ScopedFunction> all = allFunctions(document);
    m_scoped = *std::ranges::find(all, function.def, &ScopedFunction::definition);
  }

  EmittedModule emit(bool isBroken) {
    InferredSelection first = firstGuess();
    EmittedModule result = emitSelected(m_emission, m_scoped, first,
                                        {.collectsFacts = m_emission.request.collectFacts});
    std::optional<Objection> objection = objectionTo(result);
    if (isBroken || !objection || first.assumptions.empty())
      return result;
    const Selection start = first.selection;
    Repair best = improve({std::move(first), objection}, numOperationsOf(result));
    return isMendable(best) || best.inferred.selection == start
               ? std::move(result)
               : emitSelected(m_emission, m_scoped, best.inferred,
                              {.collectsFacts = m_emission.request.collectFacts});
  }

  /// Whether a selection was found that compiles; it was the last that was tried.
  bool succeeds() {
    Repair first{inferSelection(m_index, m_function, m_given), std::nullopt};
    EmittedModule emitted = emitSelected(m_emission, m_scoped, first.inferred, m_trial);
    first.objection = objectionTo(emitted);
    if (!first.objection)
      return true;
    Repair best = improve(std::move(first), numOperationsOf(emitted));
    tryOut(best.inferred.selection);
    return !best.objection || best.objection->excess != 0;
  }

private:
  InferredSelection firstGuess() const {
    Selection known = m_given;
    std::vector<std::string> sentences;
    if (!m_function.isKernel() || m_function.usedByOthers)
      adoptFromCallers(known, sentences);
    InferredSelection guess = inferSelection(m_index, m_function, known);
    guess.assumptions.insert(guess.assumptions.begin(), sentences.begin(), sentences.end());
    return guess;
  }

  /// Adds to `known` what the callers pass, and why to `sentences`.
  void adoptFromCallers(Selection &known, std::vector<std::string> &sentences) const {
    std::optional<Selection> passed;
    const ast::JitFunction *source = nullptr;
    std::vector<const ast::JitFunction *> callers = callersOf(m_index, m_function);
    for (size_t i = 0; i < std::min(callers.size(), kMaxCallers); ++i) {
      std::optional<Selection> seen;
      const bool isSettled = succeedsObserved(*callers[i], seen);
      if (seen && (isSettled || !passed)) {
        passed = std::move(seen);
        source = callers[i];
      }
      if (passed && isSettled)
        break;
    }
    if (!passed)
      return;
    auto adopt = [&](const std::map<std::string, std::string> &from,
                     std::map<std::string, std::string> &into, const char *verb) {
      for (const auto &[name, text] : from) {
        if (m_given.signature.contains(name) || m_given.constexprs.contains(name))
          continue;
        into[name] = text;
        bool isBlock = &into == &known.signature && text.find('[') != std::string::npos;
        sentences.push_back(
            "`" + name + "` " + verb + " `" + text + "`: `" + source->name +
            (isBlock ? "` passes such a block, which is made from memory here" : "` passes it"));
      }
    };
    adopt(passed->signature, known.signature, "is");
    adopt(passed->constexprs, known.constexprs, "=");
    known.options.insert(passed->options.begin(), passed->options.end());
  }

  /// Compiles a caller for its own guesses. `seen`: how it calls the function, when it got there.
  bool succeedsObserved(const ast::JitFunction &caller, std::optional<Selection> &seen) const {
    Selection open;
    open.target = m_given.target;
    open.importPaths = m_given.importPaths;
    auto callObserved = [&](const Frame &callee) {
      if (callee.function == m_function.def)
        seen = selectionOf(callee, m_emission.modules.document());
    };
    return GuessSearch(m_emission, m_index, caller, std::move(open), callObserved).succeeds();
  }

  std::optional<Objection> tryOut(const Selection &selection) const {
    EmittedModule emitted = emitSelected(m_emission, m_scoped, {selection, {}}, m_trial);
    return objectionTo(emitted);
  }

  bool isMendable(const Repair &repair) const {
    // What expands without end takes long, whatever is guessed.
    return repair.objection && repair.objection->excess == 0 &&
           repair.objection->error.kind != DiagnosticKind::UnrollTooLarge &&
           isGuessable(m_index, repair.objection->error);
  }

  Repair improve(Repair start, int64_t numOperations) const {
    Trial trial = [this](const Selection &selection) { return tryOut(selection); };
    Repair best = repairGuesses(m_index, m_function, m_given, std::move(start.inferred),
                                std::move(*start.objection), numOperations, trial);
    for (const InferenceStyle &style : kOtherStyles) {
      if (!isMendable(best))
        break;
      InferredSelection other = inferSelection(m_index, m_function, m_given, style);
      if (std::optional<Objection> fault = tryOut(other.selection); !fault || fault->excess != 0)
        best = {std::move(other), fault};
    }
    return best;
  }

  const Emission &m_emission;
  const ast::ModuleIndex &m_index;
  const ast::JitFunction &m_function;
  Selection m_given;
  EmissionMode m_trial;
  ScopedFunction m_scoped;
};

} // namespace

EmittedModule emitByGuesses(const Emission &emission, const ast::ModuleIndex &index,
                            const ast::JitFunction &function, bool isBroken) {
  return GuessSearch(emission, index, function, emission.request.selection).emit(isBroken);
}

} // namespace tilescope::compiler::frontend
