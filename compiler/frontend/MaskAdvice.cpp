// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/MaskAdvice.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

static std::string offsetsOf(const Frame &frame, const ast::Expr &address, int depth) {
  constexpr int kMaxDepth = 8;
  if (depth > kMaxDepth)
    return {};
  if (const auto *sum = ast::as<ast::BinOp>(&address)) {
    if (sum->op != ast::BinaryOpKind::Add)
      return {};
    const std::string last = offsetsOf(frame, *sum->right, depth + 1);
    return last.empty() ? offsetsOf(frame, *sum->left, depth + 1) : last;
  }
  const auto *name = ast::as<ast::Name>(&address);
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  if (!value || !value->tensor() || !value->tensor()->isBlock())
    return {};
  if (!value->tensor()->type.isPointer())
    return std::string(name->id);
  const ast::Assign *last = lastAssignment(frame, *name);
  return last ? offsetsOf(frame, *last->value, depth + 1) : std::string();
}

std::string blockOffsets(const Frame &frame, const ast::Expr &address) {
  return offsetsOf(frame, address, 0);
}

/// Fails for a store that has its mask where the value belongs, and the value where the mask does:
/// `tl.store(p, mask, x)`.
static void checkExchanged(BuiltinCall &call, size_t parameter, const Tensor &mask) {
  if (std::string_view(call.builtin.name) != "store" || parameter != 2)
    return;
  const Frame &frame = call.emitter.frame();
  const Tensor *value = call[1].tensor();
  const std::string first(call.text(1)), second(call.text(2)), pointer(call.text(0));
  const SourceRange from = call.rangeOf(1), to = call.rangeOf(2);
  const bool areInOrder = from.end < to.begin && from.file == to.file;
  if (!value || value->type.isPointer() || value->dtype() != DType::Int1 || first.empty() ||
      second.empty() || pointer.empty() || !areInOrder ||
      sourceText(frame, {from.end, to.begin, from.file}).find('=') != std::string_view::npos)
    return;
  std::string exchanged = second + ", " + first;
  call.fail(
      parameter, DiagnosticKind::TypeMismatch,
      Message("`tl.store` takes the value before the mask: `{}` of type {} is not a mask, and "
              "`{}` is one",
              second, mask.type, first),
      {"the order is `tl.store(" + pointer + ", " + exchanged + ")`"},
      rewriteFix(frame, from, to, exchanged));
}

void failMask(BuiltinCall &call, size_t parameter, const Tensor &mask) {
  checkExchanged(call, parameter, mask);
  const Frame &frame = call.emitter.frame();
  const std::string given(call.text(parameter));
  const auto *function = frame.function;
  const auto *address = function ? nodeAt<ast::Expr>(*function, call.rangeOf(0)) : nullptr;
  const std::string offsets = address ? blockOffsets(frame, *address) : std::string();
  const bool isName = function && nodeAt<ast::Name>(*function, call.rangeOf(parameter));
  const bool hasIntegers = !mask.type.isPointer() && isInteger(mask.dtype());
  if (isName && hasIntegers && !mask.isBlock() && !given.empty()) {
    const std::string code = (offsets.empty() ? "offsets" : offsets) + " < " + given;
    const SourceRange range = call.rangeOf(parameter);
    call.fail(
        parameter, DiagnosticKind::TypeMismatch,
        Message("`{}` is a number: a mask says for each element whether it counts: `mask={}`",
                given, code)
            .wants(DType::Int1),
        {}, offsets.empty() ? std::vector<DiagnosticFix>() : rewriteFix(frame, range, range, code));
  }
  const ArrayName count = function ? elementCount(frame) : ArrayName{"n", true};
  const bool isOfOffsets = isName && hasIntegers && !given.empty() && given == offsets;
  const bool isKnown = !offsets.empty() && function && (isOfOffsets || !count.isNew);
  const std::string comparison = isKnown ? offsets + " < " + count.name : "offsets < n";
  const bool areData = isName && mask.isBlock() && !mask.type.isPointer() && !isOfOffsets;
  call.fail(parameter, DiagnosticKind::TypeMismatch,
            Message("mask must have boolean scalar type, got {}", mask.type).wants(DType::Int1),
            {"a mask is a comparison, as in `" + comparison + "`" +
             (areData ? ", or `" + given + " != 0` for the elements where `" + given + "` is not 0"
                      : std::string())});
}

} // namespace tilescope::compiler::frontend
