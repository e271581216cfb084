// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayNames.h"

#include "compiler/frontend/Specialization.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

std::string plainName(std::string_view array) {
  llvm::StringRef name = array;
  name.consume_back("_ptr");
  return name.str();
}

/// Whether the array's name begins what is left of a stride's name: `x_row_stride`, `stride_xm`.
static bool isStrideOf(llvm::StringRef parameter, llvm::StringRef array) {
  constexpr llvm::StringRef kStride = "stride";
  const size_t at = parameter.find_insensitive(kStride);
  if (at == llvm::StringRef::npos)
    return false;
  const std::string rest =
      (parameter.take_front(at) + parameter.drop_front(at + kStride.size())).str();
  const llvm::StringRef left = llvm::StringRef(rest).trim('_');
  return left.empty() || left == "row" || left.starts_with_insensitive(plainName(array));
}

std::vector<std::string> stridesOf(const Frame &frame, std::string_view array) {
  std::vector<std::string> strides;
  for (const ast::Arg *parameter : parametersOf(*frame.function))
    if (isStrideOf(parameter->arg, array))
      strides.emplace_back(parameter->arg);
  return strides;
}

/// Whether a name counts the columns of a matrix: `n_cols`, `columns`, `width`.
static bool countsColumns(llvm::StringRef name) {
  return !name.contains_insensitive("stride") && !name.contains_insensitive("ptr") &&
         (name.contains_insensitive("col") || name.contains_insensitive("width"));
}

/// Whether a parameter is, or may be, one number and not an array.
static bool isNumber(const Frame &frame, std::string_view name) {
  const Value *value = frame.locals.find(name);
  return value && (value->isNumber() || (value->tensor() && !value->tensor()->type.isPointer() &&
                                         !value->tensor()->isBlock()));
}

ArrayName rowDistance(const Frame &frame, std::string_view array) {
  if (const std::vector<std::string> strides = stridesOf(frame, array); !strides.empty())
    return {strides.front()};
  const ArrayName columns = columnCount(frame);
  return columns.isNew ? ArrayName{"stride_" + plainName(array), true} : columns;
}

ArrayName columnCount(const Frame &frame) {
  for (const ast::Arg *parameter : parametersOf(*frame.function))
    if (countsColumns(parameter->arg) && isNumber(frame, parameter->arg))
      return {std::string(parameter->arg)};
  return {"n_cols", true};
}

ArrayName elementCount(const Frame &frame) {
  static constexpr std::string_view kNames[] = {"n", "N", "n_elements", "num_elements", "numel"};
  for (const ast::Arg *parameter : parametersOf(*frame.function))
    if (std::ranges::find(kNames, parameter->arg) != std::end(kNames))
      return {std::string(parameter->arg)};
  return {"n", true};
}

ArrayName blockName(const Frame &frame) {
  std::vector<std::string> numbers;
  std::string found;
  for (const ast::Arg *parameter : parametersOf(*frame.function)) {
    const Value *value = frame.locals.find(parameter->arg);
    if (!isConstexprAnnotation(*frame.module, parameter->annotation) || !value ||
        !value->isNumber())
      continue;
    numbers.emplace_back(parameter->arg);
    if (llvm::StringRef(parameter->arg).contains_insensitive("block"))
      found = parameter->arg;
  }
  if (found.empty() && numbers.size() == 1)
    found = numbers.front();
  if (!found.empty())
    return {found};
  for (const ast::Arg *parameter : parametersOf(*frame.function))
    if (llvm::StringRef(parameter->arg).contains_insensitive("block") &&
        !isConstexprAnnotation(*frame.module, parameter->annotation))
      return {std::string(parameter->arg), false, true};
  return {"BLOCK", true};
}

std::string boundOf(const Frame &frame, const ast::Expr &index) {
  const auto *name = ast::as<ast::Name>(&index);
  const ast::Expr *bound = nullptr;
  for (size_t i = 0; name && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *counter = loop ? ast::as<ast::Name>(loop->target) : nullptr;
      const auto *call = counter ? ast::as<ast::Call>(loop->iter) : nullptr;
      if (call && counter->id == name->id && call->args.size() == 1)
        bound = call->args.front();
      const auto *compare = ast::as<ast::Compare>(&node);
      const auto *left = compare ? ast::as<ast::Name>(compare->left) : nullptr;
      if (left && left->id == name->id && compare->ops.size() == 1 &&
          compare->ops[0] == ast::CompareOpKind::Lt)
        bound = compare->comparators[0];
      return true;
    });
  const auto *parameter = bound ? ast::as<ast::Name>(bound) : nullptr;
  const std::vector<const ast::Arg *> all = parametersOf(*frame.function);
  const bool isParameter =
      parameter && std::ranges::find(all, parameter->id, &ast::Arg::arg) != all.end();
  return isParameter ? std::string(parameter->id) : std::string();
}

std::vector<std::string> newNameNotes(const ArrayName &distance, const ArrayName &length,
                                      const ArrayName &block) {
  std::vector<std::string> notes;
  if (distance.isNew)
    notes.push_back("`" + distance.name +
                    "` is the number of elements from one row of the array to the next: pass it as "
                    "an argument");
  if (length.isNew)
    notes.push_back("`" + length.name + "` is the number of " +
                    (length.name == "n" ? "elements" : "columns") + ": pass it as an argument");
  if (block.isNew)
    notes.push_back("`" + block.name +
                    "` is how many numbers a block holds, a power of 2: add the parameter `" +
                    block.name + ": tl.constexpr`");
  if (block.isPlain)
    notes.push_back("`" + block.name +
                    "` is how many numbers a block holds, a power of 2: annotate the parameter, `" +
                    block.name + ": tl.constexpr`");
  return notes;
}

std::string freeBlockName(const Frame &frame) {
  for (const char *name : {"x", "v", "values"})
    if (!frame.locals.find(name))
      return name;
  return "block";
}

} // namespace tilescope::compiler::frontend
