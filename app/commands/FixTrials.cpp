// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/FixTrials.h"

#include "app/commands/MendedRun.h"
#include "app/commands/OtherSizes.h"
#include "app/commands/RightingFixes.h"
#include "app/commands/SeveralChanges.h"
#include "app/commands/SharedFixes.h"
#include "app/commands/ShownPadding.h"
#include "app/commands/TemporaryFolder.h"
#include "app/commands/TrialRun.h"
#include "compiler/artifacts/AppliedFix.h"
#include "compiler/artifacts/RunDiagnostics.h"
#include "compiler/artifacts/RunFindings.h"
#include "compiler/artifacts/UntriedFixes.h"
#include "compiler/support/TimeLimit.h"
#include "profiler/data/Npy.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::DiagnosticFix;
using compiler::DiagnosticKind;
using profiler::OutputResult;

/// Findings beyond are as a rule the same mistake once more.
static constexpr size_t kMostTrials = 24;
/// Whether a stage was ended since it took too long, which says nothing of what was tried.
static bool wasCutShort(const LaunchRun &run) {
  return std::ranges::find(run.diagnostics, DiagnosticKind::StageTimedOut, &Diagnostic::kind) !=
         run.diagnostics.end();
}

namespace {

/// The trials of one run.
class Trials {
public:
  Trials(compiler::WorkerClient &worker, const LaunchRequest &request, const LaunchRun &run,
         std::stop_token stop)
      : m_worker(worker), m_request(request), m_run(run), m_stop(std::move(stop)) {
    for (const profiler::LaunchBlock &block :
         profiler::parseLaunchBlocks(request.input.text).blocks)
      m_blocks.push_back(block.range);
  }

  /// Those of the finding's fixes that mend it, each by itself; if none does, all that do so together.
  Fixes helping(const Diagnostic &finding) {
    Fixes helping, doubtful, others;
    std::string stillWrong;
    m_leftAsWrong.clear();
    m_makesRight = false;
    for (const DiagnosticFix &fix : finding.fixes) {
      const bool isHelp =
          isLeftAlone(fix) || helps(finding, changedLines(m_request.input.text, fix));
      if (std::exchange(m_makesRight, false) && isHelp)
        m_righting.push_back(fix);
      const std::string wrong = tookWrong();
      (!isHelp ? others : wrong.empty() ? helping : doubtful).push_back(fix);
      stillWrong = isHelp && !wrong.empty() ? wrong : stillWrong;
    }
    // What mends the outputs, too, is better than what mends an access alone.
    if (helping.empty()) {
      helping = doubtful;
      m_leftAsWrong = stillWrong;
    }
    if (helping.empty() && others.size() > 1) {
      Fixes together = apart(others);
      if (together.size() > 1 && helps(finding, together)) {
        if (m_makesRight)
          std::ranges::copy(together, std::back_inserter(m_righting));
        return std::ranges::reverse(together), together;
      }
    }
    return helping;
  }

  /// Those that mend it in a kernel that has other changes, too, which do not mend it alone.
  Fixes helpingBeside(const Fixes &changes, const Diagnostic &finding) {
    Fixes helping;
    if (helps(finding, apart(changes)))
      return helping;
    for (const DiagnosticFix &fix : finding.fixes) {
      Fixes all = changes;
      all.push_back(fix);
      if (all = apart(std::move(all)); all.size() == changes.size() + 1 && helps(finding, all))
        helping.push_back(fix);
    }
    return helping;
  }

  /// Whether a fix was left out since the kernel stores padding with it; asked once for each finding.
  bool tookPadding() { return std::exchange(m_tookPadding, false); }

  /// The output that a fix of an access leaves as wrong as it was, or nothing; asked once for each finding.
  std::string tookWrong() { return std::exchange(m_leftAsWrong, {}); }

  /// With what is known of all fixes.
  void keepRighting(Diagnostic &finding) const { preferRighting(m_righting, finding); }
  void rightAddress(Diagnostic &finding) const { app::rightAddress(m_righting, finding); }

  /// Whether there was no time to find out about a fix; asked once for each finding.
  bool leftUntried() { return std::exchange(m_leftUntried, false); }

private:
  bool isOver() const { return m_stop.stop_requested() || m_numTrials >= kMostTrials; }

  /// Those that do not overlap, from the last to the first, so that each keeps its place while the ones before
  /// are applied.
  static Fixes apart(Fixes fixes) {
    std::ranges::sort(fixes, std::greater(), [](const DiagnosticFix &fix) { return fix.range; });
    Fixes chosen;
    for (DiagnosticFix &fix : fixes)
      if (chosen.empty() || fix.range.end <= chosen.back().range.begin)
        chosen.push_back(std::move(fix));
    return chosen;
  }

  bool isInBlock(const DiagnosticFix &fix) const {
    return std::ranges::any_of(m_blocks, [&](const SourceRange &block) {
      return block.begin <= fix.range.begin && fix.range.end <= block.end;
    });
  }

  /// Whether all of it is the grid's: what is found in programs that there were not before is not the change's fault.
  bool changesGrids(const Fixes &change) const {
    const std::vector<profiler::LaunchBlock> blocks =
        profiler::parseLaunchBlocks(m_request.input.text).blocks;
    return std::ranges::all_of(change, [&](const DiagnosticFix &fix) {
      return std::ranges::any_of(blocks, [&](const profiler::LaunchBlock &block) {
        return !block.grid.empty() && block.grid.front().range.begin <= fix.range.begin &&
               fix.range.end <= block.grid.back().range.end;
      });
    });
  }

  bool helps(const Diagnostic &finding, const Fixes &change) {
    const std::optional<bool> helped = isOver() ? std::nullopt : tryOut(finding, change);
    m_leftUntried |= !helped;
    return helped.value_or(false);
  }

  /// Nothing: there was no time to find out.
  std::optional<bool> tryOut(const Diagnostic &finding, const Fixes &change) {
    const LaunchRun after = runWith(change, m_request.selection.sizes);
    if (m_stop.stop_requested() || wasCutShort(after))
      return std::nullopt;
    m_makesRight = after.measurement && areAllRight(after) && !areAllRight(m_run);
    // Other inputs make other results.
    const bool changesInputs =
        std::ranges::all_of(change, [&](const DiagnosticFix &fix) { return isInBlock(fix); });
    if (changesInputs && finding.kind != DiagnosticKind::RunMismatch)
      return after.measurement && isGone(m_run, after, finding, change) &&
             // Programs that do the same, and leave out what they should do, lack their place and not a smaller grid.
             (finding.kind != DiagnosticKind::RunLaunchUnfit ||
              (areAllRight(after) && !leavesOut(after)));
    if (changesGrids(change) && after.measurement && areAllRight(after) && !areAllRight(m_run))
      return true;
    if (!isMended(m_run, after, finding, change))
      return false;
    if (finding.kind == DiagnosticKind::RunAccessOutside && !changesInputs)
      m_leftAsWrong = leftAsWrong(m_run, after);
    const bool showsPadding = storesPadding(change);
    if (m_stop.stop_requested())
      return std::nullopt;
    // Of two reads of one axis only one is to be of the other.
    if (showsPadding || (finding.kind == DiagnosticKind::RunLaunchUnfit && leavesOut(after)))
      return false;
    const bool haveOthers = !changesInputs && findOtherSizes();
    if (m_stop.stop_requested())
      return std::nullopt;
    if (!haveOthers)
      return true;
    const LaunchRun elsewhere = runWith(change, *m_otherSizes);
    if (m_stop.stop_requested() || wasCutShort(elsewhere))
      return std::nullopt;
    const bool isRight = areAllRight(after);
    if (isMended(*m_elsewhere, elsewhere, finding, change) && (!isRight || areAsRight(elsewhere)))
      return true;
    return isRight && !areAllRight(m_run) && isRightTwiceAsLarge(change);
  }

  /// Whether a kernel that leaves out what is no whole block is right with sizes that have as many of them, and more.
  bool isRightTwiceAsLarge(const Fixes &change) {
    const std::optional<Sizes> sizes = doubledSizes(m_worker, m_request, m_stop);
    if (!sizes)
      return false;
    const LaunchRun larger = runWith(change, *sizes);
    return larger.measurement && areAllRight(larger) &&
           std::ranges::none_of(larger.diagnostics, &isFault);
  }

  /// Whether outputs are right with other sizes, but for those whose expectation is true of the launch's own sizes alone.
  bool areAsRight(const LaunchRun &elsewhere) const {
    return std::ranges::all_of(elsewhere.measurement->outputs, [&](const OutputResult &output) {
      return !output.isWrong() ||
             (isWrong(*m_elsewhere, output.name) && !isWrong(m_run, output.name));
    });
  }

  /// `outputs`: a folder for what the kernel leaves; empty: it is not kept.
  LaunchRun runWith(const Fixes &change, const Sizes &sizes, const std::string &outputs = {}) {
    ++m_numTrials;
    LaunchRequest trial = trialOf(m_request);
    trial.dumpFolder = outputs;
    trial.selection.sizes = sizes;
    trial.judgedBy = m_run.judgedBy;
    for (const DiagnosticFix &fix : change)
      trial.input.text = compiler::fixedText(trial.input.text, fix);
    return runTrial(m_worker, trial, m_stop);
  }

  /// Whether the kernel stores the `other` that the change gives a load.
  bool storesPadding(const Fixes &change) {
    Fixes refilled = change;
    bool isFilled = false;
    for (DiagnosticFix &fix : refilled)
      if (std::optional<std::string> code = withAnotherFiller(fix.replacement)) {
        fix.replacement = std::move(*code);
        isFilled = true;
      }
    const Result<TemporaryFolder> before = TemporaryFolder::make(), after = TemporaryFolder::make();
    if (!isFilled || !before || !after)
      return false;
    const LaunchRun filled = runWith(change, m_request.selection.sizes, before->path());
    runWith(refilled, m_request.selection.sizes, after->path());
    if (!filled.measurement)
      return false;
    return std::ranges::any_of(filled.measurement->outputs, [&](const OutputResult &output) {
      const std::string file = "/" + output.name + ".npy";
      const Result<profiler::Tensor> left = profiler::readNpy(before->path() + file);
      const Result<profiler::Tensor> right = profiler::readNpy(after->path() + file);
      m_tookPadding |= output.changed && left && right && showsPadding(*left, *right);
      return m_tookPadding;
    });
  }

  /// Whether the launch runs with other sizes as with its own: all of them, or one; those with which as much is right first.
  bool findOtherSizes() {
    if (m_haveSizes)
      return m_otherSizes.has_value();
    m_haveSizes = true;
    for (const Sizes &sizes : otherSizes(m_worker, m_request, m_stop)) {
      LaunchRun elsewhere = runWith({}, sizes);
      if (m_stop.stop_requested())
        break;
      if (!elsewhere.measurement || isOtherwise(elsewhere))
        continue;
      const bool isAsRight =
          std::ranges::none_of(elsewhere.measurement->outputs, [&](const OutputResult &output) {
            return output.isWrong() && !isWrong(m_run, output.name);
          });
      if (m_otherSizes && !isAsRight)
        continue;
      m_elsewhere = std::move(elsewhere);
      m_otherSizes = sizes;
      if (isAsRight)
        break;
    }
    return m_otherSizes.has_value();
  }

  /// Whether a run with other sizes finds what those of the launch do not, or cannot be checked.
  bool isOtherwise(const LaunchRun &elsewhere) const {
    if (std::ranges::any_of(elsewhere.measurement->outputs, [](const OutputResult &output) {
          return output.comparison && !output.comparison->fault.empty();
        }))
      return true;
    return std::ranges::any_of(elsewhere.diagnostics, [&](const Diagnostic &each) {
      return isFault(each) && !wasThere(m_run, each, {});
    });
  }

  compiler::WorkerClient &m_worker;
  const LaunchRequest &m_request;
  const LaunchRun &m_run;
  std::stop_token m_stop;
  std::vector<SourceRange> m_blocks;
  size_t m_numTrials = 0;
  /// With other sizes; nothing: there are none that the launch runs with.
  std::optional<Sizes> m_otherSizes;
  std::optional<LaunchRun> m_elsewhere;
  bool m_haveSizes = false;
  std::string m_leftAsWrong;
  /// Whether all outputs are right with the change that was tried last, and the fixes with which they are.
  bool m_makesRight = false;
  Fixes m_righting;
  bool m_tookPadding = false;
  bool m_leftUntried = false;
};

} // namespace

static bool isOneOf(const Fixes &fixes, const DiagnosticFix &fix) {
  return std::ranges::find(fixes, fix) != fixes.end();
}

/// Takes out what is true only if a fix helps, where none of those does.
static void dropReasons(const std::vector<FixReason> &reasons, Diagnostic &finding) {
  for (const FixReason &reason : reasons) {
    if (std::ranges::any_of(reason.fixes,
                            [&](const DiagnosticFix &fix) { return isOneOf(finding.fixes, fix); }))
      continue;
    for (const std::string &said : reason.said) {
      std::erase(finding.notes, said);
      std::erase_if(finding.labels, [&](const auto &label) {
        return label.message == said && label.range == reason.place.value_or(label.range);
      });
    }
  }
  if (finding.fixes.empty() && (finding.kind == DiagnosticKind::RunAccessOutside ||
                                finding.kind == DiagnosticKind::RunUndefined))
    finding.message = compiler::withoutAdvice(finding.message);
}

/// What was said of the fixes of a finding.
static std::vector<FixReason> reasonsOf(const LaunchRun &run, const Diagnostic &finding) {
  std::vector<FixReason> reasons;
  std::ranges::copy_if(run.reasons, std::back_inserter(reasons), [&](const FixReason &reason) {
    return std::ranges::any_of(
        reason.fixes, [&](const DiagnosticFix &fix) { return isOneOf(finding.fixes, fix); });
  });
  return reasons;
}

void keepFixesThatHelp(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks, std::chrono::milliseconds firstRun,
                       LaunchRun &run) {
  const auto isTried = [](const Diagnostic &each) { return !each.fixes.empty() && isOfRun(each); };
  if (!run.measurement || std::ranges::none_of(run.diagnostics, isTried))
    return;
  const std::chrono::milliseconds least = request.timeToTry;
  const TimeLimit limit(hooks.runner.stop, std::clamp(2 * firstRun, least, 2 * least));
  // Trials compare with what was found before any of it is taken out.
  const LaunchRun before = run;
  Trials trials(worker, request, before, limit.token());
  Fixes changes;
  std::vector<size_t> unmended, untried, padded;
  std::vector<DoubtedIndex> doubted;
  for (size_t i = 0; i < run.diagnostics.size(); ++i) {
    Diagnostic &finding = run.diagnostics[i];
    if (!isTried(finding))
      continue;
    finding.fixes = trials.helping(before.diagnostics[i]);
    if (const std::string output = trials.tookWrong(); !output.empty())
      doubted.push_back({i, output, finding.fixes});
    if (trials.tookPadding())
      padded.push_back(i);
    if (trials.leftUntried())
      untried.push_back(i);
    else if (finding.fixes.empty())
      unmended.push_back(i);
    else if (!isOneOf(changes, finding.fixes.front()))
      changes.push_back(finding.fixes.front());
  }
  // A store's mask alone lets through what the mask of its load, which is as wrong, leaves undefined.
  for (const size_t i : unmended) {
    if (!changes.empty())
      run.diagnostics[i].fixes = trials.helpingBeside(changes, before.diagnostics[i]);
    trials.tookPadding();
    if (trials.leftUntried())
      untried.push_back(i);
  }
  for (size_t i = 0; i < run.diagnostics.size(); ++i)
    if (isTried(before.diagnostics[i])) {
      trials.keepRighting(run.diagnostics[i]);
      dropReasons(reasonsOf(before, before.diagnostics[i]), run.diagnostics[i]);
      if (!run.diagnostics[i].fixes.empty())
        std::erase_if(run.diagnostics[i].notes, [&](const std::string &note) {
          return std::ranges::find(before.guesses, note) != before.guesses.end();
        });
    }
  const auto helping = [&](const Diagnostic &finding) { return trials.helping(finding); };
  shareFixes(request.input.text, before, padded, helping, run);
  for (Diagnostic &finding : run.diagnostics) {
    trials.keepRighting(finding);
    trials.rightAddress(finding);
  }
  for (const DoubtedIndex &each : doubted)
    doubtIndex(run.diagnostics[each.finding], each);
  if (!hooks.runner.stop.stop_requested())
    for (const size_t i : untried)
      compiler::noteUntriedFixes(run.diagnostics[i]);
}

} // namespace tilescope::app
