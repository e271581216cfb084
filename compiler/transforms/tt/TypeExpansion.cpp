// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/tt/TypeExpansion.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;

namespace tilescope::tt {
namespace {

SmallVector<Value> flatten(ArrayRef<ValueRange> groups) {
  SmallVector<Value> values;
  for (ValueRange group : groups)
    llvm::append_range(values, group);
  return values;
}

struct RewriteReturn : public OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ReturnOp>(op, flatten(adaptor.getSrcs()));
    return success();
  }
};

struct RewriteCall : public OpConversionPattern<CallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      size_t before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      counts.push_back(types.size() - before);
    }
    auto call = CallOp::create(rewriter, op.getLoc(), op.getCallee(), TypeRange(types),
                               flatten(adaptor.getOperands()));
    SmallVector<SmallVector<Value>> results;
    ResultRange all = call.getResults();
    size_t next = 0;
    for (size_t count : counts) {
      results.emplace_back(all.begin() + next, all.begin() + next + count);
      next += count;
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// Whether some value has a type that is expanded.
bool isConcerned(ModuleOp module, TypeConverter &types) {
  return module
      .walk([&](Operation *op) {
        auto function = dyn_cast<FuncOp>(op);
        bool legal = function ? types.isSignatureLegal(function.getFunctionType())
                              : types.isLegal(op->getResultTypes());
        return legal ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

} // namespace

LogicalResult expandTypes(ModuleOp module, TypeConverter &types, RewritePatternSet patterns,
                          const std::function<bool(Operation *)> &isKept) {
  if (!isConcerned(module, types))
    return success();
  MLIRContext *context = module.getContext();
  ConversionTarget target(*context);
  target.addDynamicallyLegalDialect<TTDialect>([&](Operation *op) {
    if (auto function = dyn_cast<FuncOp>(op))
      return types.isSignatureLegal(function.getFunctionType());
    return (isKept && isKept(op)) || types.isLegal(op);
  });
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  patterns.add<RewriteReturn, RewriteCall>(types, context);
  populateFunctionOpInterfaceTypeConversionPattern<FuncOp>(patterns, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  cf::populateCFStructuralTypeConversionsAndLegality(types, patterns, target);
  return applyPartialConversion(module, target, std::move(patterns));
}

} // namespace tilescope::tt
