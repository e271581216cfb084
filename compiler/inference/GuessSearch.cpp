// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GuessSearch.h"

#include "compiler/inference/CallPaths.h"
#include "compiler/inference/GeneratedSignature.h"
#include "compiler/inference/GuessAlternatives.h"
#include "compiler/inference/GuessRepair.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::inference {

/// Whole sets of guesses, in the order in which they are tried when changing single ones is not
/// enough.
static constexpr InferenceStyle kOtherStyles[] = {
    {.hasEqualExtents = true},
    {.isComplete = false},
    {.isComplete = false, .hasEqualExtents = true},
    {.index = ScalarKind::Int32},
    {.factor = ScalarKind::Fp32},
    {.factor = ScalarKind::Bf16},
    {.isComplete = false, .hasEqualExtents = true, .factor = ScalarKind::Fp32},
};

/// Callers that are asked what they pass. The first nearly always shows it.
static constexpr size_t kMaxCallers = 5;
/// Other values of a caller's constants that are tried to make it call.
static constexpr int kMaxReachTrials = 12;

namespace {

/// The search for one function's selection.
class GuessSearch {
public:
  GuessSearch(GuessTask task, SearchBudget &budget, const CallWatch *watch = nullptr)
      : m_file(task.file), m_index(task.index), m_function(task.function),
        m_given(std::move(task.given)), m_memory(task.memory), m_budget(budget), m_watch(watch) {
    readGeneratedSignature(m_file.tree(), *m_function.def, m_given);
  }

  void emit(bool isBroken, const FullEmission &emission) {
    const SettledGuess *settled = remembered();
    InferredSelection first = settled ? settled->inferred : firstGuess();
    Repair start{first, emission(first)};
    while (start.objection && opensDefaultAt(start.objection->error.range)) {
      first = firstGuess();
      start = {first, emission(first)};
    }
    if (isBroken || (start.objection && first.assumptions.empty()) || isSettledAs(settled, start))
      return;
    Repair best = improve(start);
    // An assertion about constants rules out a guess, whatever else is wrong.
    const bool isRuledOut =
        start.objection && start.objection->error.kind == DiagnosticKind::StaticAssertFailed;
    if ((isMendable(best) && !isRuledOut) || best.inferred.selection == first.selection) {
      remember(start);
      return;
    }
    remember(best);
    emission(best.inferred);
  }

  /// Compiles for guesses until what is watched for happens: `isSeen`. Returns whether the
  /// selection that was tried last compiles.
  bool observe(const std::vector<SourceRange> &places, const std::function<bool()> &isSeen) {
    const SettledGuess *settled = remembered();
    Repair found{settled ? settled->inferred : infer(m_given), std::nullopt};
    found.objection = tryOut(found.inferred.selection);
    if (!isSettledAs(settled, found)) {
      if (found.objection) {
        found = improve(found);
        tryOut(found.inferred.selection);
      }
      remember(found);
    }
    return isSeen() ? succeeds(found.objection) : reach(found.inferred.selection, places, isSeen);
  }

private:
  /// Everything that a search depends on, but for imported files.
  std::string memoryKey() const {
    std::string key = m_file.path() + "|" + m_function.name + "|" + m_given.target;
    for (const auto *map : {&m_given.signature, &m_given.constexprs, &m_given.options})
      for (const auto &[name, text] : *map)
        key += "|" + name + "=" + text;
    for (const std::string &path : m_given.importPaths)
      key += "|" + path;
    return key + "|" + std::to_string(std::hash<std::string>()(m_file.tree().source));
  }
  const SettledGuess *remembered() const {
    return m_memory ? m_memory->find(memoryKey()) : nullptr;
  }
  void remember(const Repair &found) const {
    if (m_memory)
      m_memory->remember(memoryKey(), {found.inferred, succeeds(found.objection)});
  }
  static bool succeeds(const std::optional<Objection> &objection) {
    return !objection || objection->excess != 0;
  }
  /// Whether the emission of what is remembered went as it did before.
  static bool isSettledAs(const SettledGuess *settled, const Repair &tried) {
    return settled && settled->succeeds == succeeds(tried.objection);
  }

  /// Whether a default at `place` that cannot be evaluated is left out from now on.
  bool opensDefaultAt(SourceRange place) {
    auto stands = [&](const ast::ParameterInfo &parameter) {
      const ast::Expr *value = parameter.defaultValue;
      return value && place.file == 0 && value->range.begin <= place.begin &&
             place.end <= value->range.end;
    };
    auto found = std::ranges::find_if(m_function.parameters, stands);
    return found != m_function.parameters.end() && m_openDefaults.insert(found->name).second;
  }

  InferredSelection infer(const Selection &known, InferenceStyle style = {}) const {
    style.openDefaults = &m_openDefaults;
    return inferSelection(m_index, m_function, known, style, &m_file.imports());
  }

  InferredSelection firstGuess() const {
    Selection known = m_given;
    std::vector<Assumption> passed;
    if (!m_function.isKernel() || m_function.usedByOthers)
      adoptFromCallers(known, passed);
    InferredSelection guess = infer(known);
    guess.assumptions.insert(guess.assumptions.begin(), passed.begin(), passed.end());
    return guess;
  }

  /// Tries other values of what decides whether the calls at `places` happen.
  bool reach(const Selection &start, const std::vector<SourceRange> &places,
             const std::function<bool()> &isSeen) const {
    Diagnostic unreached;
    unreached.kind = DiagnosticKind::ConstantEvaluation;
    int numTrials = 0;
    for (const Alternative &alternative : alternativesFor(
             m_index, m_function, start, originsOf(m_index, m_function, places), unreached)) {
      if (!alternative.isConstant)
        continue;
      if (++numTrials > kMaxReachTrials || m_budget.isSpent())
        break;
      Selection changed = start;
      for (const auto &[name, text] : alternative.changes)
        changed.constexprs[name] = text;
      std::optional<Objection> objection = tryOut(changed);
      if (isSeen())
        return succeeds(objection);
    }
    return false;
  }

  /// Adds to `known` what callers pass, and why to `assumptions`.
  void adoptFromCallers(Selection &known, std::vector<Assumption> &assumptions) const {
    SearchBudget budget;
    PassedSelection passed = passedIn(m_file, m_index, m_function.name, budget);
    ImporterMemory forgotten;
    ImporterMemory &importers = m_memory ? m_memory->importers : forgotten;
    if (!passed.source)
      for (const Importer &importer : importers.importersOf(m_file.path(), m_function.name)) {
        std::unique_ptr<TrialFile> caller = m_file.open(importer);
        passed = passedIn(*caller, ast::indexModule(*importer.tree), importer.alias, budget);
        if (passed.source)
          break;
      }
    if (!passed.source)
      return;
    auto adopt = [&](const std::map<std::string, std::string> &from,
                     std::map<std::string, std::string> &into) {
      for (const auto &[name, text] : from) {
        if (m_given.signature.contains(name) || m_given.constexprs.contains(name))
          continue;
        into[name] = text;
        bool isBlock = &into == &known.signature && text.find('[') != std::string::npos;
        assumptions.push_back({name, text, &into == &known.constexprs, Assumption::Source::Caller,
                               "`" + *passed.source +
                                   (isBlock ? "` passes such a block for the values that are "
                                              "guessed for it; it is made from "
                                              "memory here"
                                            : "` passes it")});
      }
    };
    adopt(passed.selection.signature, known.signature);
    adopt(passed.selection.constexprs, known.constexprs);
  }

  /// What a caller passes, and its name.
  struct PassedSelection {
    Selection selection;
    std::optional<std::string> source;
  };

  /// Compiles the callers in one file, which calls the function `name`, for their own guesses. The
  /// first that compiles shows them; else the first that came as far as the call.
  PassedSelection passedIn(TrialFile &file, const ast::ModuleIndex &index, std::string_view name,
                           SearchBudget &budget) const {
    Selection open;
    open.target = m_given.target;
    open.importPaths = m_given.importPaths;
    PassedSelection best;
    std::vector<CallPath> paths = callPathsTo(index, name);
    for (size_t i = 0; i < std::min(paths.size(), kMaxCallers) && !budget.isSpent(); ++i) {
      std::optional<Selection> seen;
      const CallWatch watch{m_function.name, [&](Selection passed) { seen = std::move(passed); }};
      bool succeeds = GuessSearch({file, index, *paths[i].caller, open, m_memory}, budget, &watch)
                          .observe(paths[i].places, [&] { return seen.has_value(); });
      if (seen && (succeeds || !best.source))
        best = {std::move(*seen), paths[i].caller->name};
      if (seen && succeeds)
        break;
    }
    return best;
  }

  std::optional<Objection> tryOut(const Selection &selection) const {
    TrialOutcome outcome = m_file.tryOut(m_function, selection, m_watch);
    m_budget.spend(outcome.numOperations);
    return std::move(outcome.objection);
  }

  bool isMendable(const Repair &repair) const {
    // Code that expands without end takes long, whatever is guessed.
    return repair.objection && repair.objection->excess == 0 &&
           repair.objection->error.kind != DiagnosticKind::UnrollTooLarge &&
           isGuessable(m_index, repair.objection->error);
  }

  /// Looks for something better than what is objected to.
  Repair improve(const Repair &start) const {
    if (!start.objection)
      return start;
    Trial trial = [this](const Selection &selection) { return tryOut(selection); };
    Repair best = repairGuesses(m_index, m_function, m_given, start.inferred, *start.objection,
                                m_budget, trial);
    for (const InferenceStyle &style : kOtherStyles) {
      if (!isMendable(best) || m_budget.isSpent())
        break;
      InferredSelection other = infer(m_given, style);
      if (makesSquare(m_function, start.objection->error, start.inferred.selection,
                      other.selection))
        continue;
      if (std::optional<Objection> fault = tryOut(other.selection); succeeds(fault))
        best = {std::move(other), fault};
    }
    return best;
  }

  TrialFile &m_file;
  const ast::ModuleIndex &m_index;
  const ast::JitFunction &m_function;
  Selection m_given;
  GuessMemory *m_memory;
  SearchBudget &m_budget;
  const CallWatch *m_watch;
  /// Parameters whose defaults cannot be worked out.
  std::set<std::string> m_openDefaults;
};

} // namespace

void emitByGuesses(const GuessTask &task, bool isBroken, const FullEmission &emit) {
  SearchBudget budget;
  GuessSearch(task, budget).emit(isBroken, emit);
}

} // namespace tilescope::compiler::inference
