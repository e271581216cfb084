// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/ParameterUses.h"

#include "compiler/constant/DType.h"
#include "compiler/inference/BlockNeeds.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using namespace ast;

namespace {

class UseAnalyzer final : BlockNeeds {
public:
  UseAnalyzer(const ModuleIndex &index, const JitFunction &kernel, const ImportedFunctions *imports,
              bool takesBlocks, int depth = 0)
      : BlockNeeds(index, kernel, takesBlocks), m_imports(imports), m_depth(depth) {}

  std::map<std::string, ParameterUse, std::less<>> run() {
    for (const ParameterInfo &parameter : m_kernel.parameters)
      m_uses[parameter.name];
    forEachNode([&](const Node &node) { collectDefinition(node); });
    forEachNode([&](const Node &node) {
      if (auto *call = as<Call>(&node))
        readAccess(*call);
    });
    forEachNode([&](const Node &node) { readUse(node); });
    return std::move(m_uses);
  }

private:
  template <typename F> void forEachNode(F &&visitor) {
    for (const Stmt *stmt : m_kernel.def->body)
      walk(*stmt, [&](const Node &node) {
        visitor(node);
        return true;
      });
  }

  void readAccess(const Call &call) {
    std::string name = languageCall(call);
    auto *method = as<Attribute>(call.func);
    bool isDescribed = name.ends_with("_tensor_descriptor") || name.ends_with("_descriptor_load") ||
                       name.ends_with("_descriptor_store");
    if (isDescribed && !name.starts_with("make")) {
      bool isStore = name.find("store") != name.npos;
      // `tl.store_tensor_descriptor(desc, offsets, value)`, `tl._experimental_descriptor_store(
      // desc, value, offsets)`
      bool isValueFirst = isStore && !name.starts_with("store");
      readDescriptorAccess(argument(call, 0, "desc"),
                           argument(call, isValueFirst ? 2 : 1, "offsets"),
                           isStore ? argument(call, isValueFirst ? 1 : 2, "value") : nullptr,
                           isStore ? nullptr : argument(call, 2, "block_shape"));
    } else if (name == "load") {
      markAlternatives(argument(call, 0, "pointer"), &ParameterUse::isLoaded);
    } else if (name == "store") {
      markAlternatives(argument(call, 0, "pointer"), &ParameterUse::isStored);
      if (ParameterUse *use = pointerOf(argument(call, 0, "pointer"))) {
        if (std::string type = castTypeOf(argument(call, 1, "value")); !type.empty())
          use->storedAs = type;
      }
    } else if (name.starts_with("atomic_")) {
      if (ParameterUse *use = pointerOf(argument(call, 0, "pointer"))) {
        use->isStored = true;
        use->isLock |= name == "atomic_cas" || name == "atomic_xchg" || name == "atomic_and" ||
                       name == "atomic_or" || name == "atomic_xor" || name == "atomic_poll";
      }
    } else if (name == "make_block_ptr" || name.ends_with("make_tensor_descriptor")) {
      if (ParameterUse *use = pointerOf(argument(call, 0, "base")))
        use->isLoaded = true;
    } else if (method && name.empty() && readDescriptorMethod(call, *method)) {
      return;
    } else if (method && name.empty() && (method->attr == "load" || method->attr == "store")) {
      if (ParameterUse *use = pointerOf(method->value))
        (method->attr == "load" ? use->isLoaded : use->isStored) = true;
    } else {
      readForwarded(call);
    }
  }

  /// What an access says of the pointer it begins with, and of those that a branch may have put in
  /// its place: `p = a_ptr`, else `p = b_ptr`.
  void markAlternatives(const Expr *address, bool ParameterUse::*flag) {
    if (ParameterUse *use = pointerOf(address))
      use->*flag = true;
    const Expr *first = address;
    while (auto *sum = as<BinOp>(first))
      first = sum->left;
    auto *name = as<Name>(first);
    auto found = name ? m_definitions.find(name->id) : m_definitions.end();
    if (found == m_definitions.end())
      return;
    for (const Expr *definition : found->second) {
      bool isAdded = std::any_of(m_sums.begin(), m_sums.end(),
                                 [&](const AugAssign *sum) { return sum->value == definition; });
      if (ParameterUse *use = isAdded ? nullptr : parameterOf(definition))
        use->*flag = true;
    }
  }

  static Seq<Expr> itemsOf(const Expr *expr) {
    if (auto *list = as<List>(expr))
      return list->elts;
    auto *tuple = as<Tuple>(expr);
    return tuple ? tuple->elts : Seq<Expr>();
  }

  /// `desc.load([row, column])`, `desc.store([row, column], value)` of a parameter. `shape`: of the
  /// block, where a call says it; may be null.
  bool readDescriptorAccess(const Expr *descriptor, const Expr *offsets, const Expr *value,
                            const Expr *shape = nullptr) {
    auto *self = as<Name>(descriptor);
    ParameterUse *use = self ? parameterOf(self) : nullptr;
    const Seq<Expr> starts = itemsOf(offsets), extents = itemsOf(shape);
    if (!use || starts.empty() || m_definitions.contains(self->id))
      return false;
    use->isDescriptor = true;
    use->blockExtents.resize(std::max(use->blockExtents.size(), starts.size()));
    for (size_t i = 0; i < starts.size(); ++i)
      if (use->blockExtents[i].empty()) {
        auto *extent = i < extents.size() ? as<Name>(extents[i]) : nullptr;
        use->blockExtents[i] = extent ? std::string(extent->id) : extentOf(starts[i]);
      }
    if (value)
      use->storedAs = castTypeOf(value);
    return true;
  }

  bool readDescriptorMethod(const Call &call, const Attribute &method) {
    bool isAccess =
        method.attr == "load" || method.attr == "store" || method.attr.starts_with("atomic_");
    return isAccess && !call.args.empty() &&
           readDescriptorAccess(method.value, call.args[0],
                                call.args.size() > 1 ? call.args[1] : nullptr);
  }

  /// A function uses the arguments as it uses its parameters.
  void readForwarded(const Call &call) {
    static constexpr int kMaxDepth = 3;
    auto *callee = as<Name>(call.func);
    if (!callee || m_depth >= kMaxDepth)
      return;
    ImportedFunctions::Found called{&m_index, m_index.findFunction(callee->id), m_imports};
    if (!called.function && m_imports)
      called = m_imports->find(callee->id);
    if (!called.function || called.function == &m_kernel)
      return;
    auto uses =
        UseAnalyzer(*called.index, *called.function, called.imports, m_takesBlocks, m_depth + 1)
            .run();
    for (size_t i = 0; i < called.function->parameters.size(); ++i) {
      const std::string &name = called.function->parameters[i].name;
      const Expr *value = argument(call, i, name);
      const ParameterUse &inner = uses[name];
      if (!value)
        continue;
      if (inner.isPointer()) {
        if (ParameterUse *use = pointerOf(value))
          merge(*use, inner);
        continue;
      }
      if (ParameterUse *use = parameterOf(value))
        merge(*use, inner);
      combineForwarded(call, value, inner, *called.function);
      if (inner.isBits)
        markLoaded(value, &ParameterUse::yieldsBits);
      if (inner.isMask)
        markLoaded(value, &ParameterUse::yieldsBools);
      if (inner.inIndexMath)
        markIndexMath(value);
      if (inner.feedsDot)
        markLoaded(value, &ParameterUse::feedsDot);
    }
  }

  static void merge(ParameterUse &into, const ParameterUse &from) {
    bool ParameterUse::*flags[] = {&ParameterUse::isLoaded,       &ParameterUse::isStored,
                                   &ParameterUse::isLock,         &ParameterUse::yieldsIndices,
                                   &ParameterUse::yieldsBools,    &ParameterUse::yieldsBits,
                                   &ParameterUse::feedsDot,       &ParameterUse::feedsIntDot,
                                   &ParameterUse::feedsScaledDot, &ParameterUse::inIndexMath,
                                   &ParameterUse::inDataMath,     &ParameterUse::isShape,
                                   &ParameterUse::isDType,        &ParameterUse::isCondition,
                                   &ParameterUse::isCalled,       &ParameterUse::isComparedWithNone,
                                   &ParameterUse::isNumber,       &ParameterUse::isMask,
                                   &ParameterUse::isBits,         &ParameterUse::isUnrolled,
                                   &ParameterUse::isFactor,       &ParameterUse::isUnitStride,
                                   &ParameterUse::isIndexed};
    for (bool ParameterUse::*flag : flags)
      into.*flag |= from.*flag;
    into.isDescriptor |= from.isDescriptor;
    into.blockExtents.resize(std::max(into.blockExtents.size(), from.blockExtents.size()));
    into.rank = std::max(into.rank, from.rank);
    into.numItems = std::max(into.numItems, from.numItems);
    if (into.storedAs.empty())
      into.storedAs = from.storedAs;
    if (!into.comparedNumber)
      into.comparedNumber = from.comparedNumber;
    if (into.keyword.empty())
      into.keyword = from.keyword;
    if (into.comparedString.empty())
      into.comparedString = from.comparedString;
  }

  void combine(const Expr *one, const Expr *other) {
    ParameterUse *use = parameterOf(one);
    if (!use)
      return;
    use->isNumber = true;
    Flow flow = flowOf(other);
    use->inIndexMath |= flow == Flow::Index || flow == Flow::Address;
    use->inDataMath |= flow == Flow::Data;
    if (auto *name = as<Name>(other); name && parameterOf(other))
      use->partners.emplace_back(name->id);
  }

  /// The call combines the argument with whatever the function combines its parameter with.
  void combineForwarded(const Call &call, const Expr *value, const ParameterUse &inner,
                        const JitFunction &called) {
    for (size_t i = 0; i < called.parameters.size(); ++i) {
      const std::string &name = called.parameters[i].name;
      if (std::ranges::find(inner.partners, name) != inner.partners.end())
        if (const Expr *other = argument(call, i, name))
          combine(value, other);
    }
  }

  /// What an operator says about the loaded values that are its operands.
  void readOperator(BinaryOpKind op, const Expr *left, const Expr *right) {
    using enum BinaryOpKind;
    bool isBits = op == BitAnd || op == BitOr || op == BitXor;
    if (op == MatMult)
      markFactors(left, right, &ParameterUse::feedsDot);
    for (auto [one, other] : {std::pair(left, right), std::pair(right, left)}) {
      if (isBits && isBoolean(other))
        markLoaded(one, &ParameterUse::yieldsBools);
      else if (isBits || op == LShift || op == RShift) {
        markLoaded(one, &ParameterUse::yieldsBits);
        if (ParameterUse *use = parameterOf(one))
          use->isBits = true;
      }
      if (op == LShift || op == Pow)
        mark(right, &ParameterUse::isUnrolled);
      if (op == FloorDiv && one == right && isExtent(left))
        if (ParameterUse *use = parameterOf(right))
          use->isFactor = true;
      // Kernels take remainders of positions and hashes, hardly ever of floats.
      if (op == FloorDiv || (op == Mod && !isFloat(other) && !isExtentOfBlock(one))) {
        markLoaded(one, &ParameterUse::yieldsIndices);
        markIndexMath(one);
      }
    }
  }

  /// `x.block_shape[0]` says nothing about the elements of `x`.
  static bool isExtentOfBlock(const Expr *expr) {
    auto *part = as<Subscript>(expr);
    return part && is<Attribute>(part->value);
  }

  static bool isFloat(const Expr *expr) {
    auto *constant = as<Constant>(expr);
    return constant && constant->constantKind == ConstantKind::Float;
  }

  /// A constexpr parameter that is named like the extent of a block.
  bool isExtent(const Expr *expr) const {
    auto *name = as<Name>(expr);
    const ParameterInfo *parameter = name ? m_kernel.findParameter(name->id) : nullptr;
    return parameter && parameter->annotationKind == AnnotationKind::Constexpr &&
           parameter->name.starts_with("BLOCK");
  }

  /// The factors of a product of matrices; `@` is a mistake for one, and the types are the same
  /// before and behind its mending. Of vectors it becomes a sum, of which nothing follows.
  void markFactors(const Expr *left, const Expr *right, bool ParameterUse::*flag) {
    const bool isOfVectors = (left && isVector(*left)) || (right && isVector(*right));
    if (isOfVectors && flag == &ParameterUse::feedsDot)
      return;
    markLoaded(left, flag);
    markLoaded(right, flag);
  }

  void readCall(const Call &call) {
    std::string name = languageCall(call);
    if (ParameterUse *use = parameterOf(call.func))
      use->isCalled = true;
    auto *method = as<Attribute>(call.func);
    bool isCast = name == "cast" || (name.empty() && method && method->attr == "to");
    const Expr *dtype = argument(call,
                                 isCast            ? (name.empty() ? 0 : 1)
                                 : name == "zeros" ? 1
                                 : name == "full"  ? 2
                                                   : call.args.size(),
                                 "dtype");
    if (ParameterUse *use = parameterOf(name == "pointer_type" ? argument(call, 0, "") : dtype))
      use->isDType = true;
    if (name == "arange")
      for (const Expr *arg : call.args)
        mark(arg, &ParameterUse::isShape);
    else if (name == "zeros" || name == "full" || name == "reshape" || name == "broadcast_to")
      mark(argument(call, name == "zeros" || name == "full" ? 0 : 1, "shape"),
           &ParameterUse::isShape);
    else if (name == "make_block_ptr")
      mark(argument(call, 4, "block_shape"), &ParameterUse::isShape);
    else if (name.ends_with("make_tensor_descriptor")) {
      mark(argument(call, 3, "block_shape"), &ParameterUse::isShape);
      const Seq<Expr> strides = itemsOf(argument(call, 2, "strides"));
      if (ParameterUse *use = strides.empty() ? nullptr : parameterOf(strides.back()))
        use->isUnitStride = true;
    }
    if (name == "dot")
      markFactors(argument(call, 0, "input"), argument(call, 1, "other"),
                  sumsIntegers(call) ? &ParameterUse::feedsIntDot : &ParameterUse::feedsDot);
    readBlockUse(call, name);
    if (name == "dot_scaled")
      for (auto [position, keyword] : {std::pair(0, "lhs"), std::pair(1, "lhs_scale"),
                                       std::pair(3, "rhs"), std::pair(4, "rhs_scale")})
        markLoaded(argument(call, position, keyword), &ParameterUse::feedsScaledDot);
    if (name == "load" || name == "store" || name.starts_with("atomic_"))
      markLoaded(argument(call, name == "load" ? 1 : 2, "mask"), &ParameterUse::yieldsBools);
    if (isCast && isPointerType(argument(call, name.empty() ? 0 : 1, "dtype")))
      markLoaded(name.empty() ? method->value : argument(call, 0, "input"),
                 &ParameterUse::yieldsIndices);
    if (name == "load" || name == "store")
      markIndices(argument(call, 0, "pointer"));
    bool isRange = name == "range" || name == "static_range" ||
                   (as<Name>(call.func) && as<Name>(call.func)->id == "range");
    readIntegers(call, name, isRange);
    static constexpr std::pair<std::string_view, std::string_view> kKeywords[] = {
        {"eviction_policy", "''"},  {"cache_modifier", "''"}, {"input_precision", "'tf32'"},
        {"padding_option", "''"},   {"allow_tf32", "True"},   {"sem", "'relaxed'"},
        {"scope", "'gpu'"},         {"lhs_format", "'e4m3'"}, {"rhs_format", "'e4m3'"},
        {"num_stages", "2"},        {"flatten", "False"},     {"warp_specialize", "False"},
        {"loop_unroll_factor", "1"}};
    for (const Keyword *keyword : call.keywords)
      for (auto [parameter, value] : kKeywords)
        if (ParameterUse *use = keyword->arg == parameter ? parameterOf(keyword->value) : nullptr)
          use->keyword = value;
    if (name == "static_range")
      for (const Expr *arg : call.args)
        mark(arg, &ParameterUse::isUnrolled);
    if (isRange || name == "cdiv")
      for (const Expr *arg : call.args)
        markLoaded(arg, &ParameterUse::yieldsIndices);
    for (const Expr *arg : call.args)
      if (ParameterUse *use = parameterOf(arg)) {
        use->isNumber = true;
        use->inIndexMath |= isRange || name == "cdiv";
        bool isElementwise = name == "maximum" || name == "minimum" || name == "where" ||
                             name == "clamp" || name == "fma" || name == "full";
        use->inDataMath |= isElementwise && flowOf(call.args[0]) != Flow::Index;
      }
  }

  /// The arguments of a call that are integers whatever else is known.
  void readIntegers(const Call &call, const std::string &name, bool isRange) {
    bool isAccess = name == "load" || name == "store" || name.starts_with("atomic_");
    bool isBlock = name == "make_block_ptr" || name.ends_with("make_tensor_descriptor");
    bool isCounting = isRange || name == "cdiv" || name == "arange" || name == "advance";
    if (isAccess)
      markIndexMath(argument(call, 0, "pointer"));
    if (isBlock || isCounting) {
      for (const Expr *argument : call.args)
        markIndexMath(argument);
      for (const Keyword *keyword : call.keywords)
        markIndexMath(keyword->value);
    }
  }

  /// Whether it is a part of an index that takes elements: neither `:` nor `None`.
  static bool takesElements(const Expr *part) {
    if (auto *slice = as<Slice>(part))
      return slice->lower || slice->upper || slice->step;
    auto *constant = as<Constant>(part);
    return !constant || constant->constantKind != ConstantKind::None;
  }

  /// Whether an index is known at run time only, so that it takes no item of a tuple.
  bool isRunTimeIndex(const Expr *index) {
    auto *name = as<Name>(index);
    auto loop = name ? m_loops.find(name->id) : m_loops.end();
    auto *steps = loop != m_loops.end() ? as<Call>(loop->second->iter) : nullptr;
    if (steps && languageCall(*steps) == "static_range")
      return false;
    return flowOf(index) != Flow::Unknown;
  }

  bool indexesArray(const Subscript &subscript) {
    if (subscript.ctx == ExprContext::Store)
      return true;
    if (auto *parts = as<Tuple>(subscript.slice))
      return std::ranges::any_of(parts->elts, takesElements);
    return isRunTimeIndex(subscript.slice);
  }

  /// `x[:, None]`, `x.shape[1]`
  void readSubscript(const Subscript &subscript) {
    ParameterUse *indexed = parameterOf(subscript.value);
    if (indexed && indexesArray(subscript)) {
      indexed->isIndexed = true;
      indexed->isStored |= subscript.ctx == ExprContext::Store;
      return;
    }
    if (auto *parts = as<Tuple>(subscript.slice)) {
      int kept = 0;
      for (const Expr *part : parts->elts)
        kept += is<Slice>(part);
      needsRank(subscript.value, kept);
    }
    auto *shape = as<Attribute>(subscript.value);
    auto *number = as<Constant>(subscript.slice);
    // A larger index says nothing about the number of items.
    constexpr int64_t kLargestIndex = 63;
    const bool isNumber = number && number->intValue && *number->intValue <= kLargestIndex;
    const int wanted = isNumber ? static_cast<int>(*number->intValue) + 1 : kManyItems;
    const bool isItem = isNumber || is<Name>(subscript.slice);
    if (ParameterUse *use = isItem ? parameterOf(subscript.value) : nullptr)
      use->numItems = std::max(use->numItems, wanted);
    if (shape && shape->attr == "shape" && isNumber)
      needsRank(shape->value, wanted);
  }

  void readCompare(const Compare &compare) {
    const Expr *right = compare.comparators[0];
    for (auto [one, other] : {std::pair(compare.left, right), std::pair(right, compare.left)}) {
      ParameterUse *use = parameterOf(one);
      auto *constant = as<Constant>(other);
      if (use && constant && constant->constantKind == ConstantKind::Str)
        use->comparedString = constant->text;
      else if (use && constant && constant->constantKind == ConstantKind::None)
        use->isComparedWithNone = true;
      else
        combine(one, other);
      if (use && isDType(other))
        use->isDType = true;
      bool isEqual = compare.ops[0] == CompareOpKind::Eq;
      if (use && isEqual && constant && constant->intValue && !use->comparedNumber)
        use->comparedNumber = *constant->intValue;
      if (flowOf(other) == Flow::Index)
        markLoaded(one, &ParameterUse::yieldsIndices);
    }
  }

  /// `tl.float16`
  bool isDType(const Expr *expr) const {
    // `tl.constexpr(tl.float16)`
    if (auto *call = as<Call>(expr); call && languageCall(*call) == "constexpr")
      return !call->args.empty() && isDType(call->args[0]);
    const std::string path = m_index.resolve(*expr);
    std::optional<std::string_view> member = languageMember(path);
    return member && constant::dtypeFromLanguageName(*member).has_value();
  }

  void readCondition(const Expr *test) {
    if (auto *negated = as<UnaryOp>(test))
      return readCondition(negated->operand);
    if (auto *many = as<BoolOp>(test)) {
      for (const Expr *value : many->values)
        readCondition(value);
      return;
    }
    if (ParameterUse *use = parameterOf(test))
      use->isCondition = true;
  }

  void readUse(const Node &node) {
    if (auto *operation = as<BinOp>(&node)) {
      combine(operation->left, operation->right);
      combine(operation->right, operation->left);
      readOperator(operation->op, operation->left, operation->right);
    } else if (auto *assign = as<AugAssign>(&node)) {
      combine(assign->value, assign->target);
      if (startsAsInteger(assign->target))
        markLoaded(assign->value, &ParameterUse::yieldsBits);
    } else if (auto *assign = as<Assign>(&node)) {
      if (auto *targets = as<Tuple>(assign->targets[0]))
        if (ParameterUse *use = parameterOf(assign->value))
          use->numItems = std::max(use->numItems, static_cast<int>(targets->elts.size()));
      // `n = n + tl.load(p)`
      auto *sum = as<BinOp>(assign->value);
      auto *target = as<Name>(assign->targets[0]);
      auto *left = sum ? as<Name>(sum->left) : nullptr;
      if (left && target && left->id == target->id && startsAsInteger(target))
        markLoaded(sum->right, &ParameterUse::yieldsBits);
    } else if (auto *compare = as<Compare>(&node)) {
      readCompare(*compare);
    } else if (auto *call = as<Call>(&node)) {
      readCall(*call);
    } else if (auto *subscript = as<Subscript>(&node)) {
      readSubscript(*subscript);
    } else if (auto *branch = as<If>(&node)) {
      readCondition(branch->test);
    } else if (auto *choice = as<IfExp>(&node)) {
      readCondition(choice->test);
    }
  }

  /// Of a tuple that is indexed by a variable.
  static constexpr int kManyItems = 4;

  const ImportedFunctions *m_imports;
  int m_depth;
};

} // namespace

std::map<std::string, ParameterUse, std::less<>>
analyzeUses(const ModuleIndex &index, const JitFunction &kernel, const ImportedFunctions *imports) {
  return UseAnalyzer(index, kernel, imports, !kernel.isKernel() || kernel.usedByOthers).run();
}

} // namespace tilescope::compiler::inference
