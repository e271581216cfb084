// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/CodeRegions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace tilescope::compiler::estimate {

using machine::SassInstruction;
using machine::SassProgram;
using Kind = CodeRegion::Kind;

static bool isBranch(const SassInstruction &instruction) {
  return instruction.operation == "BRA" && !instruction.targets.empty();
}

/// Loops, and what branches lead past, in the order of the code.
static std::vector<CodeRegion> regionsOf(const SassProgram &program) {
  const auto size = static_cast<uint32_t>(program.instructions.size());
  std::vector<CodeRegion> found{{.kind = Kind::Whole, .end = size}};
  std::map<uint32_t, uint32_t> loops;
  for (uint32_t i = 0; i < size; ++i) {
    const SassInstruction &instruction = program.instructions[i];
    if (!isBranch(instruction))
      continue;
    const uint32_t target = instruction.targets.front();
    if (target < i)
      loops[target] = std::max(loops[target], i + 1);
    // What an unconditional branch leads past is the other half of a choice.
    else if (target > i + 1)
      found.push_back({.kind = Kind::Skipped, .begin = i + 1, .end = target});
  }
  for (const auto &[begin, end] : loops)
    found.push_back({.kind = Kind::Loop, .begin = begin, .end = end});
  for (uint32_t i = 0; i + 1 < size; ++i)
    if (program.instructions[i].operation == "EXIT" && program.instructions[i].guard.empty()) {
      found.push_back({.kind = Kind::Behind, .begin = i + 1, .end = size});
      break;
    }
  return found;
}

static bool contains(const CodeRegion &outer, const CodeRegion &inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

CodeRegions findRegions(const SassProgram &program) {
  std::vector<CodeRegion> found = regionsOf(program);
  // Of two that begin together, the longer one is outside; of equals, the loop is inside.
  std::ranges::stable_sort(found, [](const CodeRegion &a, const CodeRegion &b) {
    return std::tuple(a.begin, -int64_t(a.end), a.kind == Kind::Loop) <
           std::tuple(b.begin, -int64_t(b.end), b.kind == Kind::Loop);
  });
  CodeRegions code;
  std::vector<int32_t> around;
  for (CodeRegion &region : found) {
    while (!around.empty() && code.regions[static_cast<size_t>(around.back())].end <= region.begin)
      around.pop_back();
    if (!around.empty()) {
      CodeRegion &outer = code.regions[static_cast<size_t>(around.back())];
      // A branch out of the middle of a region ends no region.
      if (!contains(outer, region))
        continue;
      region.parent = around.back();
    }
    around.push_back(static_cast<int32_t>(code.regions.size()));
    code.regions.push_back(region);
  }
  code.regionOf.assign(program.instructions.size(), 0);
  for (size_t number = 0; number < code.regions.size(); ++number)
    for (uint32_t i = code.regions[number].begin; i < code.regions[number].end; ++i) {
      code.regionOf[i] = static_cast<int32_t>(number);
      code.regions[number].hasCall |= program.instructions[i].operation == "CALL";
    }
  return code;
}

namespace {
/// Fills in executions, region by region.
class RegionCounter {
public:
  RegionCounter(CodeRegions &code, const std::vector<CountedInstructions> &counted,
                const RoundsOf &roundsOf)
      : m_code(code), m_roundsOf(roundsOf) {
    for (const CountedInstructions &group : counted) {
      Equation equation;
      equation.executions = group.executions;
      for (const uint32_t instruction : group.instructions)
        ++equation.instructions[m_code.regionOf[instruction]];
      m_equations.push_back(std::move(equation));
    }
  }

  std::vector<uint32_t> count() {
    m_code.regions.front().executions = 1;
    while (solveOne())
      ;
    // The simplest first: fewer regions leave fewer choices.
    std::ranges::stable_sort(m_equations, {},
                             [](const Equation &equation) { return equation.instructions.size(); });
    for (const Equation &equation : m_equations)
      distribute(equation);
    return fillIn();
  }

private:
  /// So many instructions in each region are executed so often together.
  struct Equation {
    std::map<int32_t, double> instructions;
    double executions = 0;
  };

  CodeRegion &region(int32_t number) { return m_code.regions[static_cast<size_t>(number)]; }

  /// What is left for the regions that are not known.
  double left(const Equation &equation, std::vector<int32_t> &unknown) {
    double rest = equation.executions;
    for (const auto &[number, instructions] : equation.instructions)
      if (region(number).executions >= 0)
        rest -= instructions * region(number).executions;
      else
        unknown.push_back(number);
    return std::max(0.0, rest);
  }

  /// A region that is alone in an equation; of several equations, the one with most instructions.
  bool solveOne() {
    int32_t best = -1;
    double executions = 0, instructions = 0;
    for (const Equation &equation : m_equations) {
      std::vector<int32_t> unknown;
      const double rest = left(equation, unknown);
      if (unknown.size() != 1)
        continue;
      const double each = equation.instructions.at(unknown.front());
      if (each > instructions) {
        best = unknown.front();
        instructions = each;
        executions = rest / each;
      }
    }
    if (best >= 0)
      region(best).executions = executions;
    return best >= 0;
  }

  /// A loop that was unrolled comes first, and what is left of it behind: as often as it fits.
  void distribute(const Equation &equation) {
    std::vector<int32_t> unknown;
    double rest = left(equation, unknown);
    std::ranges::stable_sort(unknown, std::greater(),
                             [&](int32_t number) { return equation.instructions.at(number); });
    for (size_t i = 0; i < unknown.size(); ++i) {
      enterAround(unknown[i], equation, rest);
      if (region(unknown[i]).executions >= 0)
        continue;
      const double each = equation.instructions.at(unknown[i]);
      double times = rest / each;
      if (i + 1 < unknown.size())
        times = std::floor(times + 1e-6);
      if (region(unknown[i]).kind != Kind::Loop)
        times = std::min(times, mostOf(unknown[i]));
      region(unknown[i]).executions = times;
      rest -= times * each;
    }
  }

  /// What is around a region is executed where it is, with its own share of the equation: the first rounds
  /// of a loop that was unrolled may stand before the loop, behind the branch that leads past both.
  void enterAround(int32_t number, const Equation &equation, double &rest) {
    for (int32_t at = region(number).parent; at >= 0; at = region(at).parent) {
      const auto own = equation.instructions.find(at);
      if (region(at).executions >= 0 || region(at).kind == Kind::Loop ||
          own == equation.instructions.end())
        continue;
      region(at).executions = std::min(mostOf(at), rest / own->second);
      rest -= region(at).executions * own->second;
    }
  }

  /// No more often than the region around it, where that is known.
  double mostOf(int32_t number) {
    for (int32_t at = region(number).parent; at >= 0; at = region(at).parent)
      if (region(at).executions >= 0)
        return region(at).executions;
    return 1;
  }

  /// A loop is entered if anything in it is executed.
  double mostInside(int32_t number) {
    double most = -1;
    for (const CodeRegion &inner : m_code.regions)
      if (inner.executions >= 0 && &inner != &region(number) && contains(region(number), inner))
        most = std::max(most, inner.executions);
    return most;
  }

  std::vector<uint32_t> fillIn() {
    std::vector<uint32_t> unknown;
    for (int32_t number = 0; number < static_cast<int32_t>(m_code.regions.size()); ++number) {
      CodeRegion &each = region(number);
      if (each.executions >= 0)
        continue;
      const double outer = region(each.parent).executions, inside = mostInside(number);
      if (each.kind == Kind::Behind || outer == 0)
        each.executions = inside > 0 ? std::min(1.0, inside) : 0;
      else if (each.kind == Kind::Loop) {
        const std::optional<double> rounds =
            inside != 0 && m_roundsOf ? m_roundsOf(each) : std::nullopt;
        each.executions = inside == 0 ? 0 : outer * rounds.value_or(1);
        if (inside != 0 && !rounds)
          unknown.push_back(each.begin);
      } else
        each.executions = inside == 0 || (inside < 0 && each.hasCall) ? 0
                          : inside < 0                                ? outer
                                                                      : std::min(outer, inside);
    }
    return unknown;
  }

  CodeRegions &m_code;
  const RoundsOf &m_roundsOf;
  std::vector<Equation> m_equations;
};
} // namespace

std::vector<uint32_t> countRegions(CodeRegions &code,
                                   const std::vector<CountedInstructions> &counted,
                                   const RoundsOf &roundsOf) {
  return RegionCounter(code, counted, roundsOf).count();
}

} // namespace tilescope::compiler::estimate
