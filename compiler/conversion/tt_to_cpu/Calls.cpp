// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Calls.h"

#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilescope::compiler::interpreter;

namespace tilescope::cpu {

static constexpr StringLiteral kPrintsAttr = "tt.prints", kAssembliesAttr = "tt.assemblies";

/// Floats of 8 bits are their bits, or have become wider, by now.
static Element heldElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    switch (integer.getWidth()) {
    case 1:
      return Element::I1;
    case 8:
      return Element::I8;
    case 16:
      return Element::I16;
    case 32:
      return Element::I32;
    default:
      return Element::I64;
    }
  return element.isF16()    ? Element::F16
         : element.isBF16() ? Element::BF16
         : element.isF32()  ? Element::F32
         : element.isF64()  ? Element::F64
                            : Element::Pointer;
}

/// An integer that takes as many bytes: assembly sees bits alone.
static Element bitsOf(Type type) {
  const Element element = heldElement(type);
  switch (element == Element::I1 ? 0 : memorySize(element)) {
  case 0:
    return Element::I1;
  case 1:
    return Element::I8;
  case 2:
    return Element::I16;
  case 4:
    return Element::I32;
  default:
    return Element::I64;
  }
}

static AssemblySource sourceOf(tt::ElementwiseInlineAsmOp op) {
  AssemblySource source{.text = op.getAsmString().str(),
                        .constraints = op.getConstraints().str(),
                        .pack = static_cast<size_t>(op.getPackedElement()),
                        .results = {},
                        .arguments = {}};
  llvm::append_range(source.results, llvm::map_range(op->getResultTypes(), bitsOf));
  llvm::append_range(source.arguments, llvm::map_range(op->getOperandTypes(), bitsOf));
  return source;
}

std::string assemblyFault(tt::ElementwiseInlineAsmOp op) {
  return parseInlineAssembly(sourceOf(op)).error;
}

void KernelLowering::callProcess(StringRef function, size_t number, ArrayRef<Value> arrays) {
  OpBuilder &b = m_builder;
  Type word = b.getI64Type(), pointer = LLVM::LLVMPointerType::get(b.getContext());
  const auto count = static_cast<int64_t>(arrays.size());
  Value all = allocate(RankedTensorType::get({std::max<int64_t>(count, 1)}, word)).base;
  for (auto [index, array] : llvm::enumerate(arrays)) {
    Value place = arith::ConstantIntOp::create(b, m_loc, static_cast<int64_t>(index), 64);
    LLVM::StoreOp::create(b, m_loc, array, elementAddress(b, m_loc, all, place, word));
  }
  auto callee = LLVM::lookupOrCreateFn(b, m_module, function, {pointer, b.getI32Type(), pointer},
                                       LLVM::LLVMVoidType::get(b.getContext()));
  Value which = arith::ConstantIntOp::create(b, m_loc, static_cast<int64_t>(number), 32);
  LLVM::CallOp::create(b, m_loc, *callee, ValueRange{m_launch, which, all});
}

/// As an array in memory: one number is a block of one.
static RankedTensorType arrayType(Type type, Type element) {
  auto block = dyn_cast<RankedTensorType>(type);
  return RankedTensorType::get(block ? block.getShape() : ArrayRef<int64_t>(1), element);
}

Buffer KernelLowering::copied(Value value, bool asInBlocks) {
  Type element = elementTypeOf(value.getType());
  const bool isWidened = asInBlocks && isa<FloatType>(element) && !element.isF64();
  Type held = isWidened ? m_builder.getF32Type() : getElementTypeOrSelf(value.getType());
  const Buffer buffer = allocate(arrayType(value.getType(), held));
  const auto write = [&](const Place &place, Value tile) {
    writeBuffer(buffer, place, isWidened ? widenFloat(m_builder, m_loc, tile, held) : tile);
  };
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    forEachTile(type.getShape(), chooseLanes({value}), {value},
                [&] { write(m_nest->place(), at(value, m_nest->place())); });
  else
    write({{m_zero}, -1}, scalar(value));
  return buffer;
}

void KernelLowering::lowerPrint(tt::PrintOp print) {
  SmallVector<Value> arrays;
  for (Value value : print.getArgs())
    arrays.push_back(copied(value, /*asInBlocks=*/true).base);
  callProcess(kPrintFunction, m_numbered.prints.size(), arrays);
  m_numbered.prints.push_back(print);
}

void KernelLowering::lowerAssembly(tt::ElementwiseInlineAsmOp assembly) {
  SmallVector<Value> arrays;
  SmallVector<Buffer> results;
  for (Type type : assembly->getResultTypes()) {
    results.push_back(allocate(arrayType(type, getElementTypeOrSelf(type))));
    arrays.push_back(results.back().base);
  }
  for (Value argument : assembly->getOperands())
    arrays.push_back(copied(argument, /*asInBlocks=*/false).base);
  callProcess(kAssembleFunction, m_numbered.assemblies.size(), arrays);
  m_numbered.assemblies.push_back(assembly);
  for (auto [result, buffer] : llvm::zip(assembly->getResults(), results)) {
    if (isa<RankedTensorType>(result.getType()))
      m_buffers[result] = buffer;
    else
      m_scalars.map(result, readBuffer(buffer, {{m_zero}, -1}));
  }
}

// Descriptions, for those who load the code
// --------------------------------------------------------------------------------

static Attribute numbersOf(Builder &b, ArrayRef<int64_t> numbers) {
  return b.getDenseI64ArrayAttr(numbers);
}

/// Per print: the prefix, whether it is hexadecimal, the location, and each value's element, whether it is signed,
/// and its extents.
static ArrayAttr describePrints(Builder &b, ArrayRef<tt::PrintOp> prints) {
  SmallVector<Attribute> all;
  for (tt::PrintOp print : prints) {
    SmallVector<Attribute> one{print.getPrefixAttr(), print.getHexAttr(),
                               LocationAttr(print.getLoc())};
    for (auto [value, isSigned] : llvm::zip(print.getArgs(), print.getIsSigned())) {
      SmallVector<int64_t> numbers{static_cast<int64_t>(heldElement(value.getType())), isSigned};
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        llvm::append_range(numbers, type.getShape());
      one.push_back(numbersOf(b, numbers));
    }
    all.push_back(b.getArrayAttr(one));
  }
  return b.getArrayAttr(all);
}

std::vector<Print> printsOf(ModuleOp module) {
  std::vector<Print> prints;
  auto all = module->getAttrOfType<ArrayAttr>(kPrintsAttr);
  if (!all)
    return prints;
  for (auto one : all.getAsRange<ArrayAttr>()) {
    Print print{cast<StringAttr>(one[0]).str(),
                cast<BoolAttr>(one[1]).getValue(),
                {},
                Location(cast<LocationAttr>(one[2]))};
    for (Attribute each : one.getValue().drop_front(3)) {
      ArrayRef<int64_t> numbers = cast<DenseI64ArrayAttr>(each).asArrayRef();
      PrintedValue value{static_cast<Element>(numbers[0]), {}, numbers[1] != 0};
      for (int64_t extent : numbers.drop_front(2)) {
        value.shape.extent[value.shape.rank++] = extent;
        value.shape.count *= extent;
      }
      print.values.push_back(value);
    }
    prints.push_back(std::move(print));
  }
  return prints;
}

/// Per assembly: its text, the constraints, the pack, the number of elements, and the elements of results and
/// arguments.
static ArrayAttr describeAssemblies(Builder &b, ArrayRef<tt::ElementwiseInlineAsmOp> assemblies) {
  SmallVector<Attribute> all;
  for (tt::ElementwiseInlineAsmOp op : assemblies) {
    const AssemblySource source = sourceOf(op);
    auto block = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    const auto numbers = [&](const std::vector<Element> &elements) {
      return numbersOf(b, llvm::map_to_vector(
                              elements, [](Element each) { return static_cast<int64_t>(each); }));
    };
    all.push_back(b.getArrayAttr(
        {op.getAsmStringAttr(), op.getConstraintsAttr(),
         numbersOf(b, {static_cast<int64_t>(source.pack), block ? block.getNumElements() : 1}),
         numbers(source.results), numbers(source.arguments)}));
  }
  return b.getArrayAttr(all);
}

void describeCalls(ModuleOp module, const NumberedOperations &numbered) {
  Builder b(module.getContext());
  if (!numbered.prints.empty())
    module->setAttr(kPrintsAttr, describePrints(b, numbered.prints));
  if (!numbered.assemblies.empty())
    module->setAttr(kAssembliesAttr, describeAssemblies(b, numbered.assemblies));
}

static std::vector<Element> elementsOf(Attribute numbers) {
  std::vector<Element> elements;
  for (int64_t number : cast<DenseI64ArrayAttr>(numbers).asArrayRef())
    elements.push_back(static_cast<Element>(number));
  return elements;
}

std::vector<Assembly> assembliesOf(ModuleOp module) {
  std::vector<Assembly> assemblies;
  auto all = module->getAttrOfType<ArrayAttr>(kAssembliesAttr);
  if (!all)
    return assemblies;
  for (auto one : all.getAsRange<ArrayAttr>()) {
    ArrayRef<int64_t> sizes = cast<DenseI64ArrayAttr>(one[2]).asArrayRef();
    assemblies.push_back({{cast<StringAttr>(one[0]).str(), cast<StringAttr>(one[1]).str(),
                           static_cast<size_t>(sizes[0]), elementsOf(one[3]), elementsOf(one[4])},
                          sizes[1]});
  }
  return assemblies;
}

} // namespace tilescope::cpu
