// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads and stores through pointers and block pointers.
#include "compiler/frontend/builtins/Memory.h"

#include "compiler/frontend/ForgottenLoad.h"
#include "compiler/frontend/MaskAdvice.h"
#include "compiler/frontend/NegativeRemainder.h"
#include "compiler/frontend/PlaceAdvice.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/StartValue.h"
#include "compiler/frontend/WholeReduction.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::compiler::frontend {

static tt::CacheModifier cacheModifier(BuiltinCall &call, size_t parameter, bool isStore) {
  std::string text = call.string(parameter);
  using Modifier = tt::CacheModifier;
  auto modifier = llvm::StringSwitch<std::optional<Modifier>>(text)
                      .Case("", Modifier::NONE)
                      .Case(".cg", Modifier::CG)
                      .Case(".cs", Modifier::CS)
                      .Default(std::nullopt);
  if (!modifier && isStore)
    modifier = llvm::StringSwitch<std::optional<Modifier>>(text)
                   .Case(".wb", Modifier::WB)
                   .Case(".wt", Modifier::WT)
                   .Default(std::nullopt);
  else if (!modifier)
    modifier = llvm::StringSwitch<std::optional<Modifier>>(text)
                   .Case(".ca", Modifier::CA)
                   .Case(".cv", Modifier::CV)
                   .Default(std::nullopt);
  if (!modifier)
    call.fail(parameter, DiagnosticKind::BadArgument,
              "cache modifier \"" + text + "\" not supported by " + call.name(),
              {isStore ? "there are \".wb\", \".cg\", \".cs\" and \".wt\""
                       : "there are \".ca\", \".cg\", \".cs\" and \".cv\""});
  return *modifier;
}

static tt::EvictionPolicy evictionPolicy(BuiltinCall &call, size_t parameter) {
  std::string text = call.string(parameter);
  auto policy = llvm::StringSwitch<std::optional<tt::EvictionPolicy>>(text)
                    .Cases({"", "evict_normal"}, tt::EvictionPolicy::NORMAL)
                    .Case("evict_first", tt::EvictionPolicy::EVICT_FIRST)
                    .Case("evict_last", tt::EvictionPolicy::EVICT_LAST)
                    .Default(std::nullopt);
  if (!policy)
    call.fail(parameter, DiagnosticKind::BadArgument,
              "eviction policy \"" + text + "\" not supported",
              {"there are \"evict_first\" and \"evict_last\""});
  return *policy;
}

/// Where the launch block passes a number for the argument: what to write there instead.
static std::vector<DiagnosticFix> arrayFix(BuiltinCall &call) {
  const Frame &frame = call.emitter.frame();
  const std::string name(call.text(0));
  if (name.empty() || !frame.module->tree)
    return {};
  std::optional<SourceRange> line = launchBlockKey(*frame.module->tree, name);
  if (!line)
    return {};
  for (const SourceRange &comment : frame.module->tree->comments)
    if (comment.begin.line == line->begin.line)
      line->end = comment.end;
  return {{*line, name + " = { dtype = \"fp32\", shape = [1] }",
           "make `" + name + "` an array of one element in the launch block"}};
}

/// `tl.store(value, pointer)`
static void checkExchanged(BuiltinCall &call, const Tensor &given) {
  const bool isStore = parametersOf(call.builtin)[1].name == "value";
  const Tensor *other = isStore ? call[1].tensor() : nullptr;
  const std::string own(call.receiver()), address(call.text(1));
  const std::string value = own.empty() ? std::string(call.text(0)) : own;
  if (!other || !other->type.isPointer() || value.empty() || address.empty() ||
      call.rangeOf(1).begin < call.rangeOf(0).begin)
    return;
  const std::string exchanged = address + ", " + value;
  // Of `v.store(p)` the whole call is written anew, if it has nothing else.
  const bool isAll = std::string(call.text(0)) == own + ".store(" + address + ")";
  const Frame &frame = call.emitter.frame();
  std::vector<DiagnosticFix> fixes;
  if (own.empty())
    fixes = rewriteFix(frame, call.rangeOf(0), call.rangeOf(1), exchanged);
  else if (isAll)
    fixes = rewriteFix(frame, call.range, call.range, "tl.store(" + exchanged + ")");
  call.fail(0, DiagnosticKind::TypeMismatch,
            Message("`tl.store` takes the pointer first, and then the value, which `{}` of type "
                    "`{}` is",
                    value, given.type)
                .needs(Need::Pointer),
            {}, fixes);
}

static void requirePointer(BuiltinCall &call, const Tensor &pointer) {
  if (pointer.type.isPointer())
    return;
  checkExchanged(call, pointer);
  std::vector<DiagnosticFix> fixes =
      pointer.isBlock() ? std::vector<DiagnosticFix>() : arrayFix(call);
  std::vector<std::string> notes;
  if (pointer.type.isBlock() && isInteger(pointer.dtype()))
    notes.push_back("add the offsets to a pointer argument");
  if (!fixes.empty())
    notes.push_back("the launch block passes a number for it, in line " +
                    std::to_string(fixes.front().range.begin.line + 1));
  call.fail(0, DiagnosticKind::TypeMismatch,
            Message("unsupported ptr type `{}` in `tl.{}`: a pointer is needed", pointer.type,
                    call.builtin.name)
                .needs(Need::Pointer),
            std::move(notes), std::move(fixes));
}

/// Memory holds an `int1` as a byte.
static Tensor asMemory(BuiltinCall &call, const Tensor &pointer) {
  if (pointer.type.scalar.pointee() != ScalarType{DType::Int1})
    return pointer;
  ScalarType bytes = ScalarType{DType::Int8}.pointerTo(pointer.type.scalar.isConst,
                                                       pointer.type.scalar.addressSpace);
  return call.ops.cast(pointer, bytes);
}

/// What is read or written together with the pointers must fit their shape; `isFixed`: and may not
/// enlarge it.
static void requireFit(BuiltinCall &call, size_t parameter, const Tensor &value,
                       const Tensor &pointer, bool isFixed) {
  const Shape &given = value.type.shape, &wanted = pointer.type.shape;
  const size_t rank = std::max(given.size(), wanted.size());
  const auto extent = [&](const Shape &shape, size_t dim) {
    const size_t missing = rank - shape.size();
    return dim < missing ? 1 : shape[dim - missing];
  };
  // Scalars fit everything, and broadcasting handles different ranks.
  if (given.empty() || wanted.empty() || (isFixed && given.size() != wanted.size()))
    return;
  for (size_t dim = 0; dim < rank; ++dim) {
    const int64_t a = extent(given, dim), b = extent(wanted, dim);
    if (a == b || a == 1 || (b == 1 && !isFixed))
      continue;
    ShapeAdvice advice = isFixed && parameter == 1 ? valueOfShape(call, parameter, wanted)
                                                   : transposedOfShape(call, parameter, wanted);
    call.fail(
        parameter, DiagnosticKind::ShapeMismatch,
        Message("`{}` of shape {} does not fit the pointers' shape {}: incompatible dimensions at "
                "index {}, {} and {}",
                parametersOf(call.builtin)[parameter].name, given, wanted, dim, a, b)
            .extents(a, b),
        std::move(advice.notes), std::move(advice.fixes));
  }
}

static Tensor maskArgument(BuiltinCall &call, size_t parameter, const Tensor &pointer) {
  Tensor mask = call.tensor(parameter);
  if (mask.isBlock() && !pointer.isBlock()) {
    if (parameter == 2)
      checkNeedlessMask(call, 1, 2);
    failOneAddress(call, parameter, parameter);
  }
  if (mask.type.isPointer() || mask.dtype() != DType::Int1)
    failMask(call, parameter, mask);
  return mask;
}

Tensor emitLoad(BuiltinCall &call, Tensor pointer, std::optional<Tensor> mask,
                std::optional<Tensor> other, const LoadOptions &options) {
  TensorOps &ops = call.ops;
  ScalarType pointee = pointer.type.scalar.pointee();
  bool isBool = pointee == ScalarType{DType::Int1};
  pointer = asMemory(call, pointer);
  ScalarType element = pointer.type.scalar.pointee();
  // The largest of the shapes wins.
  if (mask)
    ops.broadcastTogether(pointer, *mask);
  if (other) {
    ops.broadcastTogether(pointer, *other);
    if (mask)
      ops.broadcastTogether(pointer, *mask);
    other = ops.cast(*other, element);
  }
  Type type = pointer.type.with(element);
  auto load = ops.create<tt::LoadOp>(pointer.handle, mask ? mask->handle : mlir::Value(),
                                     other ? other->handle : mlir::Value(), options.cache,
                                     options.eviction, options.isVolatile);
  Tensor result{load, type};
  return isBool ? ops.cast(result, ScalarType{DType::Int1}) : result;
}

/// `[64, 1]` at `[64]`: a column has as many elements as there are addresses, and another shape.
static void failRowOrColumn(BuiltinCall &call, const Tensor &value, const Tensor &pointer) {
  const Shape &given = value.type.shape, &wanted = pointer.type.shape;
  if (given.size() != 2 || wanted.size() != 1 || value.type.numElements() != wanted[0] ||
      (given[0] != 1 && given[1] != 1))
    return;
  const size_t parameter = call[1].tensor() && call[1].tensor()->type.shape == given ? 1 : 2;
  const std::string text(call.text(parameter));
  const Frame &frame = call.emitter.frame();
  const std::string code = "tl.reshape(" + text + ", [" + extentCode(frame, wanted[0]) + "])";
  const SourceRange range = call.rangeOf(parameter);
  const bool isFixed = !text.empty() && hasLanguageName(frame);
  call.fail(parameter, DiagnosticKind::ShapeMismatch,
            Message("`{}` of shape {} is a {}, and does not fit the pointers' shape {}",
                    text.empty() ? parametersOf(call.builtin)[parameter].name : text, given,
                    given[1] == 1 ? "column" : "row", wanted),
            {"the same elements as a block with one dimension are `" +
             (text.empty() ? std::string("tl.reshape(x, [BLOCK])") : code) + "`"},
            isFixed ? rewriteFix(frame, range, range, code) : std::vector<DiagnosticFix>());
}

/// The stored value takes the pointer's shape, and does not enlarge it.
static Tensor inPointersShape(BuiltinCall &call, Tensor value, const Tensor &pointer) {
  Tensor place = pointer;
  const Tensor given = value;
  call.ops.broadcastTogether(value, place);
  if (place.type.shape != pointer.type.shape)
    failRowOrColumn(call, given, pointer);
  if (place.type.shape != pointer.type.shape)
    checkColumnOfPointers(call, given.type.shape, pointer.type.shape);
  if (place.type.shape != pointer.type.shape)
    call.fail(0, DiagnosticKind::ShapeMismatch,
              {"expected the pointer argument to have shape {} but got {}", place.type.shape,
               pointer.type.shape},
              place.type.shape.size() == 2 && pointer.type.shape.size() == 1
                  ? std::vector<std::string>{"a block of two dimensions goes to offsets with two: "
                                             "`i[:, None]` for those that go down, `j[None, :]` "
                                             "for those that go right"}
                  : std::vector<std::string>());
  return value;
}

void emitStore(BuiltinCall &call, Tensor pointer, Tensor value, std::optional<Tensor> mask,
               tt::CacheModifier cache, tt::EvictionPolicy eviction) {
  TensorOps &ops = call.ops;
  ScalarType pointee = pointer.type.scalar.pointee();
  if (pointee == ScalarType{DType::Int1})
    value = ops.cast(value, ScalarType{DType::Int1});
  pointer = asMemory(call, pointer);
  if (pointer.isBlock()) {
    value = inPointersShape(call, value, pointer);
    if (mask)
      mask = inPointersShape(call, *mask, pointer);
  }
  value = ops.cast(value, pointer.type.scalar.pointee());
  ops.create<tt::StoreOp>(pointer.handle, value.handle, mask ? mask->handle : mlir::Value(), cache,
                          eviction);
}

static Value load(BuiltinCall &call) {
  LoadOptions options{cacheModifier(call, 5, false), evictionPolicy(call, 6), call.boolean(7)};
  if (const BlockPointer *pointer = call[0].blockPointer())
    return loadBlock(call, *pointer, options);
  Tensor pointer = call.tensor(0);
  requirePointer(call, pointer);
  if (call.isNone(1) && !call.isNone(2))
    call.fail(2, DiagnosticKind::BadArgument, "`other` cannot be provided without `mask`");
  if (!call.integers(3).empty() || !call.string(4).empty())
    call.fail(call.isGiven(3) ? 3 : 4, DiagnosticKind::BadArgument,
              "`padding_option` or `boundary_check` argument is not supported for loading a tensor "
              "of pointers or loading a scalar");
  std::optional<Tensor> mask, other;
  if (!call.isNone(1)) {
    mask = maskArgument(call, 1, pointer);
    requireFit(call, 1, *mask, pointer, false);
  }
  if (!call.isNone(2)) {
    other = call.tensor(2);
    requireFit(call, 2, *other, pointer, false);
    if (other->isBlock() && !pointer.isBlock())
      failOneAddress(call, 2, 1);
    // A number becomes one of the element's type at once.
    ScalarType element = asMemory(call, pointer).type.scalar.pointee();
    if (call[2].isNumber() && !element.isPointer())
      other = call.ops.constantOf(*call[2].constant(), element.dtype);
  }
  warnNegativeAddress(call, pointer, mask);
  return emitLoad(call, pointer, mask, other, options);
}

/// `tl.store(c, a + b)` of two pointers: what lies there was meant. Memory that holds addresses has
/// them as integers of 64 bits.
static void refuseAddress(BuiltinCall &call, const Tensor &value, const ScalarType &element) {
  if (!value.type.isPointer() || element.bits() == 64)
    return;
  const std::string given(call.text(1));
  call.fail(1, DiagnosticKind::TypeMismatch,
            Message("the value to store, {} of type `{}`, is an address",
                    given.empty() ? std::string("a pointer") : "`" + given + "`", value.type),
            {"arguments that are arrays are pointers: load their elements first, as in "
             "`tl.load(x_ptr + offsets)`, and compute with what was loaded"});
}

static Value store(BuiltinCall &call) {
  tt::CacheModifier cache = cacheModifier(call, 4, true);
  tt::EvictionPolicy eviction = evictionPolicy(call, 5);
  if (const BlockPointer *pointer = call[0].blockPointer()) {
    storeBlock(call, *pointer, cache, eviction);
    return {};
  }
  Tensor pointer = call.tensor(0);
  requirePointer(call, pointer);
  if (pointer.type.scalar.isConst)
    call.fail(0, DiagnosticKind::TypeMismatch, "cannot store to a constant pointer");
  if (call[3].isNumber() || call[3].tensor())
    call.fail(3, DiagnosticKind::BadArgument,
              "a store has no `other`: elements that its `mask` leaves out are not written",
              {"leave the argument out"});
  if (!call.integers(3).empty())
    call.fail(3, DiagnosticKind::BadArgument,
              "`boundary_check` argument is not supported for storing a tensor of pointers");
  Tensor value = call.tensor(1);
  ScalarType element = pointer.type.scalar.pointee();
  refuseAddress(call, value, element);
  if (call[1].isNumber() && !element.isPointer() && element.dtype != DType::Int1)
    value = call.ops.constantOf(*call[1].constant(), element.dtype);
  if (value.isBlock() && !pointer.isBlock())
    failOneAddress(call, 1, 2);
  requireFit(call, 1, value, pointer, true);
  std::optional<Tensor> mask;
  if (!call.isNone(2)) {
    mask = maskArgument(call, 2, pointer);
    requireFit(call, 2, *mask, pointer, true);
  }
  warnForgottenLoad(call, pointer, value);
  warnWholeReduction(call, pointer, value);
  warnNegativeAddress(call, pointer, mask);
  noteRoundedValue(call, value, mask);
  emitStore(call, pointer, value, mask, cache, eviction);
  return {};
}

std::span<const Builtin> memoryBuiltins() {
  static const Builtin builtins[] = {
      {"load",
       "pointer, mask=None, other=None, boundary_check=(), padding_option=\"\", "
       "cache_modifier=\"\", eviction_policy=\"\", volatile=False",
       load},
      {"store",
       "pointer, value, mask=None, boundary_check=(), cache_modifier=\"\", eviction_policy=\"\"",
       store, true},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
