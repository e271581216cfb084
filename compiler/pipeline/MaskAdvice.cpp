// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MaskAdvice.h"

#include "compiler/pipeline/AccessCalls.h"
#include "compiler/pipeline/LessForLessEqual.h"
#include "compiler/pipeline/LoopBehind.h"
#include "compiler/pipeline/MaskInstead.h"
#include "compiler/pipeline/MissingBound.h"
#include "compiler/pipeline/OffsetsText.h"
#include "compiler/pipeline/RowMask.h"
#include "compiler/pipeline/ShiftedBound.h"
#include "compiler/pipeline/StatedLength.h"
#include "compiler/pipeline/WholeMask.h"
#include "compiler/syntax/Ast.h"
#include "compiler/syntax/ExpressionParts.h"
#include "compiler/syntax/MaskAxes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tilescope::compiler {

/// The summands of an address except one name, the pointer's; nothing where it has none.
static std::vector<std::string_view> offsetTerms(const ast::SyntaxTree &tree,
                                                 const ast::Expr *pointer) {
  const std::vector<const ast::Expr *> terms = ast::summands(*pointer);
  const auto *base = ast::as<ast::Name>(terms.front());
  std::vector<std::string_view> texts;
  for (size_t i = 1; base && i < terms.size(); ++i)
    texts.push_back(tree.text(terms[i]->range));
  return texts;
}

/// The code of another access's mask at `access`: what its name stands for, if it has that only later.
static std::string maskText(const ast::SyntaxTree &tree, const ast::Call &access,
                            const ast::Expr &mask) {
  const std::vector<const ast::Assign *> assignments = assignmentsOf(tree, access, mask);
  const bool isSet = std::ranges::any_of(assignments, [&](const ast::Assign *assign) {
    return assign->range.begin < access.range.begin;
  });
  return std::string(
      tree.text(isSet || assignments.empty() ? mask.range : assignments.back()->value->range));
}

/// An access of the same function at the same offsets that has a mask, the nearest above if there is one,
/// else the first below; null when there is none.
static const ast::Call *findMaskedSibling(const ast::SyntaxTree &tree, const ast::Call &access,
                                          const ast::Expr *pointer) {
  const std::vector<std::string_view> offsets = offsetTerms(tree, pointer);
  const ast::Call *found = nullptr;
  ast::walk(functionAround(tree, access.range), [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const bool isAbove = call && call->range.begin < access.range.begin;
    if (!function || call == &access || offsets.empty() || (!isAbove && found))
      return true;
    const ast::Expr *other = argument(*call, 0, "pointer");
    if ((function->attr == "load" || function->attr == "store") && other && maskOf(*call) &&
        offsetTerms(tree, other) == offsets)
      found = call;
    return true;
  });
  return found;
}

/// Where an array ends whose elements one index counts: the argument that says so, or two whose
/// product does, or what the launch block says of its shape; else the number. Empty where that is a number
/// of this launch alone.
static std::string lengthText(const ast::SyntaxTree &tree, const ast::Node &function,
                              const std::string &offsets, const InterpreterFinding &finding,
                              const KernelSizes &sizes) {
  const IndexReader reader(function, finding.range.begin, finding.programId, sizes);
  if (const std::string name = extentName(finding.extent, offsets, reader); !name.empty())
    return name;
  std::vector<std::string> products;
  const auto isLength = [](const auto &size) {
    return size.second > 1 && size.first.find("stride") == std::string::npos;
  };
  for (auto first = sizes.arguments.begin(); first != sizes.arguments.end(); ++first) {
    if (first->second == finding.extent)
      return first->first;
    for (auto second = std::next(first); second != sizes.arguments.end(); ++second)
      if (isLength(*first) && isLength(*second) &&
          finding.extent / first->second == second->second && finding.extent % first->second == 0)
        products.push_back(first->first + " * " + second->first);
  }
  if (products.size() == 1)
    return products.front();
  const StatedLength stated = statedLength(tree, finding.argument, finding.extent, reader);
  return !stated.code.empty() ? stated.code
         : stated.hasNames    ? std::string()
                              : std::to_string(finding.extent);
}

/// Whether a loop counts with this name.
static bool isCounter(const ast::Node &function, std::string_view name) {
  bool found = false;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const auto *counter = loop ? ast::as<ast::Name>(loop->target) : nullptr;
    found |= counter && counter->id == name;
    return !found;
  });
  return found;
}

/// A program masks none of its own rows: its number is right, or there are too many programs.
static MaskAdvice tooManyPrograms(const InterpreterFinding &finding) {
  return {"the grid has too many programs, or the address or the shape of `" + finding.argument +
              "` in the launch block is wrong",
          {},
          {}};
}

/// Whether an index is made of counters of loops, sizes of blocks and numbers alone. A mask would only hide that it
/// goes too far.
static bool isOfLoops(const ast::SyntaxTree &tree, const ast::Node &function,
                      std::string_view index) {
  const auto *definition = ast::as<ast::FunctionDef>(&function);
  const auto isConstexpr = [&](std::string_view name) {
    return definition && std::ranges::any_of(definition->args->args, [&](const ast::Arg *each) {
             return each->arg == name && each->annotation &&
                    tree.text(each->annotation->range).ends_with("constexpr");
           });
  };
  const auto isOfName = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  bool hasCounter = false;
  for (size_t begin = 0; begin < index.size();) {
    size_t end = begin;
    while (end < index.size() && isOfName(index[end]))
      ++end;
    const std::string_view word = index.substr(begin, end - begin);
    begin = std::max(end, begin + 1);
    if (word.empty() || (word[0] >= '0' && word[0] <= '9'))
      continue;
    const bool isCounted = isCounter(function, word);
    hasCounter |= isCounted;
    if (!isCounted && !isConstexpr(word))
      return false;
  }
  return hasCounter;
}

/// The comparison that a mask is, or that its name was last given in front of `access`; null for
/// others.
static const ast::Compare *comparisonOf(const ast::SyntaxTree &tree, const ast::Call &access,
                                        const ast::Expr &mask) {
  const ast::Expr *value = &mask;
  for (const ast::Assign *assign : assignmentsOf(tree, access, mask))
    if (assign->range.begin < access.range.begin)
      value = assign->value;
  return ast::as<ast::Compare>(value);
}

void addOther(MaskAdvice &advice, const std::string &other) {
  if (other.empty() || advice.fixes.size() != 1 || !advice.text.ends_with('`') ||
      !advice.fixes.front().replacement.starts_with(", mask="))
    return;
  const std::string more = ", other=" + other;
  DiagnosticFix &fix = advice.fixes.front();
  fix.replacement += more;
  fix.title.insert(fix.title.size() - 1, more);
  advice.text.insert(advice.text.size() - 1, more);
}

/// Whether a mask bounds a variable on that side already.
static bool isBounded(const ast::SyntaxTree &tree, const ast::Call &access, const ast::Expr &mask,
                      const std::string &offsets, bool isAbove) {
  const auto *name = ast::as<ast::Name>(&mask);
  const ast::Compare *compare = name ? comparisonOf(tree, access, mask) : nullptr;
  bool found = name && !compare;
  ast::walk(compare ? static_cast<const ast::Node &>(*compare) : mask, [&](const ast::Node &node) {
    const auto *each = ast::as<ast::Compare>(&node);
    using enum ast::CompareOpKind;
    const bool isSide = each && (isAbove ? each->ops[0] == Lt || each->ops[0] == LtE
                                         : each->ops[0] == Gt || each->ops[0] == GtE);
    // `i < n` does not bound `i + 1`.
    const bool isSum = offsets.find(" + ") != std::string::npos && isAbove;
    if (isSide && isSum)
      found |= tree.text(each->left->range) == offsets;
    else if (isSide)
      ast::walk(*each->left, [&](const ast::Node &part) {
        const auto *variable = ast::as<ast::Name>(&part);
        found |= variable && offsets.find(variable->id) != std::string::npos;
        return !found;
      });
    return !found;
  });
  return found;
}

/// Whether all that an index consists of is taken away: `-1 - i` is never 0 or more.
static bool isNegated(const std::string &offsets) {
  return offsets.starts_with('-') && offsets.find('+') == std::string::npos &&
         offsets.find('(') == std::string::npos;
}

/// `i > n` for `i < n`: true for nothing but what lies past the end.
static std::optional<MaskAdvice> turnedRound(const ast::SyntaxTree &tree, const ast::Call &access,
                                             const ast::Expr &mask, const std::string &offsets,
                                             const std::string &length) {
  const ast::Compare *compare = comparisonOf(tree, access, mask);
  using enum ast::CompareOpKind;
  if (!compare || compare->ops.size() != 1 || (compare->ops[0] != Gt && compare->ops[0] != GtE) ||
      length.empty() || tree.text(compare->left->range) != offsets ||
      tree.text(compare->comparators[0]->range) != length)
    return std::nullopt;
  const std::string code = offsets + " < " + length;
  return MaskAdvice{"`" + std::string(tree.text(compare->range)) +
                        "` is true past the end alone: `" + code + "`",
                    {{compare->range, code, "write `" + code + "`"}},
                    {}};
}

/// What keeps an index on the side where it has left its array; a window, `i + k - 1`, on both.
static std::string boundsOf(const ast::SyntaxTree &tree, const ast::Call &access,
                            const ast::Expr &mask, const std::string &offsets,
                            const InterpreterFinding &finding, const KernelSizes &sizes) {
  const std::string begin = offsets + " >= 0";
  const std::string length =
      lengthText(tree, functionAround(tree, access.range), offsets, finding, sizes);
  const std::string end = length.empty() ? std::string() : offsets + " < " + length;
  const bool isWindow = offsets.find(" + ") != std::string::npos &&
                        offsets.find(" - ") != std::string::npos && !end.empty();
  const auto isFree = [&](bool isAbove) {
    return !isBounded(tree, access, mask, offsets, isAbove);
  };
  if (isWindow && isFree(false) && isFree(true))
    return begin + ") & (" + end;
  return finding.isInFront() ? begin : end;
}

/// Whether a mask compares the places in a block with the length in place of the whole index: `i < n` of `pid * BLOCK + i`.
static bool asksOfPart(const ast::SyntaxTree &tree, const ast::Call &access, const ast::Expr &mask,
                       const std::string &length) {
  const auto *compare = ast::as<ast::Compare>(&mask);
  const std::vector<std::string_view> terms = offsetTerms(tree, argument(access, 0, "pointer"));
  return compare && compare->ops.size() == 1 && compare->ops[0] == ast::CompareOpKind::Lt &&
         tree.text(compare->comparators[0]->range) == length && terms.size() == 2 &&
         std::ranges::find(terms, tree.text(compare->left->range)) != terms.end() &&
         std::ranges::any_of(terms, [](std::string_view term) {
           return term.find(" * ") != std::string_view::npos;
         });
}

/// Of an access outside whose mask lets it through.
static MaskAdvice maskedAdvice(const ast::SyntaxTree &tree, const ast::Call &access,
                               const ast::Expr &mask, const InterpreterFinding &finding,
                               const KernelSizes &sizes) {
  const ast::Node &around = functionAround(tree, access.range);
  if (std::optional<MaskAxes> axes = maskAxes(tree, around, access)) {
    MaskAdvice advice{axes->words, {}, {}};
    if (axes->fix)
      advice.fixes.push_back(std::move(*axes->fix));
    return advice;
  }
  const bool isInFront = finding.isInFront();
  // No end of an index keeps it from being negative.
  if (!isInFront) {
    const RowMask rows = rowMask(tree, around, *argument(access, 0, "pointer"), finding, sizes);
    std::optional<MaskAdvice> whole = wholeMask(tree, access, mask, rows, sizes);
    if (const std::string bound = missingBound(tree, around, access); !bound.empty())
      return {bound, whole ? std::move(whole->fixes) : std::vector<DiagnosticFix>(), {}};
    if (whole)
      return std::move(*whole);
  }
  const std::string offsets = offsetsText(tree, access, finding.argument, sizes);
  const bool isOneSide = isInFront || finding.offset >= finding.extent;
  const std::string length =
      isInFront ? std::string() : lengthText(tree, around, offsets, finding, sizes);
  if (std::optional<MaskAdvice> turned = turnedRound(tree, access, mask, offsets, length))
    return std::move(*turned);
  if (const std::optional<DiagnosticFix> shifted =
          isInFront ? shiftedBound(tree, access, mask, offsets) : std::nullopt)
    return {"`" + offsets + "` is negative where `" + std::string(tree.text(shifted->range)) +
                "` is true: `" + shifted->replacement + "`",
            {*shifted},
            {}};
  const bool isKnown = isInFront ? !isNegated(offsets) : !length.empty();
  if (!offsets.empty() && isKnown && isOneSide &&
      !isBounded(tree, access, mask, offsets, !isInFront)) {
    const std::string condition = boundsOf(tree, access, mask, offsets, finding, sizes);
    const std::string code(tree.text(mask.range));
    // What asks of the places in a block asks of the whole index instead.
    if (!isInFront && asksOfPart(tree, access, mask, length))
      return {"its `mask` must be `" + condition + "`",
              {{mask.range, condition, "write `" + condition + "`"}},
              {}};
    const std::string both =
        (ast::is<ast::Name>(&mask) ? code : "(" + code + ")") + " & (" + condition + ")";
    // What a window leaves out at the ends counts as 0.
    const bool isPadded = condition.find(") & (") != std::string::npos &&
                          ast::as<ast::Attribute>(access.func)->attr == "load" &&
                          !argument(access, 2, "other");
    const std::string written = isPadded ? both + ", other=0.0" : both;
    return {"its `mask` must be `" + both + "`",
            {{mask.range, written, "write `" + written + "`"}},
            {}};
  }
  if (const std::string factor = otherFactor(tree, around, access); !factor.empty())
    return {factor, {}, {}};
  const std::string_view passes = finding.offset == finding.lastOffset && finding.numPrograms == 1
                                      ? "its `mask` lets it through"
                                      : "its `mask` lets them through";
  return {std::string(passes) + ": the mask, the address, or the shape of `" + finding.argument +
              "` in the launch block is wrong",
          {},
          {}};
}

MaskAdvice maskAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                      const KernelSizes &sizes) {
  const ast::Call *access = findAccess(tree, finding.range);
  if (!access || finding.argument.empty())
    return {};
  const std::string_view function = ast::as<ast::Attribute>(access->func)->attr;
  const bool isKnown = function == "load" || function == "store" || function.starts_with("atomic_");
  const ast::Expr *pointer = argument(*access, 0, "pointer");
  if (const size_t axes = numBlockAxes(functionAround(tree, access->range), *access); axes > 0)
    return boundaryAdvice(tree, *access, axes);
  if (std::optional<MaskAdvice> descriptor = descriptorAdvice(tree, *access, finding))
    return std::move(*descriptor);
  if (!isKnown || function == "atomic_cas" || !pointer)
    return {};
  if (std::optional<MaskAdvice> reduced = reduceFirst(tree, *access, finding))
    return std::move(*reduced);
  if (std::optional<MaskAdvice> less = lessForLessEqual(tree, *access, finding, sizes))
    return std::move(*less);
  const ast::Node &around = functionAround(tree, access->range);
  if (const ast::Expr *mask = maskOf(*access))
    return maskedAdvice(tree, *access, *mask, finding, sizes);
  const RowMask rows = rowMask(tree, around, *pointer, finding, sizes);
  const std::string offsets =
      rows.isMatrix ? "" : offsetsText(tree, *access, finding.argument, sizes);
  if (offsets.empty()) {
    const ast::Call *sibling = findMaskedSibling(tree, *access, pointer);
    if (!sibling && !rows.condition.empty() && finding.lastOffset >= finding.extent)
      return addMask(*access, "mask=" + rows.condition);
    if (!sibling && isProgramNumber(around, rows.index))
      return tooManyPrograms(finding);
    if (!sibling)
      return {"a `mask` must " +
                  (rows.words.empty() ? "keep each index within its extent" : rows.words),
              {},
              {}};
    const std::string_view other = ast::as<ast::Attribute>(sibling->func)->attr;
    const ast::Expr *mask = maskOf(*sibling);
    std::string added = "mask=" + maskText(tree, *access, *mask);
    // What it leaves out there is what it must be here.
    const ast::Expr *filler =
        function == "load" && other == "load" ? argument(*sibling, 2, "other") : nullptr;
    if (filler)
      added += ", other=" + std::string(tree.text(filler->range));
    MaskAdvice advice = addMask(*access, added);
    advice.text += ", as in line " + std::to_string(sibling->range.begin.line + 1);
    return advice;
  }
  if (finding.lastOffset < 0 && isNegated(offsets))
    return {
        "`" + offsets + "` is negative everywhere: count from the end, as in `n - 1 - i`", {}, {}};
  if (isOfLoops(tree, around, offsets) && !isCounter(around, offsets)) {
    const bool isEarly = finding.lastOffset < 0;
    const int64_t by = isEarly ? -finding.offset : finding.lastOffset - finding.extent + 1;
    return {"the loop or the index `" + offsets + (isEarly ? "` begins " : "` goes ") +
                std::to_string(by) + (isEarly ? " too early" : " too far") +
                ", which a mask would only hide",
            {},
            {}};
  }
  if (finding.lastOffset < 0)
    return addMask(*access, "mask=" + offsets + " >= 0");
  const std::string length = lengthText(tree, around, offsets, finding, sizes);
  // A number of this launch does not belong in the kernel.
  if (length.empty()) {
    const std::string loop = loopBehind(tree, around, *access);
    if (loop.empty() && isProgramNumber(around, offsets))
      return tooManyPrograms(finding);
    return {(loop.empty() ? "a" : "end the loop " + loop + " earlier, or a") +
                " `mask` must keep `" + offsets + "` below " + std::to_string(finding.extent),
            {},
            {}};
  }
  // Nor does a bound where a loop goes too far.
  if (length == std::to_string(finding.extent) && isCounter(around, offsets))
    return {"the loop must keep `" + offsets + "` below " + length, {}, {}};
  return addMask(*access, "mask=" + offsets + " < " + length);
}

} // namespace tilescope::compiler
