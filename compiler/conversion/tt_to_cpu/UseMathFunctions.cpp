// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <optional>

using namespace mlir;

namespace tilescope::cpu {

#define GEN_PASS_DEF_USEMATHFUNCTIONS
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

/// The operation for `__nv_expf`, `__nv_exp`; none where `math` has no equal one.
static std::optional<StringRef> mathOperation(StringRef symbol, Type element) {
  if (!symbol.consume_front("__nv_"))
    return std::nullopt;
  if (isa<IntegerType>(element))
    return symbol == "clz"    ? std::optional<StringRef>("math.ctlz")
           : symbol == "popc" ? std::optional<StringRef>("math.ctpop")
                              : std::nullopt;
  if (element.isF32() && !symbol.consume_back("f"))
    return std::nullopt;
  static constexpr std::pair<StringLiteral, StringLiteral> kNames[] = {
      {"acos", "math.acos"},
      {"acosh", "math.acosh"},
      {"asin", "math.asin"},
      {"asinh", "math.asinh"},
      {"atan", "math.atan"},
      {"atan2", "math.atan2"},
      {"atanh", "math.atanh"},
      {"cbrt", "math.cbrt"},
      {"ceil", "math.ceil"},
      {"cos", "math.cos"},
      {"copysign", "math.copysign"},
      {"cosh", "math.cosh"},
      {"erf", "math.erf"},
      {"erfc", "math.erfc"},
      {"exp", "math.exp"},
      {"exp2", "math.exp2"},
      {"expm1", "math.expm1"},
      {"fabs", "math.absf"},
      {"floor", "math.floor"},
      {"fma", "math.fma"},
      {"log", "math.log"},
      {"log10", "math.log10"},
      {"log1p", "math.log1p"},
      {"log2", "math.log2"},
      {"pow", "math.powf"},
      {"rint", "math.roundeven"},
      {"round", "math.round"},
      {"rsqrt", "math.rsqrt"},
      {"nearbyint", "math.roundeven"},
      {"sin", "math.sin"},
      {"sinh", "math.sinh"},
      {"sqrt", "math.sqrt"},
      {"tan", "math.tan"},
      {"tanh", "math.tanh"},
      {"trunc", "math.trunc"}};
  for (auto [name, operation] : kNames)
    if (symbol == name)
      return operation;
  return std::nullopt;
}

namespace {
class UseMathFunctions : public impl::UseMathFunctionsBase<UseMathFunctions> {
public:
  void runOnOperation() override;
};
} // namespace

void UseMathFunctions::runOnOperation() {
  SmallVector<tt::ExternElementwiseOp> calls;
  getOperation().walk([&](tt::ExternElementwiseOp call) { calls.push_back(call); });
  for (tt::ExternElementwiseOp call : calls) {
    Type type = call.getType(), element = getElementTypeOrSelf(type);
    const bool isUniform = (element.isF32() || element.isF64() || element.isInteger(32)) &&
                           llvm::all_of(call->getOperandTypes(), [&](Type t) { return t == type; });
    const auto name = isUniform ? mathOperation(call.getSymbol(), element) : std::nullopt;
    if (!name)
      continue;
    OpBuilder builder(call);
    OperationState state(call.getLoc(), *name, call->getOperands(), {type});
    call->replaceAllUsesWith(builder.create(state));
    call->erase();
  }
}

} // namespace tilescope::cpu
