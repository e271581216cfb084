// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators over sequences.
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// The axes of one of the tensors of an attention, whether heads have an axis of their own or not.
struct Heads {
  tm::Extent batch, heads, length, width;
};
} // namespace

static std::optional<Heads> headsOf(Node &node, size_t index, int64_t heads) {
  const tm::ExtentList extents = node.extents(index);
  if (extents.size() == 4)
    return Heads{extents[0], extents[1], extents[2], extents[3]};
  if (extents.size() == 3 && heads > 0)
    return Heads{extents[0], node.number(heads), extents[1],
                 tm::quotient(extents[2], node.number(heads))};
  node.fail("an input of " + tm::extentsText(extents) + " has no heads");
  return std::nullopt;
}

static bool readAttention(Node &node) {
  if (!node.expectOperands(3, 7))
    return false;
  for (const char *window : {"left_window_size", "right_window_size"})
    if (node.integer(window, -1) >= 0)
      return node.fail("its attribute `" + std::string(window) + "` is not supported");
  const int64_t queryHeads = node.integer("q_num_heads", 0),
                keyHeads = node.integer("kv_num_heads", queryHeads);
  const auto query = headsOf(node, 0, queryHeads), key = headsOf(node, 1, keyHeads),
             value = headsOf(node, 2, keyHeads);
  if (!query || !key || !value)
    return false;
  const tm::Extent total = node.operand(4) && node.type(4).getRank() == 4
                               ? tm::add(node.extents(4)[2], key->length)
                               : key->length;
  const bool hasAxis = node.type(0).getRank() == 4;
  const Type element = node.element(0);
  SmallVector<Type> types{
      hasAxis
          ? node.tensorType({query->batch, query->heads, query->length, value->width}, element)
          : node.tensorType({query->batch, query->length, tm::multiply(query->heads, value->width)},
                            element)};
  if (node.proto().output_size() > 1) {
    types.push_back(node.tensorType({key->batch, key->heads, total, key->width}, node.element(1)));
    types.push_back(
        node.tensorType({value->batch, value->heads, total, value->width}, node.element(2)));
    types.push_back(node.tensorType({query->batch, query->heads, query->length, total}, element));
  }
  if (node.failed())
    return false;
  const FloatAttr scale =
      node.has("scale") ? node.builder().getF32FloatAttr(node.real("scale", 1)) : FloatAttr();
  return node.finish(node.emitAll<tm::AttentionOp>(
      types, node.operand(0), node.operand(1), node.operand(2), node.operand(3), node.operand(4),
      node.operand(5), node.operand(6), queryHeads, keyHeads, scale,
      llvm::APFloat(node.real("softcap", 0)), node.integer("qk_matmul_output_mode", 0),
      node.integer("is_causal", 0) != 0));
}

static bool readRotary(Node &node) {
  if (!node.expectOperands(3, 4))
    return false;
  return node.finish(
      node.emit<tm::RotaryOp>(node.type(0), node.operand(0), node.operand(1), node.operand(2),
                              node.operand(3), node.integer("rotary_embedding_dim", 0),
                              node.integer("num_heads", 0), node.integer("interleaved", 0) != 0));
}

/// The default functions alone are supported.
static bool hasUsualFunctions(Node &node) {
  const std::vector<std::string> usual{"sigmoid", "tanh", "tanh"};
  for (const onnx::AttributeProto &attribute : node.proto().attribute())
    if (attribute.name() == "activations")
      for (int i = 0; i < attribute.strings_size(); ++i)
        if (StringRef(attribute.strings(i)).lower() != usual[size_t(i) % 3])
          return node.fail("its function `" + attribute.strings(i) + "` is not supported");
  return !node.has("clip") || node.fail("its clipping is not supported");
}

static bool readLstm(Node &node) {
  if (!node.expectOperands(3, 8) || !hasUsualFunctions(node))
    return false;
  const bool isBatchFirst = node.integer("layout", 0) != 0;
  const tm::ExtentList input = node.extents(0), weights = node.extents(1), states = node.extents(2);
  if (input.size() != 3 || weights.size() != 3 || states.size() != 3)
    return node.fail("its input and weights need 3 axes");
  const tm::Extent length = input[isBatchFirst ? 1 : 0], batch = input[isBatchFirst ? 0 : 1];
  const tm::Extent directions = weights[0], size = states[2];
  const auto hidden = tm::numberOf(size);
  if (!hidden || node.integer("hidden_size", *hidden) != *hidden)
    return node.fail("its weights do not go with its `hidden_size`");
  const Type element = node.element(0);
  const RankedTensorType last = isBatchFirst ? node.tensorType({batch, directions, size}, element)
                                             : node.tensorType({directions, batch, size}, element);
  const Type types[] = {isBatchFirst ? node.tensorType({batch, length, directions, size}, element)
                                     : node.tensorType({length, directions, batch, size}, element),
                        last, last};
  return node.finish(node.emitAll<tm::LstmOp>(
      types, node.operand(0), node.operand(1), node.operand(2), node.operand(3), node.operand(4),
      node.operand(5), node.operand(6), node.operand(7), *hidden, node.text("direction", "forward"),
      isBatchFirst, node.integer("input_forget", 0) != 0));
}

static constexpr OperatorRule kAttentionRules[] = {
    {"Attention", readAttention}, {"LSTM", readLstm}, {"RotaryEmbedding", readRotary}};

std::span<const OperatorRule> attentionRules() { return kAttentionRules; }

} // namespace tilescope::model
