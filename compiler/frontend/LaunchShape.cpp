// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/LaunchShape.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// The line of the launch block for an array; empty where there is none, or several.
static llvm::StringRef lineOf(const ast::SyntaxTree &tree, std::string_view array) {
  const std::optional<SourceRange> key = launchBlockKey(tree, array);
  for (const SourceRange &comment : tree.comments)
    if (key && comment.contains(key->begin))
      return llvm::StringRef(tree.text(comment));
  return {};
}

/// A parameter of the function that is one number, or a number as it is written.
static bool isExtent(const Frame &frame, llvm::StringRef code) {
  uint64_t number = 0;
  if (!code.getAsInteger(10, number))
    return number > 0;
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  const Value *value = frame.locals.find(code);
  return std::ranges::find(parameters, std::string_view(code), &ast::Arg::arg) !=
             parameters.end() &&
         value &&
         (value->isNumber() ||
          (value->tensor() && !value->tensor()->isBlock() && isInteger(value->tensor()->dtype()) &&
           !value->tensor()->type.isPointer()));
}

std::vector<std::string> launchShape(const Frame &frame, std::string_view array) {
  if (!frame.function || !frame.module->tree || frame.module->isPrelude || frame.module->file != 0)
    return {};
  const llvm::StringRef line = lineOf(*frame.module->tree, array);
  if (line.contains("strides"))
    return {};
  const auto [before, behind] = line.split("shape");
  llvm::StringRef rest = behind.ltrim();
  if (!rest.consume_front("=") || !(rest = rest.ltrim()).consume_front("[") || !rest.contains(']'))
    return {};
  std::vector<std::string> extents;
  llvm::SmallVector<llvm::StringRef> parts;
  rest.take_until([](char c) { return c == ']'; }).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef part : parts) {
    const llvm::StringRef extent = part.trim(" \"'");
    if (!extents.empty() && !isExtent(frame, extent))
      return {};
    extents.push_back(extent.str());
  }
  return extents;
}

std::string placeIn(const std::vector<std::string> &shape,
                    const std::vector<std::string> &indices) {
  std::string place;
  bool isSum = false;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) {
      place = (isSum ? "(" + place + ")" : place) + " * " + shape[axis];
      isSum = false;
    }
    if (axis < indices.size() && (axis == 0 || indices[axis] != "0")) {
      place += (axis == 0 ? "" : " + ") + indices[axis];
      isSum = axis > 0;
    }
  }
  return place;
}

} // namespace tilescope::compiler::frontend
