// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which integers of the IR are unsigned in the source. The IR does not say it:
//
//   x = tl.load(x_ptr + i)    uint8[16]    %x = tt.load %p : tensor<16x!tt.ptr<i8>>
//   y = x + 200               uint8[16]    %y = arith.addi %x, %c : tensor<16xi8>
//
// What the frontend found out about the expression at an operation's place decides. Where it says
// nothing, as of arguments of loops, or speaks of one of several calls of a function, what the value
// is made of does.
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Value.h"

#include <functional>
#include <map>
#include <string>

namespace tilescope::compiler {

class UnsignedValues {
public:
  /// The place of what computes a value, then those of the calls around it; null: it has none.
  using PlacesOf = std::function<const std::vector<SourceRange> *(mlir::Operation *)>;
  /// The type of a value as the frontend would say it, if the value is signed: `int8[16]`.
  using TypeText = std::function<std::string(mlir::Type)>;

  UnsignedValues(const CompileResult &compiled, PlacesOf placesOf, TypeText typeText);

  /// Of an argument of the kernel, by its name.
  void addArgument(mlir::Value argument, const std::string &name);
  /// Whether its elements, or those that its addresses point to, are unsigned integers.
  bool contains(mlir::Value value);

private:
  bool decide(mlir::Value value);
  bool isOfUnsigned(mlir::Operation &operation, unsigned result);
  bool isOfUnsigned(mlir::BlockArgument argument);
  std::optional<bool> isSaidUnsigned(const SourceRange &place, mlir::Type type) const;

  const CompileResult &m_compiled;
  PlacesOf m_placesOf;
  TypeText m_typeText;
  /// What the frontend says of each place.
  std::multimap<SourceRange, std::string> m_facts;
  llvm::DenseMap<mlir::Value, bool> m_known;
};

} // namespace tilescope::compiler
