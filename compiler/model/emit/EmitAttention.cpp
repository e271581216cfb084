// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Attention: a program holds some rows of queries and goes through the keys piece by piece. What it has summed up so far
// fades where a larger score comes (M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018;
// T. Dao et al., "FlashAttention", 2022).
#include "compiler/model/emit/AttentionLoop.h"
#include "compiler/model/emit/Formulas.h"
#include "compiler/model/emit/StridedMatrix.h"

using namespace mlir;

namespace tilescope::model {

/// A row of a factor is held in registers.
static constexpr int64_t kLongestRow = 128;

namespace {
/// Where the elements of a factor, [batch…, row, column], are in the tensor that has them: what only moves them costs
/// nothing, and what multiplies all of them by a number multiplies the scores.
struct Factor {
  Value tensor;
  StridedMatrix place = {};
  std::vector<std::string> numbers = {};
};

struct Attention {
  Factor query, key, value;
  Value result;
  int64_t batch = 1, rows = 1, keys = 1, depth = 1, width = 1;
  /// Of a sequence; 0: the batch has one axis at most.
  int64_t heads = 0;
};
} // namespace

/// Whether an operation widens numbers that a kernel widens as it multiplies them.
static bool widens(Operation *operation) {
  return isa<tm::CastOp>(operation) &&
         tensorType(operation->getResult(0)).getElementType().isF32() &&
         isSmallReal(tensorType(operation->getOperand(0)).getElementType());
}

/// The operand that an operation multiplies by one number, which is added to the factor's; null: it does not.
static Value multiplied(Operation *operation, Factor &factor) {
  if (!isa<tm::MulOp>(operation))
    return {};
  for (const unsigned at : {0u, 1u})
    if (const std::string literal = literalOf(operation->getOperand(at));
        !literal.empty() &&
        operation->getOperand(1 - at).getType() == operation->getResult(0).getType()) {
      factor.numbers.push_back(literal);
      return operation->getOperand(1 - at);
    }
  return {};
}

/// Nothing: the group computes it in a way that is not one of strides.
static std::optional<Factor> factorOf(Value value, const Group &group) {
  MatrixWalk walk(tensorType(value).getShape());
  Factor factor;
  while (Operation *operation = value.getDefiningOp()) {
    if (!group.contains(operation))
      break;
    if (const Value before = multiplied(operation, factor)) {
      value = before;
      continue;
    }
    if (!widens(operation) && !walk.goThrough(operation))
      return std::nullopt;
    value = operation->getOperand(0);
  }
  const auto matrix = walk.matrix();
  if (!matrix)
    return std::nullopt;
  factor.tensor = value;
  factor.place = *matrix;
  return factor;
}

std::vector<Value> factorsOf(const AttentionPattern &pattern) {
  tm::MatmulOp scores = pattern.scores, result = pattern.result;
  return {scores.getLhs(), scores.getRhs(), result.getRhs()};
}

bool isReadInPlace(Operation *operation) {
  Factor unused;
  return isa<tm::ReshapeOp, tm::TransposeOp, tm::SliceOp, tm::ExpandOp>(operation) ||
         widens(operation) || multiplied(operation, unused);
}

static std::optional<Attention> attentionOf(const AttentionPattern &pattern, const Group &group) {
  const std::vector<Value> factors = factorsOf(pattern);
  const RankedTensorType query = tensorType(factors[0]), key = tensorType(factors[1]);
  const RankedTensorType value = tensorType(factors[2]);
  tm::MatmulOp scores = pattern.scores, result = pattern.result;
  const RankedTensorType type = tensorType(result.getResult());
  if (query.getRank() < 2 || key.getRank() < 2 || value.getRank() < 2 ||
      type.getNumElements() == 0 || !isSmallReal(query.getElementType()) ||
      query.getElementType() != key.getElementType() ||
      query.getElementType() != value.getElementType())
    return std::nullopt;
  Attention attention;
  attention.result = result.getResult();
  attention.batch = batchOf(type.getShape());
  attention.rows = query.getShape().end()[-2];
  attention.depth = query.getShape().back();
  attention.keys = key.getShape().back();
  attention.width = value.getShape().back();
  if (type.getRank() > 3)
    attention.heads = type.getShape().end()[-3];
  if (attention.depth > kLongestRow || attention.width > kLongestRow)
    return std::nullopt;
  if (batchOf(tensorType(scores.getResult()).getShape()) != attention.batch)
    return std::nullopt;
  for (const RankedTensorType factor : {query, key, value})
    if (!fitsBatch(factor, attention.batch))
      return std::nullopt;
  Factor *const read[] = {&attention.query, &attention.key, &attention.value};
  for (size_t i = 0; i < 3; ++i) {
    auto factor = factorOf(factors[i], group);
    // What multiplies the values would have to multiply the result.
    if (!factor || (i == 2 && !factor->numbers.empty()))
      return std::nullopt;
    *read[i] = std::move(*factor);
  }
  const auto elementOf = [&](size_t i) { return tensorType(read[i]->tensor).getElementType(); };
  return elementOf(0) == elementOf(1) && elementOf(0) == elementOf(2) ? std::optional(attention)
                                                                      : std::nullopt;
}

/// `head` and `sequence` of the batch.
static std::vector<Coordinate> batchCoordinates(const Attention &attention, int64_t inner) {
  if (attention.heads == 0)
    return {};
  return {{inner, attention.heads, "head", true},
          {inner * attention.heads, attention.batch / attention.heads, "sequence", true}};
}

/// The place of a factor's element in a row and a column. Pieces of a factor begin at `begin`, along its rows or its
/// columns: the number of a program, to which what is the same for all pieces is added.
static std::string placeText(const std::string &letter, const Factor &factor,
                             const Attention &attention, EmittedKernel &kernel,
                             const std::string &row, const std::string &column,
                             bool areRowsKeys = false, bool areColumnsKeys = false) {
  const auto along = [&](const std::string &place, int64_t stride, const char *name) {
    if (stride == 1)
      return place;
    kernel.number(letter + name, stride);
    return place + " * " + letter + name;
  };
  const std::string batch =
      factor.place.batches.text(letter, kernel, "batch", batchCoordinates(attention, 1));
  const std::string rows = along(row, factor.place.row, "_row");
  const std::string columns = along(column, factor.place.column, "_column");
  std::string begin;
  if (areRowsKeys || areColumnsKeys) {
    const int64_t stride = areRowsKeys ? factor.place.row : factor.place.column;
    begin =
        "begin" + (stride == 1 ? "" : " * " + letter + (areRowsKeys ? "_row" : "_column")) + " + ";
  }
  return letter + "_ptr + " + (batch.empty() ? "" : batch + " + ") + begin + rows + " + " + columns;
}

/// The numbers that multiply all scores, as a product.
static std::string productOf(ArrayRef<std::string> numbers, EmittedKernel &kernel) {
  std::string text;
  unsigned numNamed = 0;
  for (const std::string &number : numbers) {
    std::string factor = number;
    if (!isPlainLiteral(number)) {
      factor = "scale" + (numNamed == 0 ? "" : std::to_string(numNamed + 1));
      kernel.numbers.emplace_back(factor, number);
      ++numNamed;
    }
    text += (text.empty() ? "" : " * ") + factor;
  }
  return text;
}

/// log2(e): powers of 2 are computed in one step, those of e in two.
static const std::string kOfTwo = "1.4426950408889634";

static bool isPositive(const std::string &number) {
  double value = 0;
  return !StringRef(number).getAsDouble(value) && value > 0;
}

/// How scores are scaled: the larger one of two scores stays the larger one where all numbers are positive, so that they
/// are multiplied in the exponent, together with log2(e).
static void setScaling(const AttentionPattern &pattern, const Attention &attention,
                       EmittedKernel &kernel, AttentionLoop &loop) {
  std::vector<std::string> numbers = attention.query.numbers;
  numbers.insert(numbers.end(), attention.key.numbers.begin(), attention.key.numbers.end());
  const std::string own = pattern.scale ? literalOf(pattern.factor) : "";
  const bool isNumber = !own.empty() && isa<tm::MulOp>(pattern.scale);
  if (isNumber)
    numbers.push_back(own);
  const std::string product = productOf(numbers, kernel);
  const bool hasTensor = pattern.scale && !isNumber;
  loop.isOfTwo = loop.mask.fitsPowersOfTwo;
  if (loop.mask.keepsScores() && !hasTensor && llvm::all_of(numbers, isPositive)) {
    loop.factor = product + (product.empty() ? "" : " * ") + kOfTwo;
    return;
  }
  if (!product.empty())
    loop.scaling = "        score *= " + product + "\n";
  if (loop.isOfTwo)
    loop.factor = kOfTwo;
  if (!hasTensor)
    return;
  kernel.read("scale_ptr", pattern.factor, {1});
  loop.scaling += "        score " + std::string(isa<tm::DivOp>(pattern.scale) ? "/=" : "*=") +
                  " tl.load(scale_ptr)" + widened(pattern.factor) + "\n";
}

/// Two programs with so much are on a multiprocessor.
static constexpr int64_t kHalfOfShared = 113 << 10;

/// How many pieces are loaded ahead. Long rows of keys are worth a third one, where it leaves room for a second program;
/// short ones need programs beside each other more.
static int64_t stagesFor(const Attention &attention, const AttentionMask &mask, int64_t rows,
                         int64_t keys, int64_t depths) {
  const int64_t pieces = attention.keys / keys / (mask.isCausal ? 2 : 1);
  const int64_t piece = keys * depths * 2 + rows * keys * mask.pairBytes;
  const bool isLong = pieces >= 16 || mask.pairBytes > 1;
  return isLong && rows * depths + 3 * piece <= kHalfOfShared ? 3 : 2;
}

static void setTiles(const Attention &attention, AttentionLoop &loop, Anchor &anchor) {
  const bool isNarrow = tensorType(attention.query.tensor).getElementTypeBitWidth() == 16;
  const int64_t most = isNarrow ? 64 : 32;
  const auto block = [](int64_t extent, int64_t atMost) {
    return std::max<int64_t>(16, blockFor(extent, atMost));
  };
  // A bias is as many bytes as keys of 64 elements are for each 64 queries: less of it at once leaves more programs beside
  // each other, which hide that it comes from memory.
  const bool isBiased = isNarrow && loop.mask.pairBytes > 1;
  const int64_t rows = block(attention.rows, most);
  const int64_t keys = block(attention.keys, isBiased ? 32 : most);
  const int64_t depth = block(attention.depth, kLongestRow);
  const int64_t width = block(attention.width, kLongestRow);
  anchor.kernel.constexprs = {
      {"BLOCK_M", rows}, {"BLOCK_N", keys}, {"BLOCK_D", depth}, {"BLOCK_W", width}};
  anchor.kernel.grid = {"\"cdiv(M, BLOCK_M)\"", std::to_string(attention.batch)};
  if (isNarrow)
    anchor.kernel.options = {
        {"num_warps", 4},
        {"num_stages", stagesFor(attention, loop.mask, rows, keys, depth + width)}};
  loop.keys = attention.keys;
  loop.blockN = keys;
  loop.areRowsBound = attention.rows % rows != 0;
  loop.isDepthBound = attention.depth != depth;
  loop.isWidthBound = attention.width != width;
  // A second loop begins with nothing loaded, which few programs beside each other do not hide.
  loop.isInTwo = attention.keys > keys && std::max(depth, width) <= 64 &&
                 (loop.mask.isCausal || attention.keys % keys != 0);
}

/// Where the result's elements are, as an epilogue sees them.
static void setPlaces(const Attention &attention, Anchor &anchor) {
  const int64_t width = attention.width, rows = attention.rows;
  anchor.result = attention.result;
  anchor.shape = tensorType(attention.result).getShape().vec();
  anchor.value = "total";
  anchor.place = "batch * M * W + rows[:, None] * W + columns[None, :]";
  anchor.mask = "mask";
  anchor.coordinates = {{1, width, "columns[None, :]"},
                        {width, rows, "rows[:, None]"},
                        {rows * width, attention.batch, "batch", true}};
  for (Coordinate &each : batchCoordinates(attention, rows * width))
    anchor.coordinates.push_back(std::move(each));
}

std::optional<Anchor> emitAttention(const AttentionPattern &pattern, const Group &group) {
  const std::optional<Attention> attention = attentionOf(pattern, group);
  if (!attention)
    return std::nullopt;
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "attention";
  kernel.read("q_ptr", attention->query.tensor);
  for (const auto &[name, factor] :
       {std::pair{"k_ptr", &attention->key}, {"v_ptr", &attention->value}})
    kernel.read(name, factor->tensor);
  for (const auto &[name, number] : {std::pair{"M", attention->rows},
                                     {"N", attention->keys},
                                     {"D", attention->depth},
                                     {"W", attention->width}})
    kernel.number(name, number);
  if (attention->heads != 0)
    kernel.number("heads", attention->heads);
  const std::optional<AttentionMask> mask = attentionMask(pattern, kernel);
  if (!mask)
    return std::nullopt;
  AttentionLoop loop;
  loop.mask = *mask;
  setScaling(pattern, *attention, kernel, loop);
  setTiles(*attention, loop, anchor);
  setPlaces(*attention, anchor);
  const std::string query =
      placeText("q", attention->query, *attention, kernel, "rows[:, None]", "along[None, :]");
  loop.keyPlace = placeText("k", attention->key, *attention, kernel, "along[:, None]",
                            "keys[None, :]", false, true);
  loop.valuePlace = placeText("v", attention->value, *attention, kernel, "keys[:, None]",
                              "columns[None, :]", true, false);
  tm::SoftmaxOp softmax = pattern.softmax;
  kernel.body =
      std::string(mask->isCausal
                      ? "    # Programs with the most to do come first.\n"
                        "    program = tl.num_programs(0) - 1 - tl.program_id(0)\n"
                        "    rows = program * BLOCK_M + tl.arange(0, BLOCK_M)\n"
                      : "    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)\n") +
      "    batch = tl.program_id(1)\n" +
      (attention->heads == 0 ? ""
                             : "    head = batch % heads\n"
                               "    sequence = batch // heads\n") +
      "    along = tl.arange(0, BLOCK_D)\n"
      "    columns = tl.arange(0, BLOCK_W)\n"
      "    mask = (rows[:, None] < M) & (columns[None, :] < W)\n"
      "    q = tl.load(" +
      query +
      ",\n"
      "                mask=(rows[:, None] < M) & (along[None, :] < D), other=0.0)\n"
      "    largest = tl.full([BLOCK_M], float(\"-inf\"), tl.float32)\n"
      "    weight = tl.zeros([BLOCK_M], tl.float32)\n"
      "    total = tl.zeros([BLOCK_M, BLOCK_W], tl.float32)\n" +
      loop.text() +
      // A row with something in it has a weight of 1.
      (softmax.getMasked() ? "    total = total / tl.maximum(weight, 1e-30)[:, None]\n"
                           : "    total = total / weight[:, None]\n");
  if (loop.isInTwo)
    kernel.templateLines = size_t(llvm::count(kernel.body, '\n'));
  return anchor;
}

} // namespace tilescope::model
