// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The programming model, creation of blocks, casts.
#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/IndexAdvice.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>
#include <limits>

namespace tilescope::compiler::frontend {

/// `tl.program_id("x")`: axes are numbered.
static void checkNamedAxis(BuiltinCall &call) {
  const constant::Value *value = call[0].constant();
  const std::string name = value && value->isStr() ? value->str() : std::string();
  const size_t axis = std::string_view("xyz").find(name.empty() ? '?' : name.front());
  if (name.size() != 1 || axis == std::string_view::npos)
    return;
  const std::string number = std::to_string(axis), advice = "write `" + number + "`";
  call.fail(0, DiagnosticKind::BadArgument,
            "the axes of a grid are numbered: axis " + name + " is " + number, {},
            {{call.rangeOf(0), number, advice}});
}

static int gridAxis(BuiltinCall &call) {
  checkNamedAxis(call);
  int64_t axis = call.integer(0);
  if (axis < 0 || axis > 2)
    call.fail(0, DiagnosticKind::BadArgument,
              std::string(call.builtin.name) + " axis must be 0, 1, or 2 but got " +
                  std::to_string(axis));
  return static_cast<int>(axis);
}

static Value programId(BuiltinCall &call) {
  return call.ops.wrap(call.ops.create<tt::GetProgramIdOp>(gridAxis(call)), DType::Int32);
}

static Value numPrograms(BuiltinCall &call) {
  return call.ops.wrap(call.ops.create<tt::GetNumProgramsOp>(gridAxis(call)), DType::Int32);
}

/// Whether the launch block has the name in the shape of an array: then it is more than the extent of
/// a block.
static bool isSizeOfData(const Frame &frame, std::string_view name) {
  if (name.empty() || !frame.module->tree)
    return false;
  const ast::SyntaxTree &tree = *frame.module->tree;
  return std::ranges::any_of(tree.comments, [&](const SourceRange &comment) {
    const std::string_view text = tree.text(comment);
    return text.find("shape") != text.npos &&
           text.find("\"" + std::string(name) + "\"") != text.npos;
  });
}

/// The sum of which a call is the one side and a product with `number` the other: `pid * 100 +
/// tl.arange(0, 100)`. Null where there is none.
static const ast::BinOp *sumWithProduct(const Frame &frame, const SourceRange &call,
                                        int64_t number) {
  const ast::BinOp *found = nullptr;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *sum = ast::as<ast::BinOp>(&node);
      const auto *product =
          sum && sum->op == ast::BinaryOpKind::Add ? ast::as<ast::BinOp>(sum->left) : nullptr;
      const auto *factor = product && product->op == ast::BinaryOpKind::Mult
                               ? ast::as<ast::Constant>(product->right)
                               : nullptr;
      if (factor && factor->intValue == number && sum->right->range.begin == call.begin &&
          sum->right->range.end == call.end)
        found = sum;
      return !found;
    });
  return found;
}

/// Takes another size of blocks: where these lie one behind the other, it says how far apart, too.
static std::vector<DiagnosticFix> blockSizeFixes(const BuiltinCall &call, int64_t extent,
                                                 int64_t power) {
  const Frame &frame = call.emitter.frame();
  const std::vector<DiagnosticFix> plain = numberFixes(frame, call.rangeOf(1), extent, power);
  const ast::BinOp *sum = sumWithProduct(frame, call.range, extent);
  if (!sum)
    return plain;
  const ArrayName block = blockName(frame);
  const std::string size = block.isNew || block.isPlain ? std::to_string(power) : block.name;
  const SourceRange product = call.emitter.fileRange(ast::as<ast::BinOp>(sum->left)->left->range);
  const SourceRange callee = call.emitter.fileRange(ast::as<ast::Call>(sum->right)->func->range);
  const std::string code = std::string(sourceText(frame, product)) + " * " + size + " + " +
                           std::string(sourceText(frame, callee)) + "(0, " + size + ")";
  std::vector<DiagnosticFix> fixes = rewriteFix(frame, product, call.range, code);
  return fixes.empty() ? plain : fixes;
}

[[noreturn]] static void failNoPower(BuiltinCall &call, int64_t start, int64_t end) {
  const int64_t extent = end - start;
  const auto power = static_cast<int64_t>(llvm::NextPowerOf2(static_cast<uint64_t>(extent)));
  const std::string message =
      "arange's range must be a power of 2, but is " + std::to_string(extent);
  if (start != 0)
    call.fail(1, DiagnosticKind::BadShape,
              message + ", from " + std::to_string(start) + " to " + std::to_string(end),
              {"begin at 0, add the offset to the block, and mask what is beyond"});
  const std::string name(call.text(1));
  std::vector<std::string> notes = {"take the next power of 2, " + std::to_string(power) +
                                    ", and mask what is beyond"};
  std::vector<DiagnosticFix> fixes;
  if (isSizeOfData(call.emitter.frame(), name))
    notes.push_back("`" + name +
                    "` is a size of the data, too, and stays: add a parameter `BLOCK: "
                    "tl.constexpr` of " +
                    std::to_string(power) + ", and write `tl.arange(0, BLOCK)` and `mask=… < " +
                    name + "`");
  else
    fixes = blockSizeFixes(call, extent, power);
  call.fail(1, DiagnosticKind::BadShape, message, std::move(notes), std::move(fixes));
}

static Value arange(BuiltinCall &call) {
  for (size_t i : {0, 1})
    if (!call[i].constant())
      failIndices(call, i);
  int64_t start = call.integer(0), end = call.integer(1);
  if (end <= start)
    call.fail(1, DiagnosticKind::BadArgument,
              "arange's end argument must be greater than the start argument, but the range is " +
                  std::to_string(start) + " to " + std::to_string(end));
  if (start < std::numeric_limits<int32_t>::min() || end > std::numeric_limits<int32_t>::max())
    call.fail(1, DiagnosticKind::BadArgument, "arange must fit in int32");
  int64_t extent = end - start;
  if ((extent & (extent - 1)) != 0)
    failNoPower(call, start, end);
  Emitter::Range place(call.emitter, call.rangeOf(1));
  call.ops.checkShape({extent});
  Type type(ScalarType{DType::Int32}, {extent});
  Emitter::Range whole(call.emitter, call.range);
  return call.ops.wrap(call.ops.create<tt::MakeRangeOp>(call.ops.mlirType(type),
                                                        static_cast<uint32_t>(start),
                                                        static_cast<uint32_t>(end)),
                       type);
}

static Value full(BuiltinCall &call) {
  Shape shape = call.shape(0);
  if (call.isNone(2))
    call.fail(2, DiagnosticKind::BadArgument, "dtype must be specified when value is not a tensor");
  ScalarType type = call.dtype(2);
  Tensor scalar;
  if (call[1].isNumber()) {
    scalar = type.isPointer() ? call.ops.cast(call.tensor(1), type)
                              : call.ops.constantOf(*call[1].constant(), type.dtype);
  } else {
    scalar = call.tensor(1);
    if (scalar.isBlock()) {
      if (scalar.type.numElements() != 1)
        call.fail(1, DiagnosticKind::BadArgument, "only accepts size-1 tensor");
      scalar = call.ops.unsplat(scalar);
    }
    scalar = call.ops.cast(scalar, type);
  }
  return call.ops.splat(scalar, shape);
}

static Value cast(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  ScalarType type = call.dtype(1);
  if (call.boolean(3))
    return call.ops.bitcast(value, type);
  return call.ops.cast(value, type, call.string(2));
}

static Value toTensor(BuiltinCall &call) { return call.tensor(0); }

/// `tl.add(x, y)`: the operators as functions. The debug check for overflow can be left out here.
static Value arithmetic(BuiltinCall &call, ast::BinaryOpKind op) {
  if (call[0].isConstexpr() && call[1].isConstexpr())
    return call.emitter.binary(op, call[0], call[1]);
  if (call.boolean(2))
    return call.ops.binary(op, call[0], call[1]);
  return call.ops.withoutOverflowChecks([&] { return call.ops.binary(op, call[0], call[1]); });
}
static Value add(BuiltinCall &call) { return arithmetic(call, ast::BinaryOpKind::Add); }
static Value sub(BuiltinCall &call) { return arithmetic(call, ast::BinaryOpKind::Sub); }
static Value mul(BuiltinCall &call) { return arithmetic(call, ast::BinaryOpKind::Mult); }

static Value logicalAnd(BuiltinCall &call) {
  return call.ops.logical(ast::BoolOpKind::And, call[0], call[1]);
}
static Value logicalOr(BuiltinCall &call) {
  return call.ops.logical(ast::BoolOpKind::Or, call[0], call[1]);
}

/// The integer type of that width.
static Value integerType(BuiltinCall &call) {
  int64_t bits = call.integer(0);
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    call.fail(0, DiagnosticKind::BadArgument,
              "there is no integer type of " + std::to_string(bits) + " bits");
  DType type = bits == 1 ? DType::Int1 : integerOf(static_cast<int>(bits), call.boolean(1));
  return constant::Value::dtype(constant::DType::of(type));
}

/// `expect_zero` is a debugging aid, and constexprs are never wrapped here.
static Value itself(BuiltinCall &call) { return call[0]; }

std::span<const Builtin> programBuiltins() {
  static const Builtin builtins[] = {
      {"program_id", "axis", programId},
      {"num_programs", "axis", numPrograms},
      {"arange", "start, end", arange},
      {"full", "shape, value, dtype", full},
      {"cast", "input, dtype, fp_downcast_rounding=None, bitcast=False", cast, true},
      {"to", "self, dtype, fp_downcast_rounding=None, bitcast=False", cast, true},
      {"to_tensor", "x", toTensor},
      {"add", "x, y, sanitize_overflow=True", add},
      {"sub", "x, y, sanitize_overflow=True", sub},
      {"mul", "x, y, sanitize_overflow=True", mul},
      {"logical_and", "self, other", logicalAnd, true},
      {"logical_or", "self, other", logicalOr, true},
      {"get_int_dtype", "bitwidth, signed", integerType},
      {"expect_zero", "x, mask", itself},
      {"_unwrap_if_constexpr", "x", itself},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
