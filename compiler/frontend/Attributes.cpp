// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What attributes stand for: those of blocks, tuples, descriptors, modules and types.
#include "compiler/constant/Builtins.h"
#include "compiler/frontend/CallChain.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/HostEnvironment.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/MistakenNames.h"
#include "compiler/frontend/Suggestions.h"

#include <array>
#include <tuple>

namespace tilescope::compiler::frontend {

static constexpr const char *kTwoDimensions =
    "offsets with two dimensions load a block of two: `i[:, None]` for those that go down, "
    "`j[None, :]` for those that go right";

/// `x.dtype`, `x.shape`, … of a run-time value.
static std::optional<Value> tensorAttribute(Emitter &emitter, const Tensor &tensor,
                                            std::string_view name) {
  if (name == "dtype")
    return Value(constant::Value::dtype(constant::DType::of(tensor.type.scalar)));
  if (name == "type") {
    constant::DType scalar = constant::DType::of(tensor.type.scalar);
    if (!tensor.isBlock())
      return Value(constant::Value::dtype(scalar));
    return Value(constant::Value::dtype(
        constant::DType::block(scalar, {tensor.type.shape.begin(), tensor.type.shape.end()})));
  }
  if (name == "shape") {
    std::vector<Value> extents;
    for (int64_t extent : tensor.type.shape)
      extents.push_back(Value::integer(extent));
    return Value::tuple(std::move(extents));
  }
  if (name == "numel")
    return Value::integer(tensor.type.numElements());
  if (name == "T") {
    if (tensor.type.shape.size() != 2)
      emitter.failAt(emitter.currentRange(), DiagnosticKind::BadArgument,
                     Message("`.T` needs a block of rank 2, got {}", tensor.type).needs(Need::Rank),
                     tensor.type.shape.size() == 1 ? std::vector<std::string>{kTwoDimensions}
                                                   : std::vector<std::string>());
    return Value(emitter.ops.permute(tensor, {1, 0}));
  }
  return std::nullopt;
}

static Value tupleOf(const std::vector<Tensor> &tensors) {
  return Value::tuple({tensors.begin(), tensors.end()});
}

/// `tl.dtype.KIND.INTEGRAL` and the like, which are numbers here.
static std::optional<Value> dtypeEnumeration(const TypeObject &type, std::string_view name) {
  static constexpr std::array<std::tuple<std::string_view, std::string_view, int>, 5> kMembers{
      {{"dtype.SIGNEDNESS", "SIGNED", 0},
       {"dtype.SIGNEDNESS", "UNSIGNED", 1},
       {"dtype.KIND", "BOOLEAN", 0},
       {"dtype.KIND", "INTEGRAL", 1},
       {"dtype.KIND", "FLOATING", 2}}};
  for (const auto &[enumeration, member, number] : kMembers)
    if (type.name == enumeration && name == member)
      return Value::integer(number);
  if (type.name == "dtype" && (name == "SIGNEDNESS" || name == "KIND"))
    return Value(
        constant::Value::extension(std::make_shared<TypeObject>("dtype." + std::string(name))));
  return std::nullopt;
}

static bool isDecorator(std::string_view module, std::string_view name) {
  return module == "triton" && (name == "jit" || name == "autotune" || name == "heuristics");
}

/// That a function which comes along with the compiler was given something that is no block.
static Message notABlock(const Frame &frame, const Value &given) {
  return Message("`{}` needs a block, got {}", calledName(frame, frame.function->name), given)
      .needs(Need::Block);
}

static Message missingMember(const Value &base, std::string_view name) {
  if (base.constant())
    if (const auto *module = base.constant()->as<ModuleObject>())
      return isDecorator(module->path, name)
                 ? Message("`triton.{}` decorates functions: a kernel cannot use it", name)
                 : Message("module `{}` has no attribute `{}`", module->path, name)
                       .needs(Need::Import);
  // Only pointers have an element type.
  return Message("{} has no attribute `{}`", base, name)
      .needs(name == "element_ty" ? Need::Pointer : Need::Nothing);
}

Value Emitter::attribute(const Value &base, std::string_view name, SourceRange nameRange) {
  std::optional<Value> found;
  if (const Tensor *tensor = base.tensor()) {
    found = tensorAttribute(*this, *tensor, name);
  } else if (const TupleValue *tuple = base.asTuple()) {
    for (size_t i = 0; i < tuple->fields.size(); ++i)
      if (tuple->fields[i] == name)
        found = tuple->items[i];
    if (const ClassObject *type = found ? nullptr : classOf(base))
      found = classMember(*type, name);
  } else if (const TensorDescriptor *descriptor = base.descriptor()) {
    const Type &block = descriptor->blockType;
    if (name == "shape")
      found = tupleOf(descriptor->shape);
    else if (name == "strides")
      found = tupleOf(descriptor->strides);
    else if (name == "dtype")
      found = Value(constant::Value::dtype(constant::DType::of(block.scalar)));
    else if (name == "block_shape") {
      std::vector<Value> extents;
      for (int64_t extent : block.shape)
        extents.push_back(Value::integer(extent));
      found = Value::tuple(std::move(extents));
    } else if (name == "type" || name == "block_type") {
      found = Value(constant::Value::dtype(constant::DType::block(
          constant::DType::of(block.scalar), {block.shape.begin(), block.shape.end()})));
    }
  } else if (const BlockPointer *pointer = base.blockPointer()) {
    if (name == "dtype" || name == "type")
      found = Value(constant::Value::dtype(constant::DType::pointerTo(
          constant::DType::block(constant::DType::of(pointer->base.type.scalar.pointee()),
                                 {pointer->blockShape.begin(), pointer->blockShape.end()}))));
  } else if (const constant::Value *value = base.constant()) {
    if (const auto *module = value->as<ModuleObject>())
      found = member(*module, name);
    else if (const auto *source = value->as<SourceModuleObject>())
      found = global(source->module, name);
    else if (const auto *type = value->as<ClassObject>())
      found = classMember(*type, name);
    else if (const auto *type = value->as<TypeObject>();
             type && type->name == "PropagateNan" && (name == "NONE" || name == "ALL"))
      found = Value(constant::Value::string(name == "ALL" ? "all" : "none"));
    else if (type && type->name.starts_with("dtype"))
      found = dtypeEnumeration(*type, name);
    else if (name == "value" && !value->isExtension())
      found = base;
    else if (!value->isExtension())
      if (constant::ValueOrError result = constant::getAttribute(*value, name))
        found = Value(*result);
  }
  if (found)
    return *found;
  if (const auto *module = base.constant() ? base.constant()->as<ModuleObject>() : nullptr;
      module && !module->isKnown()) {
    std::string path = module->path + "." + std::string(name);
    if (std::optional<Value> shimmed = shimmedLibdevice(path))
      return *shimmed;
    if (asksForDevice(path))
      return moduleValue(std::move(path));
    failImport(path);
  }
  if (const auto *module = base.constant() ? base.constant()->as<ModuleObject>() : nullptr)
    if (std::optional<Diagnostic> misspelled = misspelledModule(*m_frame, module->path)) {
      // It is said once, of the import, and not of each use.
      if (isReported(*misspelled))
        throw PoisonUsed{};
      throw Failure{std::move(*misspelled)};
    }
  // Nothing is typed behind the dot yet, which the parser has said.
  if (name.empty())
    throw PoisonUsed{};
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnknownAttribute;
  diagnostic.range = nameRange;
  const bool isCalled = m_frame->module->isPrelude && m_frame->function && m_frame->caller;
  if (isCalled && base.asTuple()) {
    diagnostic.kind = DiagnosticKind::TypeMismatch;
    notABlock(*m_frame, base).writeTo(diagnostic);
    throw Failure{std::move(diagnostic)};
  }
  missingMember(base, name).writeTo(diagnostic);
  if (!isReported(diagnostic))
    explainMember(diagnostic, base, name, *m_frame);
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
