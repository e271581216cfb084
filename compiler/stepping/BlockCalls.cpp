// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockEvaluation.h"
#include "compiler/stepping/ElementFunctions.h"
#include "compiler/types/ScalarKind.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace tilescope::compiler::stepping {

/// What a call is given: `x.any(axis=0)` like `any(x, axis=0)`.
struct BlockCall {
  std::string name;
  std::vector<const ast::Expr *> arguments;
  std::vector<std::pair<std::string_view, const ast::Expr *>> keywords;

  /// An argument by its name or its place; null: it is not given.
  const ast::Expr *argument(std::initializer_list<std::string_view> names, size_t place) const {
    for (const auto &[keyword, value] : keywords)
      if (std::ranges::find(names, keyword) != names.end())
        return value;
    return place < arguments.size() ? arguments[place] : nullptr;
  }
  /// A keyword that is none of these; empty: all are known.
  std::string_view unknownKeyword(std::initializer_list<std::string_view> names) const {
    for (const auto &[keyword, value] : keywords)
      if (std::ranges::find(names, keyword) == names.end())
        return keyword;
    return {};
  }
};

static Error unknownKeyword(const BlockCall &call, std::string_view keyword) {
  return blockError("`" + call.name + "` has no `" + std::string(keyword) + "` here");
}

Result<NumberBlock>
BlockEvaluation::ofElements(const ElementFunction &function,
                            const std::vector<const ast::Expr *> &operands) const {
  if (operands.size() != function.numOperands())
    return blockError("`" + std::string(function.name) + "` takes " +
                      std::to_string(function.numOperands()) +
                      (function.numOperands() == 1 ? " value, not " : " values, not ") +
                      std::to_string(operands.size()));
  std::array<NumberBlock, 3> blocks;
  for (size_t i = 0; i < operands.size(); ++i) {
    Result<NumberBlock> block = of(operands[i]);
    if (!block)
      return block;
    blocks[i] = std::move(*block);
  }
  Result<NumberBlock> result =
      function.ofOne   ? Result<NumberBlock>(mapped(std::move(blocks[0]), function.ofOne))
      : function.ofTwo ? combine(blocks[0], blocks[1], function.ofTwo)
                       : combine(blocks, function.ofThree, function.name == "where");
  if (result)
    result->isReal |= function.isReal;
  return result;
}

Result<NumberBlock> BlockEvaluation::ofReduction(const BlockCall &call) const {
  if (const std::string_view keyword = call.unknownKeyword({"axis", "keep_dims", "keepdims"});
      !keyword.empty())
    return unknownKeyword(call, keyword);
  if (call.arguments.empty() || call.arguments.size() > 2)
    return blockError("`" + call.name + "` takes one block and, perhaps, an axis");
  ReductionOptions options;
  if (const ast::Expr *axis = call.argument({"axis"}, 1)) {
    const Result<int64_t> number = wholeNumber(axis);
    if (!number)
      return number.error();
    options.axis = *number;
  }
  if (const ast::Expr *keeps = call.argument({"keep_dims", "keepdims"}, 2)) {
    const Result<int64_t> number = wholeNumber(keeps);
    if (!number)
      return number.error();
    options.keepsDims = *number != 0;
  }
  const Result<NumberBlock> block = of(call.arguments[0]);
  return block ? reduce(call.name, *block, options) : block;
}

/// `tl.float16` or `"fp16"`; nothing: it is no type.
static std::optional<ScalarKind> typeOf(const ast::Expr *expr) {
  std::string_view name;
  if (const auto *member = ast::as<ast::Attribute>(expr); member && isModule(*member->value))
    name = member->attr;
  else if (const auto *constant = ast::as<ast::Constant>(expr))
    name = constant->text;
  const std::optional<ScalarKind> type = scalarFromLanguageName(name);
  return type ? type : scalarFromSignature(name);
}

Result<NumberBlock> BlockEvaluation::ofCast(const BlockCall &call) const {
  if (const std::string_view keyword = call.unknownKeyword({"dtype"}); !keyword.empty())
    return unknownKeyword(call, keyword);
  const ast::Expr *named = call.argument({"dtype"}, 1);
  const std::optional<ScalarKind> type = named ? typeOf(named) : std::nullopt;
  if (!type || call.arguments.empty() || call.arguments.size() > 2)
    return blockError("a cast names its type here, as `x.to(tl.float32)` does");
  Result<NumberBlock> block = of(call.arguments[0]);
  if (!block)
    return block;
  const ScalarInfo &info = scalarInfo(*type);
  for (double &number : block->numbers) {
    const std::optional<double> cast = castNumber(number, block->isReal, *type);
    if (!cast)
      return blockError("numbers are not cast to `" + std::string(info.languageName) + "` here");
    number = *cast;
  }
  block->isReal = info.category == ScalarClass::Floating;
  block->unsignedBits = info.category == ScalarClass::Unsigned ? info.bits : 0;
  block->pointed = nullptr;
  return block;
}

Result<NumberBlock> BlockEvaluation::ofLoad(const BlockCall &call) const {
  if (call.arguments.empty())
    return blockError("`load` takes a pointer");
  const Result<NumberBlock> addresses = of(call.arguments[0]);
  if (!addresses)
    return addresses;
  Result<NumberBlock> result = loaded(*addresses);
  const ast::Expr *mask = call.argument({"mask"}, 1), *other = call.argument({"other"}, 2);
  if (!result || !mask)
    return result;
  const Result<NumberBlock> on = of(mask);
  if (!on)
    return on;
  Result<NumberBlock> rest = NumberBlock{{}, {0}, 0, {0}};
  if (other)
    rest = of(other);
  if (!rest)
    return rest;
  return combine({*on, *result, *rest}, findElementFunction("where")->ofThree, true);
}

Result<NumberBlock> BlockEvaluation::ofCall(const ast::Call &call) const {
  BlockCall parts;
  parts.arguments.assign(call.args.begin(), call.args.end());
  for (const ast::Keyword *keyword : call.keywords)
    parts.keywords.emplace_back(keyword->arg.value_or("**"), keyword->value);
  if (const auto *plain = ast::as<ast::Name>(call.func)) {
    parts.name = std::string(plain->id);
  } else if (const auto *method = ast::as<ast::Attribute>(call.func)) {
    parts.name = std::string(method->attr);
    if (!isModule(*method->value))
      parts.arguments.insert(parts.arguments.begin(), method->value);
  } else {
    return blockError("only functions with a name can be called");
  }
  if (const ElementFunction *function = findElementFunction(parts.name))
    return parts.keywords.empty()
               ? ofElements(*function, parts.arguments)
               : Result<NumberBlock>(unknownKeyword(parts, parts.keywords.front().first));
  if (isReduction(parts.name))
    return ofReduction(parts);
  if (parts.name == "to" || parts.name == "cast")
    return ofCast(parts);
  if (parts.name == "load")
    return ofLoad(parts);
  return blockError("there is no function `" + parts.name + "` here: watches and conditions have " +
                    functionNames() + ", operators and `x[i, j]`");
}

} // namespace tilescope::compiler::stepping
