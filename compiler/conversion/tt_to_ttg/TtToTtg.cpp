// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Assigns a layout to every block.
//
//   tensor<128xi32>                     tensor<128xi32, #blocked>
//
// Types are changed in place: every value gets the default encoding of its shape, in one walk. Then
// the operations whose operands and results must be related in a special way are put right, each on
// its own:
//
//   %r = tt.reduce(%x)                  %s = tt.reduce(%x)            : #ttg.slice<{parent =
//   #blocked}>
//                                       %r = ttg.convert_layout %s    : #blocked1
#include "compiler/conversion/tt_to_ttg/ClusterPlan.h"
#include "compiler/conversion/tt_to_ttg/Passes.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/layout/Encodings.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_CONVERTTTTOTTG
#include "compiler/conversion/tt_to_ttg/Passes.h.inc"

namespace {

/// The encodings that blocks get before anything is known of their use.
class DefaultEncodings {
public:
  DefaultEncodings(MLIRContext *context, const MachineShape &machine, const ClusterPlan &plan)
      : m_context(context), m_machine(machine), m_plan(plan) {}

  BlockedEncodingAttr of(Value value) const {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    return of(shape, SmallVector<unsigned>(shape.size(), 1), m_plan.of(value));
  }
  /// Where nothing is known of its use.
  BlockedEncodingAttr of(ArrayRef<int64_t> shape) const {
    return of(shape, SmallVector<unsigned>(shape.size(), 1), m_plan.ofShape(shape));
  }

  BlockedEncodingAttr of(ArrayRef<int64_t> shape, ArrayRef<unsigned> sizePerThread,
                         CgaLayoutAttr cga) const {
    unsigned rank = shape.size();
    SmallVector<unsigned> order;
    for (unsigned d = rank; d-- > 0;)
      order.push_back(d);
    compiler::BlockedParameters blocked =
        compiler::defaultBlocked(getShapePerCta(cga, shape), sizePerThread, order,
                                 m_machine.numWarps, m_machine.threadsPerWarp);
    return BlockedEncodingAttr::get(m_context, blocked.sizePerThread, blocked.threadsPerWarp,
                                    blocked.warpsPerBlock, blocked.order, cga);
  }

  /// The accumulator of a dot: threads hold squares, so that each factor is used several times.
  BlockedEncodingAttr ofDot(Value product) const {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(product.getType()).getShape();
    unsigned rank = shape.size();
    int64_t elements = ShapedType::getNumElements(shape);
    int64_t perThread =
        elements / (int64_t(m_machine.numWarps) * m_machine.threadsPerWarp * m_machine.numCtas);
    unsigned side = perThread >= 16 ? 4 : perThread >= 4 ? 2 : 1;
    SmallVector<unsigned> sizePerThread(rank, 1);
    sizePerThread[rank - 1] = std::min<int64_t>(side, shape[rank - 1]);
    sizePerThread[rank - 2] = std::min<int64_t>(side, shape[rank - 2]);
    return of(shape, sizePerThread, m_plan.of(product));
  }

private:
  MLIRContext *m_context;
  MachineShape m_machine;
  const ClusterPlan &m_plan;
};

class Converter {
public:
  explicit Converter(const DefaultEncodings &encodings, MLIRContext *context)
      : m_encodings(encodings), m_builder(context) {}

  /// Sets the default encodings of all values under `module`.
  void retype(ModuleOp module) {
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            argument.setType(encoded(argument));
      for (OpResult result : op->getResults())
        result.setType(encoded(result));
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        if (auto type = dyn_cast<RankedTensorType>(constant.getType()))
          constant.setValueAttr(retyped(cast<DenseElementsAttr>(constant.getValue()), type));
      } else if (auto function = dyn_cast<tt::FuncOp>(op)) {
        auto convert = [&](TypeRange types) {
          return llvm::map_to_vector(types, [&](Type type) { return encoded(type); });
        };
        function.setType(m_builder.getFunctionType(convert(function.getArgumentTypes()),
                                                   convert(function.getResultTypes())));
      }
    });
  }

  /// Puts the operations right that need more than equal encodings.
  LogicalResult relate(ModuleOp module) {
    SmallVector<Operation *> special;
    module.walk([&](Operation *op) {
      if (isa<tt::DotOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReduceOp, tt::TransOp,
              tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::CatOp>(op))
        special.push_back(op);
    });
    for (Operation *op : special)
      if (failed(relate(op)))
        return failure();
    return success();
  }

private:
  LogicalResult relate(Operation *op) {
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](tt::DotOp dot) { return relateDot(dot); })
        .Case([&](tt::ExpandDimsOp expand) {
          auto parent = cast<RankedTensorType>(expand.getType()).getEncoding();
          convertOperand(op, 0, SliceEncodingAttr::get(op->getContext(), expand.getAxis(), parent));
          return success();
        })
        .Case([&](tt::BroadcastOp broadcast) {
          convertOperand(op, 0, broadcast.getType().getEncoding());
          return success();
        })
        .Case([&](tt::CatOp cat) {
          relateCat(cat);
          return success();
        })
        .Case([&](tt::ReshapeOp reshape) {
          return reshape.getAllowReorder()
                     ? success()
                     : convertResults(op, [&](const auto &layouts, auto source, auto emit) {
                         return layouts.inferReshape(
                             source.getEncoding(), source.getShape(),
                             cast<RankedTensorType>(reshape.getType()).getShape(), emit);
                       });
        })
        .Case([&](tt::TransOp trans) {
          return convertResults(op, [&](const auto &layouts, auto source, auto emit) {
            return layouts.inferTrans(source.getEncoding(), source.getShape(), trans.getOrder(),
                                      emit);
          });
        })
        .Case([&](tt::ReduceOp reduce) {
          return convertResults(op, [&](const auto &layouts, auto source, auto emit) {
            return layouts.inferReduce(source.getEncoding(), reduce.getAxis(), emit);
          });
        })
        .Case([&](tt::JoinOp) {
          return convertResults(op, [&](const auto &layouts, auto source, auto emit) {
            return layouts.inferJoin(source.getEncoding(), source.getShape(), emit);
          });
        })
        .Case([&](tt::SplitOp split) { return relateSplit(split); })
        .Default([](Operation *) { return success(); });
  }

  LogicalResult relateDot(tt::DotOp dot) {
    MLIRContext *context = dot.getContext();
    BlockedEncodingAttr encoding = m_encodings.ofDot(dot);
    convertOperand(dot, 0, DotOperandEncodingAttr::get(context, 0, encoding, 0));
    convertOperand(dot, 1, DotOperandEncodingAttr::get(context, 1, encoding, 0));
    convertOperand(dot, 2, encoding);
    convertResult(dot->getResult(0), encoding);
    return success();
  }

  /// The registers of the result are those of both operands, one after the other.
  void relateCat(tt::CatOp cat) {
    RankedTensorType source = cat.getLhs().getType(), result = cat.getType();
    unsigned wanted = 2 * elementsPerThread(source), have = elementsPerThread(result);
    if (have < wanted)
      convertResult(cat->getResult(0), m_encodings.of(result.getShape(), {wanted / have},
                                                      getCgaLayout(result.getEncoding())));
  }

  /// Threads must hold both halves, so the source is laid out as if it came from a join.
  LogicalResult relateSplit(tt::SplitOp split) {
    auto half = cast<RankedTensorType>(split.getOutLHS().getType());
    const tt::InferLayoutInterface *layouts = tt::getInferLayoutInterface(half.getEncoding());
    FailureOr<Attribute> joined = layouts->inferJoin(half.getEncoding(), half.getShape(),
                                                     [&] { return split.emitOpError(); });
    if (failed(joined))
      return failure();
    convertOperand(split, 0, *joined);
    return success();
  }

  /// Sets the encoding that follows from the first operand's, and converts to the default one for
  /// users.
  template <typename Infer> LogicalResult convertResults(Operation *op, Infer infer) {
    auto source = cast<RankedTensorType>(op->getOperand(0).getType());
    const tt::InferLayoutInterface *layouts = tt::getInferLayoutInterface(source.getEncoding());
    for (OpResult result : op->getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      auto emit = [&] { return op->emitOpError(); };
      FailureOr<Attribute> inferred = infer(*layouts, source, tt::EmitError(emit));
      if (failed(inferred))
        return failure();
      convertResult(result, *inferred);
    }
    return success();
  }

  void convertOperand(Operation *op, unsigned index, Attribute encoding) {
    Value operand = op->getOperand(index);
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getEncoding() == encoding)
      return;
    m_builder.setInsertionPoint(op);
    op->setOperand(index, ConvertLayoutOp::create(m_builder, op->getLoc(),
                                                  type.cloneWithEncoding(encoding), operand));
  }

  void convertResult(OpResult result, Attribute encoding) {
    auto wanted = cast<RankedTensorType>(result.getType());
    if (wanted.getEncoding() == encoding)
      return;
    result.setType(wanted.cloneWithEncoding(encoding));
    m_builder.setInsertionPointAfter(result.getOwner());
    auto convert = ConvertLayoutOp::create(m_builder, result.getLoc(), wanted, result);
    result.replaceAllUsesExcept(convert.getResult(), convert);
  }

  Type encoded(Value value) const {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || tensor.getEncoding())
      return value.getType();
    return tensor.cloneWithEncoding(m_encodings.of(value));
  }
  Type encoded(Type type) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getEncoding())
      return type;
    return tensor.cloneWithEncoding(m_encodings.of(tensor.getShape()));
  }

  static DenseElementsAttr retyped(DenseElementsAttr value, RankedTensorType type) {
    // The elements stay; only the type that they are listed under changes.
    return value.isSplat() ? DenseElementsAttr::get(type, value.getSplatValue<Attribute>())
                           : value.reshape(type);
  }

  const DefaultEncodings &m_encodings;
  OpBuilder m_builder;
};

struct ConvertTtToTtg : impl::ConvertTtToTtgBase<ConvertTtToTtg> {
  using ConvertTtToTtgBase::ConvertTtToTtgBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto [value, name] :
         {std::pair(&numWarps, "num-warps"), std::pair(&threadsPerWarp, "threads-per-warp"),
          std::pair(&numCtas, "num-ctas")})
      if (*value <= 0 || !llvm::isPowerOf2_32(uint32_t(*value))) {
        module.emitError() << name << " must be a power of two, not " << int32_t(*value);
        return signalPassFailure();
      }
    MachineShape machine{numWarps, numCtas, threadsPerWarp, target};
    setMachineShape(module, machine);
    const ClusterPlan plan(module, numCtas);
    DefaultEncodings encodings(&getContext(), machine, plan);
    Converter converter(encodings, &getContext());
    converter.retype(module);
    if (failed(converter.relate(module)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilescope::ttg
