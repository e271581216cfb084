// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Works out what an expression over blocks is (BlockExpression.h).
#pragma once

#include "compiler/stepping/BlockFunctions.h"
#include "compiler/syntax/Ast.h"

#include <string>
#include <vector>

namespace tilescope::compiler::stepping {

struct BlockCall;
struct ElementFunction;

/// `np` of `np.max(x)`: functions are the same wherever they are from.
bool isModule(const ast::Expr &expr);

class BlockEvaluation {
public:
  explicit BlockEvaluation(const NameLookup &lookup) : m_lookup(lookup) {}

  Result<NumberBlock> of(const ast::Expr *expr) const;

private:
  Result<NumberBlock> ofConstant(const ast::Constant &constant) const;
  Result<NumberBlock> ofOperation(const ast::BinOp &binary) const;
  Result<NumberBlock> ofUnary(const ast::UnaryOp &unary) const;
  Result<NumberBlock> ofCompare(const ast::Compare &compare) const;
  Result<NumberBlock> ofBoolOp(const ast::BoolOp &both) const;
  Result<NumberBlock> ofSubscript(const ast::Subscript &subscript) const;
  /// `x_ptr[0, 3]`: what lies at these indices of an argument's tensor.
  Result<NumberBlock> elementAt(const NumberBlock &pointer,
                                const std::vector<const ast::Expr *> &parts) const;
  Result<BlockIndex> placeOf(const ast::Expr *part) const;
  Result<int64_t> wholeNumber(const ast::Expr *expr) const;

  /// `any(x)`, `x.any()` or `np.any(x)`, with `axis` behind it; `tl.where(c, a, b)`; `x.to(tl.int32)`.
  Result<NumberBlock> ofCall(const ast::Call &call) const;
  Result<NumberBlock> ofElements(const ElementFunction &function,
                                 const std::vector<const ast::Expr *> &operands) const;
  Result<NumberBlock> ofReduction(const BlockCall &call) const;
  Result<NumberBlock> ofCast(const BlockCall &call) const;
  /// What lies at addresses now; `mask` and `other` are as in kernels.
  Result<NumberBlock> ofLoad(const BlockCall &call) const;

  const NameLookup &m_lookup;
};

} // namespace tilescope::compiler::stepping
