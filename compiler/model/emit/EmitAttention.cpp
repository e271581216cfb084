// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Attention: a program holds some rows of queries and goes through the keys piece by piece. What it has summed up so far
// fades where a larger score comes (M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018;
// T. Dao et al., "FlashAttention", 2022).
#include "compiler/model/emit/AttentionPattern.h"

using namespace mlir;

namespace tilescope::model {

/// A row of a factor is held in registers.
static constexpr int64_t kLongestRow = 128;

namespace {
struct Attention {
  Value query, key, value, result;
  int64_t batch = 1, rows = 1, keys = 1, depth = 1, width = 1;
  bool isKeyTransposed = false;
};
} // namespace

static std::optional<Attention> attentionOf(const AttentionPattern &pattern, const Group &group) {
  tm::MatmulOp scores = pattern.scores, result = pattern.result;
  Attention attention{scores.getLhs(), scores.getRhs(), result.getRhs(), result.getResult()};
  const RankedTensorType query = tensorType(attention.query), key = tensorType(attention.key);
  const RankedTensorType value = tensorType(attention.value), type = tensorType(attention.result);
  if (query.getRank() < 2 || key.getRank() < 2 || value.getRank() < 2 ||
      type.getNumElements() == 0 || !isSmallReal(query.getElementType()) ||
      query.getElementType() != key.getElementType() ||
      query.getElementType() != value.getElementType())
    return std::nullopt;
  attention.batch = batchOf(type.getShape());
  attention.rows = query.getShape().end()[-2];
  attention.depth = query.getShape().back();
  attention.keys = key.getShape().back();
  attention.width = value.getShape().back();
  if (attention.depth > kLongestRow || attention.width > kLongestRow)
    return std::nullopt;
  if (batchOf(tensorType(scores.getResult()).getShape()) != attention.batch)
    return std::nullopt;
  for (const RankedTensorType factor : {query, key, value})
    if (!fitsBatch(factor, attention.batch))
      return std::nullopt;
  if (const Value plain = beforeTranspose(attention.key, group)) {
    attention.key = plain;
    attention.isKeyTransposed = true;
  }
  return attention;
}

/// Reads a factor: a matrix for each of the batch, or one for all.
static void readFactor(EmittedKernel &kernel, const std::string &letter, Value factor) {
  const ArrayRef<int64_t> shape = tensorType(factor).getShape();
  const int64_t matrix = shape.end()[-2] * shape.back();
  kernel.read(letter + "_ptr", factor);
  kernel.number(letter + "_batch", batchOf(shape) == 1 ? 0 : matrix);
}

/// `score *= …`
static std::string scaleText(const AttentionPattern &pattern, EmittedKernel &kernel) {
  if (!pattern.scale)
    return "";
  kernel.read("scale_ptr", pattern.factor, {1});
  return std::string("        score ") + (isa<tm::DivOp>(pattern.scale) ? "/=" : "*=") +
         " tl.load(scale_ptr)" + widened(pattern.factor) + "\n";
}

/// `score += …`: a tensor that is repeated along some axes.
static std::string additionText(const AttentionPattern &pattern, EmittedKernel &kernel) {
  if (!pattern.addition)
    return "";
  const Value added = pattern.added;
  const ArrayRef<int64_t> shape = tensorType(pattern.addition->getResult(0)).getShape();
  const ArrayRef<int64_t> own = tensorType(added).getShape();
  const std::vector<int64_t> steps = rowStrides(own);
  std::vector<int64_t> strides(shape.size(), 0);
  for (size_t axis = 0; axis < own.size(); ++axis)
    if (own[axis] != 1)
      strides[shape.size() - own.size() + axis] = steps[axis];
  kernel.read("bias_ptr", added);
  const IndexMap batches{shape.drop_back(2).vec(), {strides.begin(), strides.end() - 2}};
  std::string place = batches.extents.empty() ? "" : batches.text("bias", kernel, "batch");
  place += place.empty() ? "" : " + ";
  kernel.number("bias_row", strides.end()[-2]);
  kernel.number("bias_column", strides.back());
  return "        score += tl.load(bias_ptr + " + place +
         "rows[:, None] * bias_row + at[None, :] * bias_column,\n"
         "                         mask=(rows[:, None] < M) & (at[None, :] < N), other=0.0)" +
         widened(added) + "\n";
}

static void setTiles(const Attention &attention, Anchor &anchor) {
  const bool isNarrow = tensorType(attention.query).getElementTypeBitWidth() == 16;
  const int64_t most = isNarrow ? 64 : 32;
  const auto block = [](int64_t extent, int64_t atMost) {
    return std::max<int64_t>(16, blockFor(extent, atMost));
  };
  anchor.kernel.constexprs = {{"BLOCK_M", block(attention.rows, most)},
                              {"BLOCK_N", block(attention.keys, most)},
                              {"BLOCK_D", block(attention.depth, kLongestRow)},
                              {"BLOCK_W", block(attention.width, kLongestRow)}};
  anchor.kernel.grid = {"\"cdiv(M, BLOCK_M)\"", std::to_string(attention.batch)};
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
}

std::optional<Anchor> emitAttention(const AttentionPattern &pattern, const Group &group) {
  const std::optional<Attention> attention = attentionOf(pattern, group);
  if (!attention)
    return std::nullopt;
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = attention->isKeyTransposed ? "attention_kt" : "attention";
  readFactor(kernel, "q", attention->query);
  readFactor(kernel, "k", attention->key);
  readFactor(kernel, "v", attention->value);
  for (const auto &[name, number] : {std::pair{"M", attention->rows},
                                     {"N", attention->keys},
                                     {"D", attention->depth},
                                     {"W", attention->width}})
    kernel.number(name, number);
  const std::string changes = scaleText(pattern, kernel) + additionText(pattern, kernel);
  setTiles(*attention, anchor);
  setPlaces(*attention, anchor);
  const std::string key = attention->isKeyTransposed ? "at[None, :] * D + along[:, None]"
                                                     : "along[:, None] * N + at[None, :]";
  kernel.body =
      "    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)\n"
      "    batch = tl.program_id(1)\n"
      "    along = tl.arange(0, BLOCK_D)\n"
      "    columns = tl.arange(0, BLOCK_W)\n"
      "    mask = (rows[:, None] < M) & (columns[None, :] < W)\n"
      "    q = tl.load(q_ptr + batch * q_batch + rows[:, None] * D + along[None, :],\n"
      "                mask=(rows[:, None] < M) & (along[None, :] < D), other=0.0)\n"
      "    largest = tl.full([BLOCK_M], float(\"-inf\"), tl.float32)\n"
      "    weight = tl.zeros([BLOCK_M], tl.float32)\n"
      "    total = tl.zeros([BLOCK_M, BLOCK_W], tl.float32)\n"
      "    for begin in range(0, N, BLOCK_N):\n"
      "        at = begin + tl.arange(0, BLOCK_N)\n"
      "        k = tl.load(k_ptr + batch * k_batch + " +
      key +
      ",\n"
      "                    mask=(along[:, None] < D) & (at[None, :] < N), other=0.0)\n"
      "        score = tl.dot(q, k, input_precision=\"ieee\")\n" +
      changes +
      "        score = tl.where(at[None, :] < N, score, float(\"-inf\"))\n"
      "        larger = tl.maximum(largest, tl.max(score, axis=1))\n"
      "        base = tl.where(larger == float(\"-inf\"), 0.0, larger)\n"
      "        share = tl.exp(score - base[:, None])\n"
      "        fade = tl.exp(largest - base)\n"
      "        weight = weight * fade + tl.sum(share, axis=1)\n"
      "        v = tl.load(v_ptr + batch * v_batch + at[:, None] * W + columns[None, :],\n"
      "                    mask=(at[:, None] < N) & (columns[None, :] < W), other=0.0)\n"
      "        total = tl.dot(share.to(v.dtype), v, total * fade[:, None], "
      "input_precision=\"ieee\")\n"
      "        largest = larger\n"
      "    total = total / weight[:, None]\n";
  return anchor;
}

} // namespace tilescope::model
