// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products by `tcgen05.mma`: one thread starts them, and barriers in shared memory signal
// their end. An instruction multiplies as many rows and columns as the result's encoding has in a
// block, and 32 bytes of the factors along K.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/dot/MatrixDescriptor.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int64_t kDepthBytes = 32, kMostColumns = 256;

namespace {
/// One kind of product: the instruction's name and what its description says of the types.
struct ProductForm {
  std::string kind;
  uint32_t types = 0;
  /// Elements of the factors, as they are stored, in one step along K.
  int64_t leftDepth = 0, rightDepth = 0;
};

/// The scales of a product.
struct ProductScales {
  Value left, right;
  /// How many hold for one step along K.
  int64_t perStep = 1;
};

/// What plain and scaled products have in common.
struct Product {
  Operation *op;
  TypedValue<ttg::MemDescType> a, b, d;
  Value useD, predicate;
  OperandRange barriers, barrierPredicates;
};

class ProductLowering {
public:
  ProductLowering(const Product &product, const ProductForm &form,
                  std::optional<ProductScales> scales, Lowering &lowering)
      : m_product(product), m_form(form), m_scales(scales), m_lowering(lowering), b(lowering.b),
        m_result(product.d.getType()) {}

  LogicalResult run();

private:
  LogicalResult findFactors();
  /// The description of the instruction without scales' places.
  uint32_t description() const;
  void multiply(Value isElected, int64_t row, int64_t column, int64_t step);
  Value moved(Value address, int64_t by);

  const Product &m_product;
  const ProductForm &m_form;
  std::optional<ProductScales> m_scales;
  Lowering &m_lowering;
  Builder &b;
  TensorPlaces m_result;
  /// The left factor is in tensor memory where there is no description of it.
  std::optional<MatrixDescriptor> m_left, m_right;
  int64_t m_rows = 0, m_columns = 0;
};
} // namespace

LogicalResult ProductLowering::findFactors() {
  auto encoding = dyn_cast<ttng::TensorMemoryEncodingAttr>(m_product.d.getType().getEncoding());
  if (!encoding || encoding.getTwoCTAs())
    return m_product.op->emitError("the result needs a plain encoding of tensor memory");
  m_rows = encoding.getBlockM();
  m_columns =
      std::min<int64_t>({encoding.getBlockN(), m_product.d.getType().getDimSize(1), kMostColumns});
  if (!ttng::isInTensorMemory(m_product.a.getType())) {
    MatrixSource source{m_product.a, /*outerDim=*/0, m_rows, m_form.leftDepth, {}};
    source.isForTensorCore = true;
    auto left = MatrixDescriptor::create(m_product.op, m_lowering, source);
    if (failed(left))
      return failure();
    m_left = std::move(*left);
  }
  MatrixSource source{m_product.b, /*outerDim=*/1, m_columns, m_form.rightDepth, {}};
  source.isForTensorCore = true;
  auto right = MatrixDescriptor::create(m_product.op, m_lowering, source);
  if (failed(right))
    return failure();
  m_right = std::move(*right);
  return success();
}

uint32_t ProductLowering::description() const {
  constexpr int kLeftAcross = 15, kRightAcross = 16, kColumns = 17, kRows = 24;
  return m_form.types | uint32_t(m_left && m_left->isAcross()) << kLeftAcross |
         uint32_t(m_right->isAcross()) << kRightAcross | uint32_t(m_columns >> 3) << kColumns |
         uint32_t(m_rows >> 4) << kRows;
}

Value ProductLowering::moved(Value address, int64_t by) {
  return by == 0 ? address : LLVM::AddOp::create(b, address, i32Constant(b, by)).getResult();
}

void ProductLowering::multiply(Value isElected, int64_t row, int64_t column, int64_t step) {
  ptx::MatrixProduct product;
  product.kind = m_form.kind;
  uint32_t bits = description();
  product.result = moved(m_lowering.scalar(m_product.d), m_result.address(row, column));
  const int64_t leftK = step * m_form.leftDepth, rightK = step * m_form.rightDepth;
  if (m_left)
    product.left = m_left->at(row, leftK);
  else
    product.left = moved(m_lowering.scalar(m_product.a),
                         TensorPlaces(m_product.a.getType()).address(row, leftK));
  product.right = m_right->at(column, rightK);
  if (m_scales) {
    constexpr int kRightScale = 4, kLeftScale = 29;
    const int64_t first = step * m_scales->perStep;
    TensorPlaces left(cast<ttg::MemDescType>(m_scales->left.getType()));
    TensorPlaces right(cast<ttg::MemDescType>(m_scales->right.getType()));
    bits |= uint32_t(left.part(row, first)) << kLeftScale | uint32_t(right.part(column, first))
                                                                << kRightScale;
    product.leftScales = moved(m_lowering.scalar(m_scales->left), left.address(row, first));
    product.rightScales = moved(m_lowering.scalar(m_scales->right), right.address(column, first));
  }
  product.description = i32Constant(b, int32_t(bits));
  // All further steps add to the first.
  product.addsToResult =
      step == 0 ? m_lowering.scalar(m_product.useD) : intConstant(b, b.getI1Type(), 1);
  ptx::tcgen05Mma(b, isElected, product);
}

static void commit(Lowering &lowering, Value isElected, Value barrier, Value predicate) {
  Builder &b = lowering.b;
  Value condition = isElected;
  if (predicate)
    condition = LLVM::AndOp::create(b, condition, lowering.scalar(predicate));
  ptx::tcgen05Commit(b, condition, sharedAddress(lowering, barrier));
}

LogicalResult ProductLowering::run() {
  if (failed(findFactors()))
    return failure();
  ArrayRef<int64_t> shape = m_product.d.getType().getShape();
  const int64_t depth = m_product.a.getType().getDimSize(1);
  if (depth % m_form.leftDepth || shape[0] % m_rows || shape[1] % m_columns)
    return m_product.op->emitError("the factors are not a multiple of what an instruction takes");
  byElectedThread(m_lowering, m_product.predicate, [&](Value isElected) {
    beginTensorOperations(m_lowering);
    for (int64_t row = 0; row < shape[0]; row += m_rows)
      for (int64_t column = 0; column < shape[1]; column += m_columns)
        for (int64_t step = 0; step < depth / m_form.leftDepth; ++step)
          multiply(isElected, row, column, step);
    for (auto [barrier, predicate] : llvm::zip(m_product.barriers, m_product.barrierPredicates))
      commit(m_lowering, isElected, barrier, predicate);
  });
  return success();
}

static constexpr int kResultField = 4, kLeftField = 7, kRightField = 10;

/// The instruction for factors without scales.
static std::optional<ProductForm> plainForm(Type left, Type right, Type result, bool isUnsigned) {
  const auto code = [&](Type type) -> std::optional<uint32_t> {
    if (type.isInteger(8))
      return isUnsigned ? 0 : 1;
    if (type.isF16() || isa<Float8E4M3FNType>(type))
      return 0;
    if (type.isBF16() || isa<Float8E5M2Type>(type))
      return 1;
    return type.isF32() ? std::optional<uint32_t>(2) : std::nullopt;
  };
  const unsigned bits = left.getIntOrFloatBitWidth();
  if (!code(left) || !code(right) || bits != right.getIntOrFloatBitWidth() ||
      isa<FloatType>(left) != isa<FloatType>(right) || (bits == 16 && left != right))
    return std::nullopt;
  if (left.isInteger(8) ? !result.isInteger(32)
                        : !(result.isF32() || (result.isF16() && !left.isF32())))
    return std::nullopt;
  const uint32_t sums = result.isF16() ? 0 : result.isF32() ? 1 : 2;
  const char *kind = bits == 16 ? "f16" : bits == 32 ? "tf32" : left.isInteger(8) ? "i8" : "f8f6f4";
  const int64_t depth = kDepthBytes * 8 / bits;
  return ProductForm{kind,
                     sums << kResultField | *code(left) << kLeftField | *code(right) << kRightField,
                     depth, depth};
}

template <typename Op> static Product productOf(Op op) {
  return {op,           op.getA(),    op.getB(),        op.getD(),
          op.getUseD(), op.getPred(), op.getBarriers(), op.getBarrierPreds()};
}

template <typename Op> static LogicalResult prepare(Op op, Lowering &lowering) {
  if (op.getToken())
    lowering.set(op.getToken(), {});
  if (op.getTwoCtas())
    return op.emitError("products that two thread blocks share are not supported");
  return success();
}

static LogicalResult lowerProduct(ttng::TCGen5MMAOp op, Lowering &lowering) {
  if (failed(prepare(op, lowering)))
    return failure();
  Type left = op.getA().getType().getElementType(), right = op.getB().getType().getElementType();
  Type result = op.getD().getType().getElementType();
  std::optional<ProductForm> form = plainForm(left, right, result, op.getIsUnsigned());
  if (!form)
    return op.emitError("no matrix instruction multiplies ")
           << left << " by " << right << " into " << result;
  return ProductLowering(productOf(op), *form, {}, lowering).run();
}

/// The instruction for scaled factors: pairs of 4 bits have their own.
static FailureOr<ProductForm> scaledForm(ttng::TCGen5MMAScaledOp op, ProductScales &scales) {
  using Type = tt::ScaleDotElemType;
  const auto code = [](Type type) -> std::optional<uint32_t> {
    switch (type) {
    case Type::E4M3:
      return 0;
    case Type::E5M2:
      return 1;
    case Type::E2M1:
      return 5;
    default:
      return std::nullopt;
    }
  };
  constexpr uint32_t kPowerScales = 1 << 23;
  const Type left = op.getAType(), right = op.getBType();
  auto leftScales = cast<ttg::MemDescType>(op.getAScale().getType());
  const bool isPower = !isa<FloatType>(leftScales.getElementType());
  const bool isPacked = left == Type::E2M1 && right == Type::E2M1;
  // 16 elements to a scale instead of 32.
  const bool isFine = isPacked && op.getA().getType().getDimSize(1) == 8 * leftScales.getDimSize(1);
  if (!code(left) || !code(right) || (!isPower && !isFine))
    return op.emitError("no matrix instruction multiplies scaled ")
           << tt::stringifyScaleDotElemType(left) << " by " << tt::stringifyScaleDotElemType(right)
           << " with scales of " << leftScales.getElementType();
  const uint32_t powers = isPower ? kPowerScales : 0;
  if (isPacked) {
    scales.perStep = isFine ? 4 : 2;
    return ProductForm{isFine ? "mxf4nvf4.block_scale.scale_vec::4X"
                              : "mxf4.block_scale.scale_vec::2X",
                       powers | 1u << kLeftField | 1u << kRightField, kDepthBytes, kDepthBytes};
  }
  const auto depth = [](Type type) { return type == Type::E2M1 ? kDepthBytes / 2 : kDepthBytes; };
  return ProductForm{"mxf8f6f4.block_scale.scale_vec::1X",
                     powers | *code(left) << kLeftField | *code(right) << kRightField, depth(left),
                     depth(right)};
}

static LogicalResult lowerScaledProduct(ttng::TCGen5MMAScaledOp op, Lowering &lowering) {
  if (failed(prepare(op, lowering)))
    return failure();
  ProductScales scales{op.getAScale(), op.getBScale()};
  for (Value factor : {scales.left, scales.right})
    if (!ttng::isInTensorMemory(cast<ttg::MemDescType>(factor.getType())))
      return op.emitError("scales in shared memory must be copied to tensor memory first");
  FailureOr<ProductForm> form = scaledForm(op, scales);
  if (failed(form))
    return failure();
  return ProductLowering(productOf(op), *form, scales, lowering).run();
}

static LogicalResult lowerCommit(ttng::TCGen5CommitOp op, Lowering &lowering) {
  if (op.getTwoCtas())
    return op.emitError("products that two thread blocks share are not supported");
  byElectedThread(lowering, op.getPred(),
                  [&](Value isElected) { commit(lowering, isElected, op.getBarrier(), {}); });
  return success();
}

/// 32 rows of 16 bytes, one after the other in shared memory, to the columns of four words.
static LogicalResult lowerCopy(ttng::TMEMCopyOp op, Lowering &lowering) {
  constexpr int64_t kRows = 32, kRowBytes = 16, kUnitRows = 8, kWordBytes = 4;
  constexpr int kStrideField = 32, kVersionField = 46, kAddressBits = 14;
  Builder &b = lowering.b;
  ttg::MemDescType type = op.getDst().getType();
  const SharedRegion region = regionOf(lowering, op.getSrc());
  const LinearLayout to = ttg::toLinearLayout(type.getShape(), type.getEncoding()).canonicalOuts();
  std::optional<LinearLayout> toShared = to.invertAndCompose(region.layout.canonicalOuts());
  const auto offset = [&](Dim dim, int64_t value) {
    uint64_t result = 0;
    for (auto [bit, column] : llvm::enumerate(toShared->columns(dim)))
      result ^= value >> bit & 1 ? column : 0;
    return int64_t(result);
  };
  bool fits = isa<ttng::TensorMemoryScalesEncodingAttr>(type.getEncoding()) && toShared &&
              !llvm::any_of(region.offsets, [](Value value) { return bool(value); });
  for (int64_t byte = 1; fits && byte < kRowBytes; byte *= 2)
    fits = offset(Dim::Column, byte) == byte;
  for (int64_t row = 1; fits && row < kRows; row *= 2)
    fits = offset(Dim::Row, row) == row * kRowBytes;
  if (!fits)
    return op.emitError("only scales whose rows of 16 bytes follow one another in shared memory "
                        "can be copied to tensor memory");
  Value start = LLVM::PtrToIntOp::create(b, b.getI32Type(), region.base);
  byElectedThread(lowering, {}, [&](Value isElected) {
    beginTensorOperations(lowering);
    for (int64_t byte = 0; byte < to.inSize(Dim::Column); byte += kRowBytes) {
      Value from = LLVM::AddOp::create(b, start, i32Constant(b, offset(Dim::Column, byte)));
      Value units = LLVM::AndOp::create(b, LLVM::LShrOp::create(b, from, i32Constant(b, 4)),
                                        i32Constant(b, (1 << kAddressBits) - 1));
      const int64_t fixed = (kUnitRows * kRowBytes >> 4) << kStrideField | int64_t(1)
                                                                               << kVersionField;
      Value descriptor = LLVM::OrOp::create(b, LLVM::ZExtOp::create(b, b.getI64Type(), units),
                                            i64Constant(b, fixed));
      Value place =
          LLVM::AddOp::create(b, lowering.scalar(op.getDst()), i32Constant(b, byte / kWordBytes));
      ptx::tcgen05Cp(b, isElected, place, descriptor);
    }
    if (op.getBarrier())
      commit(lowering, isElected, op.getBarrier(), {});
  });
  return success();
}

void addTensorCoreLowerings(LoweringTable &table) {
  table.add<ttng::TCGen5MMAOp>(lowerProduct);
  table.add<ttng::TCGen5MMAScaledOp>(lowerScaledProduct);
  table.add<ttng::TCGen5CommitOp>(lowerCommit);
  table.add<ttng::TMEMCopyOp>(lowerCopy);
}

} // namespace tilescope::compiler
