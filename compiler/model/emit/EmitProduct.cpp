// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of matrices: a tile of the result for each program, the batch in the grid's second axis.
#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/GroupFacts.h"
#include "compiler/model/emit/ProductText.h"

using namespace mlir;

namespace tilescope::model {

/// So many rows are read in pairs, more by fours: each program has enough to wait for, and there are enough programs.
static constexpr int64_t kFewRows = 2048;

/// Whether a number for each column is added.
static bool addsToColumns(const Product &product) {
  return product.addend && product.addendColumn != 0 && product.addendRow == 0;
}

/// Whether a number for each row is added.
static bool addsToRows(const Product &product) {
  return product.addend && product.addendColumn == 0;
}

/// Of the name `c`: parts beside each other have columns of their own, those of a turned tile rows.
static std::string addendSuffix(const Product &product, const TilePart &part) {
  return addsToRows(product) == part.isTurned ? part.suffix : "";
}

/// A number for each row or column that is added: it is there when the products are.
static std::string addendVectors(const Product &product, ArrayRef<TilePart> parts) {
  std::string text;
  for (const TilePart &part : parts) {
    const std::string suffix = addendSuffix(product, part);
    if (suffix.empty() && &part != &parts.front())
      continue;
    if (addsToRows(product))
      text += "    c" + suffix + " = tl.load(c_ptr + " + part.rows + " * c_row, mask=" + part.rows +
              " < M)" + part.rowAxis() + "\n";
    else if (addsToColumns(product))
      text += "    c" + suffix + " = tl.load(c_ptr + " + part.columns +
              " * c_column, mask=" + part.columns + " < N)" + part.columnAxis() + "\n";
  }
  return text;
}

/// What is added: a number for each row or column, or a matrix.
static std::string addendText(const Product &product, const TilePart &part) {
  if (!product.addend)
    return "";
  const std::string addend = addsToRows(product) || addsToColumns(product)
                                 ? "c" + addendSuffix(product, part)
                                 : "tl.load(c_ptr + " + part.rowIndex() + " * c_row + " +
                                       part.columnIndex() + " * c_column, mask=" + part.mask() +
                                       ")";
  return "    " + part.total() + " += " + addend +
         (product.beta == 1 ? std::string() : " * " + numberText(product.beta)) + "\n";
}

/// Reads the factors and what is added; `expected`: what NumPy computes, where it is known.
static void readTensors(const Product &product, Anchor &anchor) {
  EmittedKernel &kernel = anchor.kernel;
  kernel.name += product.isLeftTransposed ? "_at" : "";
  kernel.name += product.isRightTransposed ? "_bt" : "";
  const int64_t rows = product.rows, columns = product.columns, depth = product.depth;
  const auto matrix = [&](int64_t step, bool isTransposed, int64_t outer, int64_t inner) {
    std::vector<int64_t> shape =
        step == 0 ? std::vector<int64_t>() : std::vector<int64_t>{product.batch};
    shape.insert(shape.end(), {isTransposed ? inner : outer, isTransposed ? outer : inner});
    return shape;
  };
  const std::vector<int64_t> left =
      matrix(product.leftBatch, product.isLeftTransposed, rows, depth);
  const std::vector<int64_t> right =
      matrix(product.rightBatch, product.isRightTransposed, depth, columns);
  kernel.read("a_ptr", product.left, left);
  kernel.read("b_ptr", product.right, right);
  const auto turned = [](const char *name, bool isTransposed, size_t rank) {
    return std::string(name) + (!isTransposed ? "" : rank == 2 ? ".T" : ".swapaxes(1, 2)");
  };
  std::string expected = turned("a_ptr", product.isLeftTransposed, left.size()) + " @ " +
                         turned("b_ptr", product.isRightTransposed, right.size());
  if (product.addend) {
    kernel.name += "_add";
    kernel.read("c_ptr", product.addend,
                {product.addendRow == 0 ? 1 : rows, product.addendColumn == 0 ? 1 : columns});
    expected += " + c_ptr";
  }
  // Matrices of products without depth are not told apart by where they lie.
  const bool hasDepth = product.depth > 0;
  if (product.alpha != 1 || product.beta != 1 || !hasDepth)
    expected.clear();
  anchor.result = product.result;
  anchor.expected = expected;
  anchor.shape = left.size() + right.size() > 4 || !hasDepth
                     ? std::vector<int64_t>{product.batch, rows, columns}
                     : std::vector<int64_t>{rows, columns};
}

/// A program sums a tile of products, each by itself, and then its rows or columns: tensor cores would mostly multiply
/// nothing.
static Anchor vectorAnchor(const Product &product) {
  const bool isRow = product.rows == 1;
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = isRow ? "vector_matrix" : "matrix_vector";
  readTensors(product, anchor);
  const int64_t extent = isRow ? product.columns : product.rows, depth = product.depth;
  const bool isDepthFast = isRow ? product.isRightTransposed : !product.isLeftTransposed;
  anchor.value = "total";
  anchor.place = "batch * N + columns";
  anchor.mask = "mask";
  anchor.coordinates = {{1, extent, "columns"}, {extent, product.batch, "batch", true}};
  kernel.number("N", extent);
  kernel.number("K", depth);
  kernel.number("a_batch", product.leftBatch);
  kernel.number("b_batch", product.rightBatch);
  const int64_t step = isRow ? product.addendColumn : product.addendRow;
  if (product.addend)
    kernel.number("c_step", step);
  const int64_t block = blockFor(depth, isDepthFast ? 1024 : 256);
  kernel.constexprs = {{"BLOCK_N", isDepthFast ? (extent > kFewRows ? 4 : 2) : 16},
                       {"BLOCK_K", block}};
  kernel.grid = {"\"cdiv(N, BLOCK_N)\"", std::to_string(product.batch)};
  const std::string matrix = isRow ? "b" : "a", vector = isRow ? "a" : "b";
  const Type element = tensorType(product.left).getElementType();
  const std::string widen = toCombinedType(element);
  const auto across = [&](const char *name, bool isFirst) {
    return std::string(name) + (isFirst ? "[:, None]" : "[None, :]");
  };
  const std::string column = across("columns", isDepthFast), along = across("at", !isDepthFast);
  const std::string index = isDepthFast ? column + " * K + " + along : along + " * N + " + column;
  kernel.body =
      "    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)\n"
      "    batch = tl.program_id(1)\n"
      "    mask = columns < N\n"
      "    total = tl.zeros([" +
      std::string(isDepthFast ? "BLOCK_N, BLOCK_K" : "BLOCK_K, BLOCK_N") + "], " +
      combinedType(element) +
      ")\n"
      "    for begin in range(0, K, BLOCK_K):\n"
      "        at = begin + tl.arange(0, BLOCK_K)\n"
      "        " +
      vector + " = tl.load(" + vector + "_ptr + batch * " + vector +
      "_batch + at, mask=at < K, other=0.0)" + widen +
      "\n"
      "        " +
      matrix + " = tl.load(" + matrix + "_ptr + batch * " + matrix + "_batch + " + index +
      ",\n                    mask=(" + column + " < N) & (" + along + " < K), other=0.0)" + widen +
      "\n"
      "        total += " +
      matrix + " * " + across(vector.c_str(), !isDepthFast) +
      "\n"
      "    total = tl.sum(total, axis=" +
      (isDepthFast ? "1" : "0") + ")" +
      (product.alpha == 1 ? "" : " * " + numberText(product.alpha)) + "\n" +
      (product.addend ? "    total += tl.load(c_ptr + columns * c_step, mask=mask)" +
                            (product.beta == 1 ? "" : " * " + numberText(product.beta)) + "\n"
                      : std::string());
  return anchor;
}

static void setNumbers(const Product &product, EmittedKernel &kernel) {
  kernel.number("M", product.rows);
  kernel.number("N", product.columns);
  kernel.number("K", product.depth);
  kernel.number("a_batch", product.leftBatch);
  kernel.number("b_batch", product.rightBatch);
  if (!product.addend)
    return;
  if (product.addendRow != 0 || product.addendColumn == 0)
    kernel.number("c_row", product.addendRow);
  if (product.addendColumn != 0)
    kernel.number("c_column", product.addendColumn);
}

/// The loop over the depth, and what each part of the tile becomes behind it.
static std::string sumText(const Product &product, const ProductTile &tile,
                           ArrayRef<FactorText> factors, ArrayRef<TilePart> parts) {
  const bool isWhole = product.depth % tile.depth == 0;
  const Type element = tensorType(product.left).getElementType();
  std::string text;
  for (const TilePart &part : parts)
    text += "    " + part.total() + " = tl.zeros([" + part.shape() + "], " + combinedType(element) +
            ")\n";
  text += "    for begin in range(0, K, BLOCK_K):\n";
  for (const FactorText &factor : factors)
    text += factor.load(isWhole);
  for (const TilePart &part : parts)
    text += "        " + part.total() + " = tl.dot(" + (tile.isTurned ? "b, a" : "a, b") +
            part.suffix + ", " + part.total() + ", " +
            (tile.isInParts ? std::string(kDotInParts) : dotOptions(element)) + ")\n";
  for (const FactorText &factor : factors)
    text += factor.moveOn();
  for (const TilePart &part : parts) {
    if (product.alpha != 1)
      text += "    " + part.total() + " *= " + numberText(product.alpha) + "\n";
    text += addendText(product, part);
  }
  return text;
}

static AnchorPart blockOf(const Product &product, const TilePart &part) {
  const int64_t rows = product.rows, columns = product.columns;
  const std::string row = part.rowIndex(), column = part.columnIndex();
  return {part.total(),
          "batch * M * N + " + row + " * N + " + column,
          part.mask(),
          {{1, columns, column, false, column + " < N"},
           {columns, rows, row, false, row + " < M"},
           {rows * columns, product.batch, "batch", true}}};
}

/// Whether bulk copies bring blocks of both factors, which are whole tensors.
static bool hasBulkCopies(const Product &product) {
  const int64_t bytes = tensorType(product.left).getElementTypeBitWidth() / 8;
  Value left = product.left;
  auto module = left.getParentRegion()->getParentOfType<ModuleOp>();
  return product.batch == 1 && module && module->hasAttr(kBulkCopiesAttr) &&
         fitsBulkCopies(product.isLeftTransposed ? product.rows : product.depth, bytes) &&
         fitsBulkCopies(product.isRightTransposed ? product.depth : product.columns, bytes);
}

Anchor productAnchor(const Product &product) {
  if (product.rows == 1 || product.columns == 1)
    return vectorAnchor(product);
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "matmul";
  readTensors(product, anchor);
  setNumbers(product, kernel);
  ProductExtents extents{product.batch, product.rows, product.columns, product.depth};
  extents.hasRightByColumns = product.isRightTransposed;
  extents.hasLeftByColumns = product.isLeftTransposed;
  extents.hasWorkBehind = product.hasWorkBehind || product.addsMatrix();
  extents.fitsBulkCopies = hasBulkCopies(product);
  const bool isSmall = extents.isSmall();
  const ProductTile tile =
      productTile(extents, tensorType(product.left).getElementTypeBitWidth() / 8);
  setTile(tile, product.batch, kernel);
  const std::vector<TilePart> parts = tileParts(tile);
  const std::vector<FactorText> factors = factorsOf(product, parts, {isSmall, tile.isInBulk});
  kernel.body = tilePlaces(tile, isSmall) + "    batch = tl.program_id(1)\n";
  if (!tile.isInBulk)
    kernel.body += "    at = tl.arange(0, BLOCK_K)\n";
  for (const FactorText &factor : factors)
    kernel.body += factor.begin();
  kernel.body += addendVectors(product, parts);
  anchor.beforeLoop = kernel.body.size();
  kernel.body += sumText(product, tile, factors, parts);
  static_cast<AnchorPart &>(anchor) = blockOf(product, parts.front());
  if (tile.rest != 0) {
    for (const TilePart &part : ArrayRef(parts).drop_front())
      anchor.others.push_back(blockOf(product, part));
    kernel.templateLines = size_t(llvm::count(kernel.body, '\n'));
    kernel.numBlocks = parts.size();
  }
  return anchor;
}

int64_t batchOf(ArrayRef<int64_t> shape) { return llvm::product_of(shape.drop_back(2)); }

bool fitsBatch(RankedTensorType factor, int64_t batch) {
  return batchOf(factor.getShape()) == 1 || batchOf(factor.getShape()) == batch;
}

Value beforeTranspose(Value factor, const Group &group) {
  auto transpose = factor.getDefiningOp<tm::TransposeOp>();
  if (!transpose || !group.contains(transpose))
    return {};
  const ArrayRef<int64_t> order = transpose.getOrder();
  for (size_t axis = 0; axis + 2 < order.size(); ++axis)
    if (order[axis] != int64_t(axis))
      return {};
  return order.size() >= 2 && order.back() + 1 == int64_t(order.size()) - 1 ? transpose.getOperand()
                                                                            : Value();
}

static std::optional<Anchor> emitMatmul(tm::MatmulOp op, const Group &group) {
  const RankedTensorType left = tensorType(op.getLhs()), right = tensorType(op.getRhs());
  const RankedTensorType type = tensorType(op.getResult());
  if (!isComputedReal(type.getElementType()) || left.getElementType() != right.getElementType() ||
      left.getRank() < 2 || right.getRank() < 2 || type.getNumElements() == 0)
    return std::nullopt;
  Product product{op.getLhs(), op.getRhs(), {}, op.getResult()};
  product.hasWorkBehind = hasWorkBehind(op, group);
  product.batch = batchOf(type.getShape());
  for (const RankedTensorType factor : {left, right})
    if (!fitsBatch(factor, product.batch))
      return std::nullopt;
  product.rows = left.getShape().end()[-2];
  product.depth = left.getShape().back();
  product.columns = right.getShape().back();
  product.leftBatch = batchOf(left.getShape()) == 1 ? 0 : product.rows * product.depth;
  product.rightBatch = batchOf(right.getShape()) == 1 ? 0 : product.depth * product.columns;
  if (const Value plain = beforeTranspose(op.getLhs(), group)) {
    product.left = plain;
    product.isLeftTransposed = true;
  }
  if (const Value plain = beforeTranspose(op.getRhs(), group)) {
    product.right = plain;
    product.isRightTransposed = true;
  }
  // The matrices of the left factor lie below each other: they are one.
  if (product.rightBatch == 0 && product.leftBatch != 0 && !product.isLeftTransposed) {
    product.rows *= product.batch;
    product.batch = 1;
    product.leftBatch = 0;
  }
  return productAnchor(product);
}

static std::optional<Anchor> emitGemm(tm::GemmOp op, const Group &group) {
  const RankedTensorType type = tensorType(op.getResult());
  if (!isComputedReal(type.getElementType()) || type.getNumElements() == 0)
    return std::nullopt;
  Product product{op.getLhs(), op.getRhs(), op.getAddend(), op.getResult()};
  product.hasWorkBehind = hasWorkBehind(op, group);
  product.alpha = op.getAlpha().convertToDouble();
  product.beta = op.getBeta().convertToDouble();
  product.isLeftTransposed = op.getTransposeLhs();
  product.isRightTransposed = op.getTransposeRhs();
  product.rows = type.getDimSize(0);
  product.columns = type.getDimSize(1);
  product.depth = tensorType(op.getLhs()).getDimSize(product.isLeftTransposed ? 0 : 1);
  if (op.getAddend()) {
    const ArrayRef<int64_t> shape = tensorType(op.getAddend()).getShape();
    const int64_t columns = shape.empty() ? 1 : shape.back();
    product.addendColumn = columns == 1 ? 0 : 1;
    product.addendRow = shape.size() < 2 || shape.front() == 1 ? 0 : columns;
  }
  return productAnchor(product);
}

std::optional<Anchor> emitProduct(Operation *operation, const Group &group) {
  if (auto op = dyn_cast<tm::MatmulOp>(operation))
    return emitMatmul(op, group);
  if (auto op = dyn_cast<tm::GemmOp>(operation))
    return emitGemm(op, group);
  return std::nullopt;
}

} // namespace tilescope::model
