// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What keeps values of masked-off lanes out of what uses them.
#include "compiler/pipeline/AccessCalls.h"
#include "compiler/syntax/NameBinding.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler {

/// A store or an update at places that a masked load says: the lanes that it leaves out have none.
static std::optional<MaskAdvice> maskedUpdate(const ast::SyntaxTree &tree,
                                              const InterpreterFinding &finding,
                                              const std::vector<UndefinedLoad> &loads) {
  if (finding.kind != InterpreterFindingKind::UndefinedAddress || finding.range.file != 0 ||
      loads.size() != 1 || loads.front().isReduced || loads.front().range.file != 0)
    return std::nullopt;
  const ast::Call *access = findAccess(tree, finding.range);
  const ast::Call *load = findAccess(tree, loads.front().range);
  const std::string_view function =
      access ? ast::as<ast::Attribute>(access->func)->attr : std::string_view();
  const bool isUpdate = function.starts_with("atomic_") && function != "atomic_cas";
  if ((!isUpdate && function != "store") || !load ||
      ast::as<ast::Attribute>(load->func)->attr != "load" || argument(*access, 2, "mask"))
    return std::nullopt;
  const std::string mask = maskCodeAt(tree, *load, access->range);
  if (mask.empty())
    return std::nullopt;
  MaskAdvice advice = addMask(*access, "mask=" + mask);
  std::string masked(tree.text(access->range));
  masked.insert(masked.rfind(')'), ", mask=" + mask);
  advice.text = "mask the " + std::string(isUpdate ? "update" : "store");
  if (masked.find('\n') == std::string::npos)
    advice.text += ": `" + masked + "`";
  return advice;
}

/// The variable that a load's value is assigned to; empty where it has none of its own.
static std::string_view loadedVariable(const ast::SyntaxTree &tree, const SourceRange &load) {
  std::string_view name;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const bool isLoad = assign && assign->targets.size() == 1 &&
                        !(load.begin < assign->value->range.begin) &&
                        !(assign->value->range.end < load.end);
    if (const auto *target = isLoad ? ast::as<ast::Name>(assign->targets.front()) : nullptr)
      name = target->id;
    return true;
  });
  return name;
}

/// A histogram of what a masked load leaves undefined: with its mask, it does not count that.
static std::optional<MaskAdvice> maskedHistogram(const ast::SyntaxTree &tree,
                                                 const InterpreterFinding &finding,
                                                 const std::vector<UndefinedLoad> &loads) {
  if (finding.kind != InterpreterFindingKind::UndefinedStored || loads.size() != 1 ||
      loads.front().isReduced || loads.front().range.file != 0)
    return std::nullopt;
  const ast::Call *load = findAccess(tree, loads.front().range);
  const std::string_view variable = loadedVariable(tree, loads.front().range);
  const ast::Call *histogram = nullptr;
  ast::walk(functionAround(tree, loads.front().range), [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const auto *counted = function && function->attr == "histogram"
                              ? ast::as<ast::Name>(argument(*call, 0, "input"))
                              : nullptr;
    if (counted && !variable.empty() && counted->id == variable && !argument(*call, 2, "mask"))
      histogram = call;
    return !histogram;
  });
  const std::string mask =
      load && histogram ? maskCodeAt(tree, *load, histogram->range) : std::string();
  if (mask.empty())
    return std::nullopt;
  MaskAdvice advice = addMask(*histogram, "mask=" + mask);
  advice.text = "give `" + std::string(tree.text(histogram->func->range)) + "` in line " +
                std::to_string(histogram->range.begin.line + 1) +
                " the mask of the load, `mask=" + mask + "`";
  return advice;
}

/// "the load of `x` in line 12".
static std::string loadText(const ast::SyntaxTree *tree, const UndefinedLoad &load) {
  if (!tree || load.range.file != 0)
    return "the load";
  const std::string_view variable = loadedVariable(*tree, load.range);
  return "the load" + (variable.empty() ? "" : " of `" + std::string(variable) + "`") +
         " in line " + std::to_string(load.range.begin.line + 1);
}

/// The call of the reduction that a load goes into as it is, by the load's own variable; null: it is
/// not so, or not shown.
static const ast::Call *plainReduction(const ast::SyntaxTree &tree, const UndefinedLoad &load) {
  const ast::Call *call = load.reduction.file == 0 ? findAccess(tree, load.reduction) : nullptr;
  const auto *name = call && !call->args.empty() ? ast::as<ast::Name>(call->args[0]) : nullptr;
  const std::string_view variable = loadedVariable(tree, load.range);
  return name && !variable.empty() && name->id == variable ? call : nullptr;
}

/// `tl.where(mask, x, 0.0)`: what a reduction may see of a load, in the source's own words where they
/// mean the same there.
static std::string whereText(const ast::SyntaxTree *tree, const UndefinedLoad &load) {
  const ast::Call *reduction = tree ? plainReduction(*tree, load) : nullptr;
  const ast::Call *access = reduction ? findAccess(*tree, load.range) : nullptr;
  const std::string mask = access ? maskCodeAt(*tree, *access, reduction->range) : std::string();
  if (mask.empty())
    return "tl.where(mask, …, " + load.neutral + ")";
  const auto *function = ast::as<ast::Attribute>(reduction->func);
  return std::string(tree->text(function->value->range)) + ".where(" + mask + ", " +
         std::string(tree->text(reduction->args[0]->range)) + ", " + load.neutral + ")";
}

/// The load as each of the reductions sees it that need different values; itself where there is only one.
static std::vector<UndefinedLoad> byReduction(const UndefinedLoad &load) {
  std::vector<UndefinedLoad> all;
  for (const NeededFiller &needed :
       load.neutral.empty() ? load.needed : std::vector<NeededFiller>()) {
    all.push_back(load);
    all.back().reduction = needed.reduction;
    all.back().neutral = needed.neutral;
  }
  return all.empty() ? std::vector{load} : all;
}

/// "`tl.where(m, x, 0.0)` and `tl.where(m, x, 1.0)` into these".
static std::string wheresText(const ast::SyntaxTree *tree, const UndefinedLoad &load) {
  const std::vector<UndefinedLoad> all = byReduction(load);
  std::string text;
  for (const UndefinedLoad &each : all)
    text += (text.empty() ? "`" : " and `") + whereText(tree, each) + "`";
  return text + (all.size() == 1 ? " into this one" : " into these");
}

/// Writes it into the reduction.
static std::optional<DiagnosticFix> whereFix(const ast::SyntaxTree &tree,
                                             const UndefinedLoad &load) {
  const ast::Call *reduction = plainReduction(tree, load);
  std::string code = whereText(&tree, load);
  if (!reduction || load.neutral.empty() || code.find("…") != std::string::npos)
    return std::nullopt;
  std::string title = "write `" + code + "`";
  return DiagnosticFix{reduction->args[0]->range, std::move(code), std::move(title)};
}

/// What is combined by `&`, in the order of the source.
static void conjuncts(const ast::Expr &mask, std::vector<const ast::Expr *> &parts) {
  const auto *both = ast::as<ast::BinOp>(&mask);
  if (!both || both->op != ast::BinaryOpKind::BitAnd) {
    parts.push_back(&mask);
    return;
  }
  conjuncts(*both->left, parts);
  conjuncts(*both->right, parts);
}

/// The part of a mask that is left when one of its two axes is summed, of the shape of the sum; empty when
/// the source does not show it: `s < end` of `s[:, None] < end` summed along axis 1.
static std::string summedMask(const ast::SyntaxTree &tree, const ast::Expr &mask,
                              const LostFiller &lost) {
  static constexpr std::string_view kRows = "[:, None]", kColumns = "[None, :]";
  const std::string_view kept = lost.summedAxis == 1 ? kRows : kColumns;
  const std::string_view summed = lost.summedAxis == 1 ? kColumns : kRows;
  std::vector<const ast::Expr *> parts;
  conjuncts(mask, parts);
  std::string code;
  for (const ast::Expr *part : parts) {
    std::string text(tree.text(part->range));
    const size_t at = text.find(kept);
    if (at == std::string::npos || text.find(summed) != std::string::npos)
      continue;
    if (!lost.isDot)
      text.erase(at, kept.size());
    if (text.find(kept, lost.isDot ? at + kept.size() : 0) != std::string::npos)
      return {};
    code += code.empty() ? text : ") & (" + text;
  }
  return code.find(") & (") == std::string::npos ? code : "(" + code + ")";
}

/// The operation or the call that is a place.
static const ast::Expr *operationAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const ast::Expr *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    if (node.range.begin != place.begin || node.range.end != place.end)
      return !found;
    if (const auto *operation = ast::as<ast::BinOp>(&node))
      found = operation;
    else if (const auto *call = ast::as<ast::Call>(&node))
      found = call;
    return !found;
  });
  return found;
}

std::optional<DiagnosticFix> lostFix(const ast::SyntaxTree &tree, const LostFiller &lost) {
  const ast::Call *load = lost.load.file == 0 ? findAccess(tree, lost.load) : nullptr;
  const ast::Expr *mask = load ? argument(*load, 1, "mask") : nullptr;
  const ast::Expr *expr = operationAt(tree, lost.place);
  if (!mask || !expr || lost.neutral.empty() ||
      !ast::isUnchanged(tree, *mask, mask->range, lost.place))
    return std::nullopt;
  const std::string code =
      lost.summedAxis < 0 ? std::string(tree.text(mask->range)) : summedMask(tree, *mask, lost);
  if (code.empty())
    return std::nullopt;
  const auto *function = ast::as<ast::Attribute>(load->func);
  std::string where = std::string(tree.text(function->value->range)) + ".where(" + code + ", " +
                      std::string(tree.text(expr->range)) + ", " + lost.neutral + ")";
  if (where.find('\n') != std::string::npos)
    return std::nullopt;
  std::string title =
      "what the mask of the load leaves out takes part in a reduction, and no `other` "
      "leaves it as it is: `" +
      where + "` does";
  return DiagnosticFix{expr->range, std::move(where), std::move(title)};
}

/// Whether the text reverses blocks: what a load leaves out then moves, and no `other` is right.
static bool callsFlip(const ast::SyntaxTree &tree) {
  bool isFound = false;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Attribute>(&node);
    return !(isFound |= name && name->attr == "flip");
  });
  return isFound;
}

/// "give the load of `x` in line 12 `other=0.0`, and write `tl.where(m, x - mean, 0.0)` in line 14".
static std::string lostText(const ast::SyntaxTree *tree, const UndefinedLoad &load,
                            const std::string &give) {
  const std::optional<DiagnosticFix> fix = tree ? lostFix(*tree, *load.lost) : std::nullopt;
  const std::string code = fix ? fix->replacement : "tl.where(mask, …, " + load.lost->neutral + ")";
  const std::string where =
      "write `" + code + "` in line " + std::to_string(load.lost->place.begin.line + 1);
  return load.neutral.empty() ? where + ", so that the reduction is left as it is"
                              : give + " `other=" + load.neutral + "`, and " + where +
                                    ", since no `other` suits the second reduction";
}

/// "give the load of `x` in line 12 `other=0.0`".
static std::string otherText(const ast::SyntaxTree *tree, const InterpreterFinding &finding,
                             const std::vector<UndefinedLoad> &loads) {
  const auto reduced = std::ranges::find(loads, true, &UndefinedLoad::isReduced);
  const auto meant = reduced == loads.end() ? loads.begin() : reduced;
  const std::string load = loads.empty() ? "the load" : loadText(tree, *meant);
  const std::string give = "give " + load;
  if (reduced == loads.end())
    return finding.kind == InterpreterFindingKind::UndefinedAddress
               ? give + " an `other`"
               : give + " an `other`, or mask the store";
  if (reduced->neutral.empty() && tree && callsFlip(*tree))
    return "`tl.flip` moves what " + load + " leaves out to the front; reverse the addresses";
  if (reduced->isContested && (!reduced->neutral.empty() || reduced->needed.size() > 1))
    return "no `other` of " + loadText(tree, *reduced) +
           " suits all the reductions that it feeds: write " + wheresText(tree, *reduced);
  if (reduced->lost)
    return lostText(tree, *reduced, give);
  return give + (reduced->neutral.empty() ? " an `other` that leaves the reduction as it is"
                                          : " `other=" + reduced->neutral + "`");
}

/// A load by a block pointer has no `other`: what it leaves out is padded with zeros, or with NaN.
static void padInstead(const ast::Call &access, const std::string &other, MaskAdvice &advice) {
  const bool isZero = other == "0.0" || other == "0";
  const std::string padding = "padding_option=\"zero\"", written = "other=" + other;
  if (const size_t at = advice.text.find(written); at != std::string::npos && isZero)
    advice.text.replace(at, written.size(), padding);
  else if (at != std::string::npos)
    advice.text = "a block pointer pads with zeros alone: mask the value with `tl.where`";
  if (isZero && !argument(access, 4, "padding_option"))
    advice.fixes.push_back(addArgument(access, padding));
}

MaskAdvice otherAdvice(const ast::SyntaxTree *tree, const InterpreterFinding &finding,
                       const std::vector<UndefinedLoad> &loads) {
  const auto reduced = std::ranges::find(loads, true, &UndefinedLoad::isReduced);
  MaskAdvice advice;
  // Where a value says the place of an update, another one in its stead would be counted, and no
  // one would see it.
  if (std::optional<MaskAdvice> masked = tree ? maskedUpdate(*tree, finding, loads) : std::nullopt)
    advice = std::move(*masked);
  else if (auto histogram = tree ? maskedHistogram(*tree, finding, loads) : std::nullopt)
    advice = std::move(*histogram);
  else
    advice.text = otherText(tree, finding, loads);
  const bool isAdvised = !advice.fixes.empty();
  for (const UndefinedLoad &load : loads) {
    const std::string_view variable =
        tree && load.range.file == 0 ? loadedVariable(*tree, load.range) : std::string_view();
    const ast::Call *access =
        tree && load.range.file == 0 ? findAccess(*tree, load.range) : nullptr;
    const bool isLoad = access && ast::as<ast::Attribute>(access->func)->attr == "load";
    const ast::Expr *pointer = isLoad ? argument(*access, 0, "pointer") : nullptr;
    // A variable with the sum of several loads is none of them.
    const bool isOne =
        std::ranges::count_if(loads, [&](const UndefinedLoad &each) {
          return tree && each.range.file == 0 && loadedVariable(*tree, each.range) == variable;
        }) == 1;
    std::string which;
    if (!variable.empty() && (isOne || !pointer))
      which = "of `" + std::string(variable) + "` ";
    else if (pointer)
      which = "at `" + std::string(tree->text(pointer->range)) + "` ";
    const bool isChecked = isLoad && argument(*access, 3, "boundary_check");
    advice.labels.push_back({load.range, "elements " + which + "that its " +
                                             (isChecked ? "`boundary_check`" : "`mask`") +
                                             " leaves out are undefined"});
    if (std::optional<DiagnosticFix> fix =
            tree && load.lost ? lostFix(*tree, *load.lost) : std::nullopt) {
      fix->title = "write `" + fix->replacement + "`";
      advice.fixes.push_back(std::move(*fix));
    }
    if (load.isContested) {
      for (const UndefinedLoad &each : byReduction(load))
        if (std::optional<DiagnosticFix> fix = tree ? whereFix(*tree, each) : std::nullopt)
          advice.fixes.push_back(std::move(*fix));
      continue;
    }
    // What a reduction needs is known or not; an element beside others is most often 0.
    const bool isElement = finding.kind == InterpreterFindingKind::UndefinedStored &&
                           reduced == loads.end() && load.neutral.empty() && !isAdvised;
    const std::string other = isElement ? "0.0" : load.neutral;
    if (!isLoad || other.empty() || argument(*access, 2, "other"))
      continue;
    if (isChecked) {
      padInstead(*access, other, advice);
      continue;
    }
    advice.fixes.push_back(addArgument(*access, "other=" + other));
    // One statement may have several loads.
    if (!which.empty())
      advice.fixes.back().title += " to the load " + which.substr(0, which.size() - 1);
  }
  return advice;
}

std::vector<DiagnosticFix> fillerFixes(const ast::SyntaxTree &tree,
                                       const std::vector<CountedFiller> &loads) {
  std::vector<DiagnosticFix> fixes;
  for (const CountedFiller &load : loads) {
    const ast::Call *access = load.range.file == 0 ? findAccess(tree, load.range) : nullptr;
    const ast::Expr *other = access ? argument(*access, 2, "other") : nullptr;
    if (!other || load.neutral.empty())
      continue;
    fixes.push_back({other->range, load.neutral,
                     "`other=" + std::string(tree.text(other->range)) +
                         "` takes part in a reduction: `other=" + load.neutral +
                         "` leaves it as it is"});
  }
  return fixes;
}

std::vector<DiagnosticFix> lostFixes(const ast::SyntaxTree &tree,
                                     const std::vector<LostFiller> &places) {
  std::vector<DiagnosticFix> fixes;
  for (const LostFiller &place : places)
    if (std::optional<DiagnosticFix> fix = lostFix(tree, place))
      fixes.push_back(std::move(*fix));
  return fixes;
}

} // namespace tilescope::compiler
