// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ParameterUses.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tilescope::compiler::frontend {

using namespace ast;

namespace {

/// What kind of value an expression has. Ordered: a mixture is the greatest.
enum class Flow { Unknown, Index, Data, Address };

class UseAnalyzer {
public:
  UseAnalyzer(const ModuleIndex &index, const JitFunction &kernel, int depth)
      : m_index(index), m_kernel(kernel), m_depth(depth) {}

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

  ParameterUse *parameterOf(const Expr *expr) {
    auto *name = as<Name>(expr);
    auto found = name ? m_uses.find(name->id) : m_uses.end();
    return found == m_uses.end() ? nullptr : &found->second;
  }

  std::string languageCall(const Call &call) const {
    std::string path = m_index.resolve(*call.func);
    std::optional<std::string_view> member = languageMember(path);
    return member ? std::string(*member) : "";
  }

  static const Expr *argument(const Call &call, size_t position, std::string_view name) {
    for (const Keyword *keyword : call.keywords)
      if (keyword->arg == name)
        return keyword->value;
    return position < call.args.size() ? call.args[position] : nullptr;
  }

  void define(const Expr *target, const Expr *value) {
    if (auto *name = as<Name>(target)) {
      if (value)
        m_definitions[name->id].push_back(value);
      else
        m_counters.insert(name->id);
      return;
    }
    auto *targets = as<Tuple>(target);
    auto *values = as<Tuple>(value);
    for (size_t i = 0; targets && i < targets->elts.size(); ++i)
      if (values && values->elts.size() == targets->elts.size())
        define(targets->elts[i], values->elts[i]);
      else if (value)
        define(targets->elts[i], value);
  }

  void collectDefinition(const Node &node) {
    if (auto *assign = as<Assign>(&node))
      for (const Expr *target : assign->targets)
        define(target, assign->value);
    else if (auto *annotated = as<AnnAssign>(&node)) {
      if (annotated->value)
        define(annotated->target, annotated->value);
    } else if (auto *augmented = as<AugAssign>(&node))
      define(augmented->target, augmented->value);
    else if (auto *loop = as<For>(&node))
      define(loop->target, nullptr);
  }

  /// The terms of the sum that an address is, leftmost first, looked up through local variables.
  void addressTerms(const Expr *expr, std::vector<std::string_view> &terms) {
    if (auto *sum = as<BinOp>(expr)) {
      if (sum->op == BinaryOpKind::Add || sum->op == BinaryOpKind::Sub) {
        addressTerms(sum->left, terms);
        addressTerms(sum->right, terms);
      }
    } else if (auto *part = as<Subscript>(expr)) {
      addressTerms(part->value, terms);
    } else if (auto *choice = as<IfExp>(expr)) {
      addressTerms(choice->body, terms);
    } else if (auto *call = as<Call>(expr)) {
      // `p.to(…)`, `tl.multiple_of(p, 16)`, `tl.make_block_ptr(base=p, …)`, `tl.advance(p, …)`
      auto *method = as<Attribute>(call->func);
      std::string name = languageCall(*call);
      if (name == "multiple_of" || name == "max_contiguous" || name == "advance" ||
          name == "cast" || name == "make_block_ptr" || name.ends_with("make_tensor_descriptor"))
        addressTerms(argument(*call, 0, "base"), terms);
      else if (method && name.empty() && (method->attr == "to" || method->attr == "advance"))
        addressTerms(method->value, terms);
    } else if (auto *name = as<Name>(expr)) {
      if (m_uses.contains(name->id))
        terms.push_back(name->id);
      if (!m_following.insert(name->id).second)
        return;
      if (auto found = m_definitions.find(name->id); found != m_definitions.end())
        for (const Expr *definition : found->second)
          addressTerms(definition, terms);
      m_following.erase(name->id);
    }
  }

  static bool soundsLikePointer(std::string_view name) {
    return name.ends_with("ptr") || name.ends_with("Ptr") || name.ends_with("PTR") ||
           name.ends_with("pointer") || name.ends_with("ptrs") || name.starts_with("ptr_");
  }

  /// The parameter that an address begins with, or null.
  ParameterUse *pointerOf(const Expr *address) {
    std::vector<std::string_view> terms;
    addressTerms(address, terms);
    auto named = std::find_if(terms.begin(), terms.end(), soundsLikePointer);
    if (named == terms.end())
      named = terms.begin();
    return named == terms.end() ? nullptr : &m_uses.find(*named)->second;
  }

  void readAccess(const Call &call) {
    std::string name = languageCall(call);
    auto *method = as<Attribute>(call.func);
    if (name == "load" || name == "load_tensor_descriptor") {
      if (ParameterUse *use = pointerOf(argument(call, 0, "pointer")))
        use->isLoaded = true;
    } else if (name == "store" || name == "store_tensor_descriptor") {
      if (ParameterUse *use = pointerOf(argument(call, 0, "pointer"))) {
        use->isStored = true;
        if (std::string type = castTypeOf(argument(call, 1, "value")); !type.empty())
          use->storedAs = type;
      }
    } else if (name.starts_with("atomic_")) {
      if (ParameterUse *use = pointerOf(argument(call, 0, "pointer"))) {
        use->isStored = true;
        use->isLock |= name == "atomic_cas" || name == "atomic_xchg";
      }
    } else if (name == "make_block_ptr" || name.ends_with("make_tensor_descriptor")) {
      if (ParameterUse *use = pointerOf(argument(call, 0, "base")))
        use->isLoaded = true;
    } else if (method && name.empty() && (method->attr == "load" || method->attr == "store")) {
      if (ParameterUse *use = pointerOf(method->value))
        (method->attr == "load" ? use->isLoaded : use->isStored) = true;
    } else {
      readForwarded(call);
    }
  }

  /// What a function of the file does with its parameters, it does with the arguments.
  void readForwarded(const Call &call) {
    static constexpr int kMaxDepth = 3;
    auto *callee = as<Name>(call.func);
    const JitFunction *function = callee ? m_index.findFunction(callee->id) : nullptr;
    if (!function || function == &m_kernel || m_depth >= kMaxDepth)
      return;
    auto uses = UseAnalyzer(m_index, *function, m_depth + 1).run();
    for (size_t i = 0; i < function->parameters.size(); ++i) {
      const std::string &name = function->parameters[i].name;
      const Expr *value = argument(call, i, name);
      const ParameterUse &inner = uses[name];
      if (!value)
        continue;
      if (inner.isPointer()) {
        if (ParameterUse *use = pointerOf(value))
          merge(*use, inner);
      } else if (ParameterUse *use = parameterOf(value)) {
        merge(*use, inner);
      }
    }
  }

  static void merge(ParameterUse &into, const ParameterUse &from) {
    bool ParameterUse::*flags[] = {
        &ParameterUse::isLoaded,      &ParameterUse::isStored, &ParameterUse::isLock,
        &ParameterUse::yieldsIndices, &ParameterUse::feedsDot, &ParameterUse::inIndexMath,
        &ParameterUse::inDataMath,    &ParameterUse::isShape,  &ParameterUse::isDType,
        &ParameterUse::isCondition,   &ParameterUse::isCalled, &ParameterUse::isComparedWithNone,
        &ParameterUse::isNumber};
    for (bool ParameterUse::*flag : flags)
      into.*flag |= from.*flag;
    if (into.storedAs.empty())
      into.storedAs = from.storedAs;
    if (into.comparedString.empty())
      into.comparedString = from.comparedString;
  }

  /// `fp16` for `x.to(tl.float16)`.
  std::string castTypeOf(const Expr *expr) const {
    auto *call = as<Call>(expr);
    auto *method = call ? as<Attribute>(call->func) : nullptr;
    if (!method || method->attr != "to" || call->args.empty())
      return {};
    static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
        {"float16", "fp16"}, {"bfloat16", "bf16"},  {"float32", "fp32"},
        {"float64", "fp64"}, {"int8", "i8"},        {"int16", "i16"},
        {"int32", "i32"},    {"int64", "i64"},      {"uint8", "u8"},
        {"uint32", "u32"},   {"float8e5", "fp8e5"}, {"float8e4nv", "fp8e4nv"}};
    std::string path = m_index.resolve(*call->args[0]);
    for (const auto &[name, type] : kTypes)
      if (languageMember(path) == name)
        return std::string(type);
    return {};
  }

  Flow flowOfCall(const Call &call) {
    std::string name = languageCall(call);
    if (name == "program_id" || name == "num_programs" || name == "arange" || name == "cdiv" ||
        name == "swizzle2d")
      return Flow::Index;
    if (name == "multiple_of" || name == "max_contiguous" || name == "where")
      return call.args.empty() ? Flow::Unknown : flowOf(call.args.back());
    if (!name.empty() || libdeviceMember(m_index.resolve(*call.func)))
      return Flow::Data;
    auto *method = as<Attribute>(call.func);
    return method ? flowOf(method->value) : Flow::Unknown;
  }

  Flow flowOf(const Expr *expr) {
    if (auto *name = as<Name>(expr)) {
      if (auto use = m_uses.find(name->id); use != m_uses.end())
        return use->second.isPointer() ? Flow::Address : Flow::Unknown;
      if (m_counters.contains(name->id))
        return Flow::Index;
      if (auto known = m_flows.find(name->id); known != m_flows.end())
        return known->second;
      m_flows[name->id] = Flow::Unknown;
      Flow flow = Flow::Unknown;
      if (auto found = m_definitions.find(name->id); found != m_definitions.end())
        for (const Expr *definition : found->second)
          flow = std::max(flow, flowOf(definition));
      return m_flows[name->id] = flow;
    }
    if (auto *operation = as<BinOp>(expr))
      return std::max(flowOf(operation->left), flowOf(operation->right));
    if (auto *operation = as<UnaryOp>(expr))
      return flowOf(operation->operand);
    if (auto *part = as<Subscript>(expr))
      return flowOf(part->value);
    if (auto *choice = as<IfExp>(expr))
      return std::max(flowOf(choice->body), flowOf(choice->orelse));
    if (auto *call = as<Call>(expr))
      return flowOfCall(*call);
    auto *constant = as<Constant>(expr);
    return constant && constant->constantKind == ConstantKind::Float ? Flow::Data : Flow::Unknown;
  }

  void combine(const Expr *one, const Expr *other) {
    ParameterUse *use = parameterOf(one);
    if (!use)
      return;
    use->isNumber = true;
    Flow flow = flowOf(other);
    use->inIndexMath |= flow == Flow::Index || flow == Flow::Address;
    use->inDataMath |= flow == Flow::Data;
  }

  /// The parameters whose loaded values an expression holds.
  void markLoaded(const Expr *expr, bool ParameterUse::*flag, int depth = 0) {
    static constexpr int kMaxDepth = 12;
    if (!expr || depth > kMaxDepth)
      return;
    if (auto *call = as<Call>(expr)) {
      auto *method = as<Attribute>(call->func);
      if (languageCall(*call) == "load") {
        if (ParameterUse *use = pointerOf(argument(*call, 0, "pointer")))
          use->*flag = true;
      } else if (method && languageCall(*call).empty()) {
        markLoaded(method->value, flag, depth + 1);
      } else if (!call->args.empty()) {
        markLoaded(call->args[0], flag, depth + 1);
      }
    } else if (auto *name = as<Name>(expr)) {
      if (auto found = m_definitions.find(name->id); found != m_definitions.end())
        for (const Expr *definition : found->second)
          markLoaded(definition, flag, depth + 1);
    } else if (auto *operation = as<BinOp>(expr)) {
      markLoaded(operation->left, flag, depth + 1);
      markLoaded(operation->right, flag, depth + 1);
    } else if (auto *part = as<Subscript>(expr)) {
      markLoaded(part->value, flag, depth + 1);
    }
  }

  void markShape(const Expr *expr) {
    if (!expr)
      return;
    walk(*expr, [&](const Node &node) {
      if (auto *name = as<Name>(&node))
        if (ParameterUse *use = parameterOf(name))
          use->isShape = true;
      return true;
    });
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
    if (ParameterUse *use = parameterOf(dtype))
      use->isDType = true;
    if (name == "arange")
      for (const Expr *arg : call.args)
        markShape(arg);
    else if (name == "zeros" || name == "full" || name == "reshape" || name == "broadcast_to")
      markShape(argument(call, name == "zeros" || name == "full" ? 0 : 1, "shape"));
    else if (name == "make_block_ptr")
      markShape(argument(call, 4, "block_shape"));
    else if (name.ends_with("make_tensor_descriptor"))
      markShape(argument(call, 3, "block_shape"));
    if (name == "dot")
      for (size_t i = 0; i < 2; ++i)
        markLoaded(argument(call, i, i ? "other" : "input"), &ParameterUse::feedsDot);
    if (name == "load" || name == "store")
      markIndices(argument(call, 0, "pointer"));
    bool isRange = name == "range" || name == "static_range" ||
                   (as<Name>(call.func) && as<Name>(call.func)->id == "range");
    for (const Expr *arg : call.args)
      if (ParameterUse *use = parameterOf(arg)) {
        use->isNumber = true;
        use->inIndexMath |= isRange || name == "cdiv";
        bool isElementwise = name == "maximum" || name == "minimum" || name == "where" ||
                             name == "clamp" || name == "fma" || name == "full";
        use->inDataMath |= isElementwise && flowOf(call.args[0]) != Flow::Index;
      }
  }

  /// Values that were loaded and are added to an address are indices.
  void markIndices(const Expr *address) {
    if (auto *sum = as<BinOp>(address)) {
      markIndices(sum->left);
      markIndices(sum->right);
    } else if (auto *part = as<Subscript>(address)) {
      markIndices(part->value);
    } else if (auto *name = as<Name>(address)) {
      if (!m_following.insert(name->id).second)
        return;
      if (auto found = m_definitions.find(name->id); found != m_definitions.end())
        for (const Expr *definition : found->second)
          markIndices(definition);
      m_following.erase(name->id);
    } else if (auto *call = as<Call>(address)) {
      if (languageCall(*call) == "load")
        markLoaded(call, &ParameterUse::yieldsIndices);
      else if (auto *method = as<Attribute>(call->func); method && languageCall(*call).empty())
        markIndices(method->value);
    }
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
    }
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
    } else if (auto *assign = as<AugAssign>(&node)) {
      combine(assign->value, assign->target);
    } else if (auto *compare = as<Compare>(&node)) {
      readCompare(*compare);
    } else if (auto *call = as<Call>(&node)) {
      readCall(*call);
    } else if (auto *branch = as<If>(&node)) {
      readCondition(branch->test);
    } else if (auto *choice = as<IfExp>(&node)) {
      readCondition(choice->test);
    }
  }

  const ModuleIndex &m_index;
  const JitFunction &m_kernel;
  int m_depth;
  std::map<std::string, ParameterUse, std::less<>> m_uses;
  std::map<std::string_view, std::vector<const Expr *>> m_definitions;
  std::set<std::string_view> m_counters;
  /// Names being looked up, to end cycles.
  std::set<std::string_view> m_following;
  std::map<std::string_view, Flow> m_flows;
};

} // namespace

std::map<std::string, ParameterUse, std::less<>> analyzeUses(const ModuleIndex &index,
                                                             const JitFunction &kernel) {
  return UseAnalyzer(index, kernel, 0).run();
}

} // namespace tilescope::compiler::frontend
