// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

namespace {
enum class Direction { ToShared, ToGlobal };
} // namespace

/// `{instruction} [buffer], [descriptor, {coordinates}], [barrier]`, or the other way round.
static void copyTensor(Builder &b, const BulkCopy &copy, const std::string &instruction,
                       Direction direction, Value barrier = {}) {
  AsmText text;
  const std::string guard = text.addPredicate(copy.predicate);
  const std::string buffer = text.addAddress(copy.buffer);
  std::string tensor = "[" + text.addOperand(copy.descriptor, 'l') + ", {";
  for (auto [index, coordinate] : llvm::enumerate(copy.coordinates))
    tensor += (index ? ", " : "") + text.addOperand(coordinate, 'r');
  tensor += "}]";
  std::string code = guard + instruction + " ";
  code += direction == Direction::ToShared ? buffer + ", " + tensor : tensor + ", " + buffer;
  if (barrier)
    code += ", " + text.addAddress(barrier);
  for (auto [index, offset] : llvm::enumerate(copy.offsets))
    code += (index ? ", " : ", {") + text.addOperand(offset, 'h');
  text.emit(b, code + (copy.offsets.empty() ? "" : "}"));
}

static std::string dimensions(const BulkCopy &copy) {
  return std::to_string(copy.coordinates.size()) + "d";
}

void cpAsyncBulkTensorToShared(Builder &b, const BulkCopy &copy, Value barrier) {
  copyTensor(b, copy,
             "cp.async.bulk.tensor." + dimensions(copy) + ".shared::cluster.global" +
                 (copy.offsets.empty() ? "" : ".im2col") + ".mbarrier::complete_tx::bytes",
             Direction::ToShared, barrier);
}

void cpAsyncBulkTensorToGlobal(Builder &b, const BulkCopy &copy) {
  copyTensor(b, copy, "cp.async.bulk.tensor." + dimensions(copy) + ".global.shared::cta.bulk_group",
             Direction::ToGlobal);
}

void cpReduceAsyncBulkTensor(Builder &b, const BulkCopy &copy, StringRef operation) {
  copyTensor(b, copy,
             "cp.reduce.async.bulk.tensor." + dimensions(copy) + ".global.shared::cta." +
                 operation.str() + ".bulk_group",
             Direction::ToGlobal);
}

void cpAsyncBulkTensorGather4(Builder &b, const BulkCopy &copy, Value barrier) {
  copyTensor(b, copy,
             "cp.async.bulk.tensor.2d.tile::gather4.shared::cluster.global.mbarrier::"
             "complete_tx::bytes",
             Direction::ToShared, barrier);
}

void cpAsyncBulkTensorScatter4(Builder &b, const BulkCopy &copy) {
  copyTensor(b, copy, "cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group",
             Direction::ToGlobal);
}

void cpAsync(Builder &b, Value predicate, Value shared, Value global, int64_t bytes, Value copied) {
  AsmText text;
  const std::string to = text.addOperand(shared, 'r'), from = text.addOperand(global, 'l');
  std::string code = std::string("cp.async.") + (bytes == 16 ? "cg" : "ca") + ".shared.global [ " +
                     to + " + 0 ], [ " + from + " + 0 ], " + std::to_string(bytes);
  if (copied)
    code += ", " + text.addOperand(copied, 'r');
  const std::string guard = text.addPredicate(predicate);
  text.emit(b, guard + code);
}

static void replaceField(Builder &b, AsmText &text, Value address, StringRef field, StringRef type,
                         const std::string &rest) {
  text.emit(b, ("tensormap.replace.tile." + field + ".shared::cta.b1024." + type + " [$0]").str() +
                   rest);
}

void tensormapReplace(Builder &b, Value address, StringRef field, Value value,
                      std::optional<int64_t> index) {
  AsmText text;
  text.addOperand(address, 'l');
  const bool isWide = isa<LLVM::LLVMPointerType>(value.getType()) || value.getType().isInteger(64);
  std::string rest = index ? ", " + std::to_string(*index) : "";
  rest += ", " + text.addOperand(value, isWide ? 'l' : 'r');
  replaceField(b, text, address, field, isWide ? "b64" : "b32", rest);
}

void tensormapReplace(Builder &b, Value address, StringRef field, int64_t value) {
  AsmText text;
  text.addOperand(address, 'l');
  replaceField(b, text, address, field, "b32", ", " + std::to_string(value));
}

void tensormapCpFenceproxy(Builder &b, Value global, Value shared) {
  AsmText text;
  const std::string to = text.addOperand(global, 'l'), from = text.addOperand(shared, 'l');
  text.emit(b, "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
               "aligned [" +
                   to + "], [" + from + "], 128");
}

} // namespace tilescope::compiler::ptx
