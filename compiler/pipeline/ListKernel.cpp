// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ListKernel.h"

#include "compiler/dialects/tt/ir/Binding.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/pipeline/SourceFunctions.h"
#include "compiler/pipeline/UnsignedValues.h"
#include "compiler/types/ScalarKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

using namespace interpreter;
using stepping::ListedInstruction;
using stepping::ListedValue;
using stepping::PlaceStack;
using stepping::StepListing;

namespace {

class Lister {
public:
  explicit Lister(const NotedKernel &kernel)
      : m_kernel(kernel), m_functions(kernel.compiled.files, kernel.compiled.kernel),
        m_unsigned(
            kernel.compiled, [this](Operation *op) { return mappedPlaces(op); },
            [](Type type) { return typeText(type, false); }) {
    const auto &arguments = kernel.prepared.program->arguments;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (Value value = kernel.notes.values[arguments[i]])
        m_unsigned.addArgument(value, kernel.prepared.arguments[i].name);
  }

  StepListing list() {
    m_listing.stage = m_kernel.stage.id;
    const Program &program = *m_kernel.prepared.program;
    m_listing.hasBindings = m_kernel.shown != nullptr;
    for (uint32_t at = 0; at < program.code.size(); ++at)
      m_listing.instructions.push_back(listInstruction(at));
    for (uint32_t id = 0; id < program.values.size(); ++id)
      m_listing.values.push_back(listValue(id));
    if (m_listing.hasBindings)
      listBindings();
    else {
      settleNames();
      dropRebound();
    }
    m_listing.functions = m_functions.ownFunctions();
    for (const auto &[name, text] : m_kernel.compiled.constexprs)
      m_listing.constants.emplace_back(name, text);
    return std::move(m_listing);
  }

private:
  std::vector<SourceRange> placesOf(Operation *op) const {
    const std::vector<SourceRange> *places = mappedPlaces(op);
    return places ? *places : std::vector<SourceRange>();
  }
  /// Those that the source map has for an operation; null: none.
  const std::vector<SourceRange> *mappedPlaces(Operation *op) const {
    const std::optional<uint32_t> line = lineOf(op);
    const auto &lines = m_kernel.stage.sourceMap.lines;
    const auto found =
        std::ranges::lower_bound(lines, line.value_or(UINT32_MAX), {}, &LineMapping::line);
    return line && found != lines.end() && found->line == *line ? &found->sources : nullptr;
  }
  /// Those of an operation, then of the calls that brought it into the kernel.
  std::vector<SourceRange> placesOf(Operation *op, int32_t call) const {
    std::vector<SourceRange> places = placesOf(op);
    for (; call >= 0; call = m_kernel.notes.calls[static_cast<size_t>(call)].outer) {
      const auto outer = placesOf(m_kernel.notes.calls[static_cast<size_t>(call)].operation);
      places.insert(places.end(), outer.begin(), outer.end());
    }
    return places;
  }
  uint32_t stackOf(Operation *op, int32_t call) {
    const auto [known, isNew] = m_stacks.try_emplace({op, call}, 0);
    if (isNew) {
      PlaceStack stack = m_functions.callsTo(placesOf(op, call));
      const auto same = std::ranges::find(m_listing.stacks, stack);
      known->second = static_cast<uint32_t>(same - m_listing.stacks.begin());
      if (same == m_listing.stacks.end())
        addStack(std::move(stack));
    }
    return known->second;
  }

  void addStack(PlaceStack stack) {
    auto &parameters = m_listing.parameters.emplace_back();
    // Bindings say what was passed.
    for (size_t frame = 0; frame + 1 < stack.size() && !m_listing.hasBindings; ++frame) {
      auto &passed = parameters.emplace_back();
      for (const auto &each : m_functions.parametersOf(stack[frame], stack[frame + 1]))
        passed.push_back({each.name, each.variable, each.constant});
    }
    m_listing.stacks.push_back(std::move(stack));
  }

  /// Copies that lead to loops and out of branches, constants and jumps are not what a user steps
  /// over.
  static bool isWork(const Instruction &instruction, Operation *op) {
    const Instruction::Run run = instruction.run;
    if (isa<scf::ForOp>(op))
      return run == runLoopTest;
    if (run == runJump || run == runMove || run == runConstant || run == runTrace)
      return false;
    const bool isLeading =
        op->hasTrait<OpTrait::IsTerminator>() || isa<scf::WhileOp, scf::IfOp, tt::CallOp>(op);
    return run != runCopy || !isLeading;
  }

  /// The end of a function that no statement stands for: it is at the place of the function.
  bool isImplicitReturn(Operation *op) const {
    if (!isa<tt::ReturnOp>(op))
      return false;
    const auto own = placesOf(op), function = placesOf(op->getParentOp());
    return own.empty() ||
           (!function.empty() && own.front().begin.line == function.front().begin.line);
  }

  /// In the text that the user sees; -1: it is not there.
  int32_t shownLineOf(Operation *op) const {
    if (m_kernel.shown)
      op = m_kernel.shown->of(op);
    return op ? static_cast<int32_t>(lineOf(op).value_or(UINT32_MAX)) : -1;
  }

  std::string shownNameOf(Value value) const {
    if (m_kernel.shown)
      value = m_kernel.shown->of(value);
    return value ? m_kernel.names.of(value) : std::string();
  }

  /// Whether a binding is all that its line does: it is stopped at then. Else the line began with
  /// what computes the value.
  bool isOwnLine(const TranslationNotes::Place &place, uint32_t stackId) const {
    const PlaceStack &stack = m_listing.stacks[stackId];
    if (stack.empty() || place.operation->hasAttr(tt::kBindingHiddenAttr))
      return false;
    const auto before =
        std::find_if(m_listing.instructions.rbegin(), m_listing.instructions.rend(), &isStopped);
    if (before == m_listing.instructions.rend())
      return true;
    const PlaceStack &its = m_listing.stacks[before->stack];
    if (its.size() < stack.size())
      return true;
    const StepFrame &mine = stack.front(), &other = its[its.size() - stack.size()];
    const uint32_t line = other.range.begin.line;
    return other.function != mine.function || other.range.file != mine.range.file ||
           line < mine.range.begin.line || line > mine.range.end.line;
  }
  static bool isStopped(const ListedInstruction &listed) { return listed.isStop; }

  /// What a name keeps is a value of its own.
  void listBindings() {
    const Program &program = *m_kernel.prepared.program;
    for (uint32_t at = 0; at < program.code.size(); ++at) {
      tt::PrintOp binding = tt::asBinding(m_kernel.notes.places[at].operation);
      if (!binding)
        continue;
      Value value = binding.getArgs().front();
      ListedValue &listed = m_listing.values[program.code[at].out];
      listed = m_listing.values[program.code[at].in.front()];
      listed.isArgument = listed.isConstant = false;
      listed.isBinding = true;
      listed.isParameter = binding->hasAttr(tt::kBindingHiddenAttr);
      listed.stack = m_listing.instructions[at].stack;
      listed.names = {{binding.getPrefix().str(), 0}};
      if (Operation *op = value.getDefiningOp(); op && !op->hasTrait<OpTrait::ConstantLike>())
        listed.stageLine = shownLineOf(op);
      if (auto text = binding->getAttrOfType<StringAttr>(tt::kBindingTextAttr)) {
        listed.fixedText = text.str();
        listed.type = "constexpr";
      }
    }
  }

  ListedInstruction listInstruction(uint32_t at) {
    const TranslationNotes::Place &place = m_kernel.notes.places[at];
    ListedInstruction listed;
    listed.stageLine = shownLineOf(place.operation);
    listed.stack = stackOf(place.operation, place.call);
    listed.isHidden = m_kernel.shown && listed.stageLine < 0;
    if (tt::asBinding(place.operation)) {
      listed.isStop = isOwnLine(place, listed.stack);
      return listed;
    }
    // Of several instructions of one operation the first.
    const bool isFirst = at == 0 || m_kernel.notes.places[at - 1].operation != place.operation ||
                         !m_listing.instructions.back().isStop;
    listed.isStop = isFirst && isWork(m_kernel.prepared.program->code[at], place.operation) &&
                    !isImplicitReturn(place.operation);
    if (listed.stageLine >= 0) {
      auto &names = m_listing.operations;
      names.resize(std::max(names.size(), static_cast<size_t>(listed.stageLine) + 1));
      names[static_cast<size_t>(listed.stageLine)] =
          place.operation->getName().getStringRef().str();
    }
    return listed;
  }

  static std::string scalarText(Type type, bool isUnsigned) {
    if (auto integer = dyn_cast<IntegerType>(type))
      return (isUnsigned ? "uint" : "int") + std::to_string(integer.getWidth());
    if (type.isF16())
      return "fp16";
    if (type.isBF16())
      return "bf16";
    if (type.isF32())
      return "fp32";
    if (type.isF64())
      return "fp64";
    if (isa<Float8E4M3FNType>(type))
      return "fp8e4nv";
    if (isa<Float8E5M2Type>(type))
      return "fp8e5";
    if (auto pointer = dyn_cast<tt::PointerType>(type))
      return "pointer<" + scalarText(pointer.getPointeeType(), isUnsigned) + ">";
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  /// `fp32[64]`.
  static std::string typeText(Type type, bool isUnsigned) {
    auto shaped = dyn_cast<ShapedType>(type);
    std::string text = scalarText(getElementTypeOrSelf(type), isUnsigned);
    if (!shaped)
      return text;
    text += "[";
    for (const auto [axis, extent] : llvm::enumerate(shaped.getShape()))
      text += (axis ? ", " : "") + std::to_string(extent);
    return text + "]";
  }

  ListedValue listValue(uint32_t id) {
    ListedValue listed;
    Value value = m_kernel.notes.values[id];
    // What is under way has no elements; the name of its variable is the buffer's.
    if (!value || isa<ttg::AsyncTokenType>(value.getType()))
      return listed;
    Operation *op = value.getDefiningOp();
    const bool isConstant = op && op->hasTrait<OpTrait::ConstantLike>();
    if (!op)
      op = value.getParentRegion()->getParentOp();
    listed.ssa = shownNameOf(value);
    listed.isConstant = isConstant;
    const bool isUnsigned = m_unsigned.contains(value);
    listed.type = typeText(value.getType(), isUnsigned);
    listed.isUnsigned = isUnsigned && isa<IntegerType>(getElementTypeOrSelf(value.getType()));
    listed.stageLine = shownLineOf(op);
    if (const auto buffer = m_kernel.notes.buffers.find(id);
        buffer != m_kernel.notes.buffers.end()) {
      const TranslationNotes::Buffer &noted = buffer->second;
      listed.buffer = {noted.element, noted.shape, noted.strides, isa<ttg::LocalAllocOp>(op)};
      listed.type += " shared";
    }
    if (auto pointer = dyn_cast<tt::PointerType>(getElementTypeOrSelf(value.getType())))
      if (const auto element = getElement(pointer.getPointeeType())) {
        listed.pointeeBytes = static_cast<uint32_t>(memorySize(*element));
        listed.pointee = *element;
        listed.isOfUnsigned = isUnsigned;
      }
    const auto &arguments = m_kernel.prepared.program->arguments;
    if (const auto found = std::ranges::find(arguments, id); found != arguments.end()) {
      listed.isArgument = true;
      const auto index = static_cast<size_t>(found - arguments.begin());
      listed.names = {{m_kernel.prepared.arguments[index].name, 0}};
      return listed;
    }
    listed.stack = stackOf(op, -1);
    if (m_listing.hasBindings)
      ;
    else if (value.getDefiningOp())
      addVariables(id, listed);
    else if (const std::string name = m_functions.variableOf(listed.ssa); !name.empty())
      // Of a loop, or of a function.
      listed.names = {{name, 0}};
    const PlaceStack &stack = m_listing.stacks[listed.stack];
    if (!isConstant && value.getDefiningOp() && !stack.empty())
      listed.text = m_functions.textOf(stack.front().range);
    return listed;
  }

  /// The variables to which an operation's result is assigned, in the functions around it. Of the
  /// operations that one assignment became, the one that is the whole value counts: `settleNames`
  /// drops the others.
  void addVariables(uint32_t id, ListedValue &listed) {
    const PlaceStack &stack = m_listing.stacks[listed.stack];
    const std::string own = m_functions.variableOf(listed.ssa);
    if (!m_functions.hasFunctions() && !own.empty())
      listed.names = {{own, 0}};
    for (uint32_t frame = 0; frame < stack.size() && m_functions.hasFunctions(); ++frame) {
      const SourceRange &place = stack[frame].range;
      const SourceFunctions::Assignment *assignment = m_functions.assignmentAt(place);
      if (!assignment)
        continue;
      if (assignment->names.size() == 1) {
        listed.names.push_back({assignment->names.front(), frame});
        m_assigned[assignment].push_back(
            {id, frame, place == assignment->value && !isConstant(id)});
      } else if (frame == 0 && std::ranges::count(assignment->names, own)) {
        listed.names.push_back({own, frame});
      }
    }
  }

  /// Where some operation is all of what an assignment computes, its parts are not the variable;
  /// nor is a constant where something is computed, such as the `other` of a load.
  void settleNames() {
    for (const auto &[assignment, all] : m_assigned) {
      const bool hasWhole = std::ranges::any_of(all, &Assigned::isWhole);
      const bool isComputed =
          std::ranges::any_of(all, [&](const Assigned &each) { return !isConstant(each.id); });
      for (const Assigned &each : all)
        if (hasWhole ? !each.isWhole : isComputed && isConstant(each.id))
          std::erase_if(m_listing.values[each.id].names,
                        [&, name = assignment->names.front()](const stepping::ListedName &listed) {
                          return listed.frame == each.frame && listed.name == name;
                        });
    }
  }

  /// A value that may not be the one that the name has is not shown by the name.
  void dropRebound() {
    for (ListedValue &value : m_listing.values) {
      const PlaceStack &stack = m_listing.stacks[value.stack];
      std::erase_if(value.names, [&](const stepping::ListedName &name) {
        return name.frame < stack.size() && m_functions.isRebound(stack[name.frame], name.name);
      });
    }
  }

  /// What is only a part of the value is often at its place: the 2 of `x * 2`.
  bool isConstant(uint32_t id) const {
    Operation *op = m_kernel.notes.values[id].getDefiningOp();
    return op && op->hasTrait<OpTrait::ConstantLike>();
  }

  struct Assigned {
    uint32_t id = 0;
    uint32_t frame = 0;
    bool isWhole = false;
  };
  std::map<const SourceFunctions::Assignment *, std::vector<Assigned>> m_assigned;
  const NotedKernel &m_kernel;
  SourceFunctions m_functions;
  UnsignedValues m_unsigned;
  StepListing m_listing;
  std::map<std::pair<Operation *, int32_t>, uint32_t> m_stacks;
};

} // namespace

StepListing listKernel(const NotedKernel &kernel) { return Lister(kernel).list(); }

} // namespace tilescope::compiler
