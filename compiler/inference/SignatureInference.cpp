// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/SignatureInference.h"

#include "compiler/constant/Evaluate.h"
#include "compiler/constant/Operators.h"
#include "compiler/inference/CallSites.h"
#include "compiler/inference/ParameterUses.h"
#include "compiler/types/SignatureType.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

namespace tilescope::compiler::inference {

using constant::Value;

namespace {

/// A guessed constant and why.
struct Guess {
  std::string text;
  std::string reason;
  Assumption::Source source = Assumption::Source::Kernel;
};

/// A guessed type and why.
struct TypeGuess {
  SignatureType type;
  std::string reason;
};

using enum ScalarKind;

/// `eps` fits `eps`, `rms_eps`, `eps_2`.
bool hasWord(std::string_view name, std::string_view word) {
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    size_t end = at + word.size();
    bool startsWord = at == 0 || name[at - 1] == '_';
    bool endsWord = end == name.size() || name[end] == '_';
    if (startsWord && endsWord)
      return true;
  }
  return false;
}

bool hasAnyWord(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return hasWord(name, word); });
}

std::string lowered(std::string_view name) {
  std::string result(name);
  for (char &c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

class Inference {
public:
  Inference(const ast::ModuleIndex &index, const ast::JitFunction &kernel, const Selection &given,
            const InferenceStyle &style, const ImportedFunctions *imports = nullptr)
      : m_index(index), m_kernel(kernel), m_style(style),
        m_uses(analyzeUses(index, kernel, imports)), m_passed(argumentsPassedTo(index, kernel)) {
    m_result.selection = given;
    if (m_result.selection.kernel.empty())
      m_result.selection.kernel = kernel.name;
  }

  std::vector<Configuration> configurations() const {
    std::vector<Configuration> result;
    if (!m_kernel.autotuneConfigs)
      return result;
    constant::Environment names = environment();
    // The user waits for the answer: an endless list must not hold it up.
    static constexpr int kMaxLookups = 20000;
    int numLookups = 0;
    names.lookup = [&numLookups, lookUp = names.lookup](std::string_view name) {
      return ++numLookups > kMaxLookups ? std::nullopt : lookUp(name);
    };
    constant::Evaluation configs = constant::evaluate(*m_kernel.autotuneConfigs, names);
    if (!configs || !configs.value->isSequence())
      return result;
    for (const Value &item : configs.value->items())
      if (const auto *config = item.as<constant::ConfigObject>())
        result.push_back(configuration(*config));
    return result;
  }

  InferredSelection run() {
    readConfigurations();
    for (const ast::ParameterInfo &parameter : m_kernel.parameters)
      m_numShapes += isConstexpr(parameter) && !hasValue(parameter) && soundsLikeShape(parameter);
    for (const ast::ParameterInfo &parameter : m_kernel.parameters)
      decide(parameter);
    // The extents of their blocks are known by now.
    for (const ast::ParameterInfo &parameter : m_kernel.parameters)
      if (isDescriptor(parameter))
        decideDescriptor(parameter);
    return std::move(m_result);
  }

private:
  Configuration configuration(const constant::ConfigObject &config) const {
    Configuration result;
    if (config.kwargs.isDict())
      for (const auto &[name, value] : config.kwargs.entries())
        if (name.isStr() && m_kernel.findParameter(name.str()))
          result.constexprs[name.str()] = textOf(value);
    for (const auto &[name, value] : config.options) {
      const bool isLaunchOption =
          name == "num_warps" || name == "num_stages" || name == "num_ctas" || name == "maxnreg";
      if (isLaunchOption && !value.isNone())
        result.options[name] = textOf(value);
    }
    return result;
  }

  void assumeType(const std::string &name, const TypeGuess &guess) {
    const std::string text = toSignature(guess.type);
    m_result.selection.signature[name] = text;
    m_result.assumptions.push_back({name, text, false, Assumption::Source::Kernel, guess.reason});
  }
  void assumeConstant(const std::string &name, const Guess &guess) {
    m_result.selection.constexprs[name] = guess.text;
    m_result.assumptions.push_back({name, guess.text, true, guess.source, guess.reason});
  }

  static bool isConstexpr(const ast::ParameterInfo &parameter) {
    return parameter.annotationKind == ast::AnnotationKind::Constexpr;
  }
  const ast::Expr *defaultOf(const ast::ParameterInfo &parameter) const {
    bool isOpen = m_style.openDefaults && m_style.openDefaults->contains(parameter.name);
    return isOpen ? nullptr : parameter.defaultValue;
  }
  bool hasValue(const ast::ParameterInfo &parameter) const {
    return m_result.selection.constexprs.contains(parameter.name) || defaultOf(parameter);
  }
  const ParameterUse &useOf(const ast::ParameterInfo &parameter) const {
    return m_uses.find(parameter.name)->second;
  }
  bool soundsLikeShape(const ast::ParameterInfo &parameter) const {
    std::string name = lowered(parameter.name);
    return useOf(parameter).isShape || name.starts_with("block") || name.ends_with("block") ||
           name.ends_with("block_size");
  }

  /// A name imported from a module that works on the host: `from triton import Config`.
  static std::optional<Value> importedValue(const std::string &path) {
    if (std::optional<Value> module = constant::hostModule(path))
      return module;
    size_t dot = path.rfind('.');
    std::optional<Value> module =
        dot == std::string::npos ? std::nullopt : constant::hostModule(path.substr(0, dot));
    if (!module)
      return std::nullopt;
    constant::ValueOrError member =
        constant::hostEnvironment({}).attribute(*module, std::string_view(path).substr(dot + 1));
    return member ? std::optional(*member) : std::nullopt;
  }

  constant::Environment environment() const {
    constant::Environment result = constant::hostEnvironment({});
    auto lookUpHost = result.lookup;
    result.lookup = [this, lookUpHost](std::string_view name) -> std::optional<Value> {
      if (auto found = m_index.imports.find(name); found != m_index.imports.end())
        return importedValue(found->second);
      const ast::ModuleConstant *global = m_index.findConstant(name);
      // Globals that refer to each other in a circle have no value.
      static constexpr int kMaxDepth = 8;
      if (!global || m_depth >= kMaxDepth)
        return lookUpHost(name);
      ++m_depth;
      constant::Environment names = environment();
      constant::Evaluation value = constant::evaluate(*global->value, names);
      --m_depth;
      return value.value;
    };
    return result;
  }

  /// What an expression for configurations refers to: itself, the value of a global, or the
  /// function of the file that makes them.
  const ast::Node *configurationSource(const ast::Expr &expr) const {
    const ast::Expr *named = &expr;
    if (auto *call = ast::as<ast::Call>(named))
      named = call->func;
    auto *name = ast::as<ast::Name>(named);
    if (!name)
      return &expr;
    if (const ast::ModuleConstant *global = m_index.findConstant(name->id))
      return global->value;
    for (const ast::Stmt *definition : m_index.otherDefinitions)
      if (auto *function = ast::as<ast::FunctionDef>(definition);
          function && function->name == name->id)
        return function;
    return &expr;
  }

  /// The first `Config(...)` in the text of `source`.
  const ast::Call *firstConfiguration(const ast::Node &source) const {
    const ast::Call *config = nullptr;
    ast::walk(source, [&](const ast::Node &node) {
      auto *call = config ? nullptr : ast::as<ast::Call>(&node);
      if (call && m_index.resolve(*call->func).ends_with("Config"))
        config = call;
      return !config;
    });
    return config;
  }

  /// Names that loops and comprehensions of `source` bind, each to the first of its values.
  void bindLoopNames(const ast::Node &source,
                     std::map<std::string, Value, std::less<>> &names) const {
    ast::walk(source, [&](const ast::Node &node) {
      const ast::Expr *target = nullptr, *values = nullptr;
      if (auto *loop = ast::as<ast::For>(&node))
        std::tie(target, values) = std::pair(loop->target, loop->iter);
      else if (auto *generator = ast::as<ast::Comprehension>(&node))
        std::tie(target, values) = std::pair(generator->target, generator->iter);
      if (auto *name = ast::as<ast::Name>(target))
        if (constant::Evaluation found = constant::evaluate(*values, environment());
            found && found.value->isSequence() && !found.value->items().empty())
          names.emplace(name->id, found.value->items()[0]);
      return true;
    });
  }

  /// The first configuration of `@triton.autotune` provides constants and options. Only what can be
  /// told from the text counts.
  void readConfigurations() {
    if (!m_kernel.autotuneConfigs)
      return;
    const ast::Node &source = *configurationSource(*m_kernel.autotuneConfigs);
    const ast::Call *config = firstConfiguration(source);
    if (!config)
      return;
    std::map<std::string, Value, std::less<>> loopNames;
    bindLoopNames(source, loopNames);
    constant::Environment names = environment();
    auto lookUp = names.lookup;
    names.lookup = [&](std::string_view name) {
      auto found = loopNames.find(name);
      return found != loopNames.end() ? std::optional(found->second) : lookUp(name);
    };
    Selection &selection = m_result.selection;
    auto setConstant = [&](std::string_view name, const Value &value) {
      if (m_kernel.findParameter(name) && !selection.constexprs.contains(std::string(name)))
        assumeConstant(std::string(name), configured(value));
    };
    auto setOption = [&](std::string_view name, const ast::Expr &expr) {
      static constexpr std::string_view kOptions[] = {"num_warps", "num_stages", "num_ctas",
                                                      "maxnreg"};
      constant::Evaluation value = constant::evaluate(expr, names);
      if (std::ranges::find(kOptions, name) == std::end(kOptions) || !value ||
          value.value->isNone())
        return;
      const Guess guess = configured(*value.value);
      if (selection.options.try_emplace(std::string(name), guess.text).second)
        m_result.assumptions.push_back(
            {std::string(name), guess.text, true, guess.source, guess.reason});
    };
    auto readConstants = [&](const ast::Expr &expr) {
      if (auto *dict = ast::as<ast::Dict>(&expr)) {
        for (size_t i = 0; i < dict->keys.size(); ++i)
          if (auto *key = ast::as<ast::Constant>(dict->keys[i]))
            if (constant::Evaluation value = constant::evaluate(*dict->values[i], names))
              setConstant(key->text, *value.value);
      } else if (constant::Evaluation value = constant::evaluate(expr, names);
                 value && value.value->isDict()) {
        for (const auto &[key, each] : value.value->entries())
          if (key.isStr())
            setConstant(key.str(), each);
      }
    };
    static constexpr std::string_view kPositional[] = {"kwargs", "num_warps", "num_stages",
                                                       "num_ctas"};
    for (size_t i = 0; i < config->args.size() && i < std::size(kPositional); ++i)
      i == 0 ? readConstants(*config->args[i]) : setOption(kPositional[i], *config->args[i]);
    for (const ast::Keyword *keyword : config->keywords)
      if (keyword->arg)
        keyword->arg == "kwargs" ? readConstants(*keyword->value)
                                 : setOption(*keyword->arg, *keyword->value);
  }

  static Guess configured(const Value &value) {
    return {textOf(value), "the first autotune configuration says so",
            Assumption::Source::Configuration};
  }

  static std::string textOf(const Value &value) {
    return value.isDType() ? "tl." + value.dtype().languageName() : constant::repr(value);
  }

  bool isDescriptor(const ast::ParameterInfo &parameter) const {
    const ParameterUse &use = useOf(parameter);
    return use.isDescriptor && !use.isPointer() && !isConstexpr(parameter) &&
           !m_result.selection.signature.contains(parameter.name) &&
           !m_result.selection.constexprs.contains(parameter.name);
  }

  void decideDescriptor(const ast::ParameterInfo &parameter) {
    const ParameterUse &use = useOf(parameter);
    const ScalarKind element = storedAs(use).value_or(use.feedsDot ? Fp16 : Fp32);
    std::vector<int64_t> shape;
    bool hasKnown = std::ranges::any_of(use.blockExtents,
                                        [](const std::string &name) { return !name.empty(); });
    for (size_t i = 0; i < use.blockExtents.size(); ++i) {
      const std::string &name = use.blockExtents[i];
      // `d.load([batch, k * BLOCK_K])`: one of the first, a block of the second.
      bool isSingle = name.empty() && hasKnown && i + 1 < use.blockExtents.size();
      shape.push_back(knownExtent(name).value_or(isSingle ? 1 : kGuessedExtent));
    }
    assumeType(parameter.name,
               {SignatureType::block({element}, std::move(shape), SignatureType::Form::Descriptor),
                "blocks are loaded from it or stored to it at offsets"});
  }

  /// The value of a constexpr that is a positive number.
  std::optional<int64_t> knownExtent(const std::string &name) const {
    const auto value = m_result.selection.constexprs.find(name);
    if (value == m_result.selection.constexprs.end())
      return std::nullopt;
    const std::string &text = value->second;
    int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    const bool isExtent = error == std::errc() && end == text.data() + text.size() && extent > 0;
    return isExtent ? std::optional(extent) : std::nullopt;
  }

  /// The element type that the kernel casts what it stores to.
  static std::optional<ScalarKind> storedAs(const ParameterUse &use) {
    return scalarFromSignature(use.storedAs);
  }

  void decide(const ast::ParameterInfo &parameter) {
    Selection &selection = m_result.selection;
    if (isDescriptor(parameter))
      return;
    if (selection.constexprs.contains(parameter.name) ||
        selection.signature.contains(parameter.name))
      return;
    if (isConstexpr(parameter)) {
      if (defaultOf(parameter) || selection.options.contains(parameter.name))
        return;
      std::optional<Guess> guess = passedConstant(parameter);
      if (!guess)
        guess = guessConstant(parameter);
      if (guess)
        assumeConstant(parameter.name, *guess);
      return;
    }
    // Annotations may also hold texts that are not types.
    if (parameter.annotationKind == ast::AnnotationKind::DType &&
        parseScalarType(parameter.dtype)) {
      selection.signature[parameter.name] = parameter.dtype;
      return;
    }
    if (useOf(parameter).isDType && !defaultOf(parameter))
      return assumeConstant(parameter.name, {"tl.float32", "it is used as a dtype"});
    std::optional<TypeGuess> guess = guessType(parameter);
    if (!guess)
      return;
    correctByLaunch(parameter, *guess);
    if (parameter.annotationKind == ast::AnnotationKind::ConstPointer && guess->type.isPointer())
      guess->type.scalar.isConst = true;
    assumeType(parameter.name, *guess);
  }

  PassedArgument passedFor(const ast::ParameterInfo &parameter) const {
    auto found = m_passed.find(parameter.name);
    return found == m_passed.end() ? PassedArgument{} : found->second;
  }

  std::optional<Guess> passedConstant(const ast::ParameterInfo &parameter) const {
    const PassedArgument passed = passedFor(parameter);
    if (passed.kind == PassedArgument::Kind::Constant)
      return Guess{passed.text, "the file launches the kernel this way",
                   Assumption::Source::Launch};
    if (passed.kind == PassedArgument::Kind::Boolean)
      return Guess{m_style.isComplete ? "True" : "False", "the file passes a condition"};
    if (passed.kind == PassedArgument::Kind::Real)
      return Guess{"1.0", "the file passes a real number"};
    return std::nullopt;
  }

  /// The arguments that the file itself passes say more than use and names do.
  void correctByLaunch(const ast::ParameterInfo &parameter, TypeGuess &guess) const {
    const PassedArgument passed = generalized(passedFor(parameter));
    if (guess.type.isConstexpr())
      return;
    const bool isPointer = guess.type.isPointer();
    const ScalarClass category = scalarInfo(guess.type.scalar.dtype).category;
    const bool isInteger = category != ScalarClass::Void && category != ScalarClass::Floating;
    using Kind = PassedArgument::Kind;
    if (passed.kind == Kind::Tensor && (!isPointer || !passed.text.empty()))
      guess = {SignatureType::pointerTo(scalarFromSignature(passed.text).value_or(Fp32)),
               passed.text.empty() ? "the file passes a tensor" : "the file passes such a tensor"};
    else if (passed.kind == Kind::Real && !isPointer)
      guess = {Fp32, "the file passes a real number"};
    else if (passed.kind == Kind::Integer && !isPointer && !isInteger)
      guess = {Int32, "the file passes an integer"};
    else if (passed.kind == Kind::Boolean && !isPointer)
      guess = {Int1, "the file passes a condition"};
  }

  std::optional<Guess> guessConstant(const ast::ParameterInfo &parameter) {
    const ParameterUse &use = useOf(parameter);
    std::string name = lowered(parameter.name);
    if (name == "num_warps")
      return Guess{"4", "the usual number of warps"};
    if (name == "num_stages")
      return Guess{"3", "the usual number of stages"};
    if (!use.comparedString.empty())
      return Guess{constant::repr(Value::string(use.comparedString)),
                   "it is compared with this value"};
    if (!use.keyword.empty())
      return Guess{use.keyword, "it is passed as a keyword argument of the language"};
    if (use.isDType)
      return Guess{"tl.float32", "it is used as a dtype"};
    if (use.numItems > 0) {
      std::string items;
      for (int i = 0; i < use.numItems; ++i)
        items += use.isShape ? "16, " : "1, ";
      return Guess{"(" + items + ")", "items are taken out of it"};
    }
    if (use.isComparedWithNone)
      return Guess{"None", "it may be absent"};
    if (use.isCalled)
      return std::nullopt;
    if (use.comparedNumber && !use.isShape)
      return Guess{std::to_string(*use.comparedNumber), "it is compared with this value"};
    if (name == "stage")
      return Guess{"3", "both parts of causal attention"};
    if (use.isUnrolled)
      return Guess{use.isShape ? "16" : "4",
                   "it counts the iterations of an expanded loop, or is an exponent"};
    if (use.isFactor)
      return Guess{"2", "an extent is divided by it"};
    if (name.starts_with("group"))
      return Guess{"8", "the usual group size"};
    if (hasAnyWord(name, {"split", "splits"}) && !use.isShape)
      return Guess{"2", "two programs share the work"};
    if (hasWord(name, "half"))
      return Guess{"32", "half of a common extent"};
    if (soundsLikeShape(parameter)) {
      if (m_style.hasEqualExtents)
        return Guess{"64", "all blocks have the same size"};
      bool isInner = name.ends_with("k");
      if (m_numShapes <= 1)
        return Guess{"1024", "a common block size"};
      return Guess{isInner ? "32" : "64", "a common size for one side of a block"};
    }
    bool soundsLikeFlag = name.starts_with("is_") || name.starts_with("has_") ||
                          name.starts_with("use_") || name.starts_with("even") ||
                          name.starts_with("do_") || hasWord(name, "causal");
    if (soundsLikeFlag || (use.isCondition && !use.inIndexMath))
      return Guess{m_style.isComplete ? "True" : "False", "it is a switch"};
    if (hasAnyWord(name, {"eps", "epsilon"}))
      return Guess{"1e-05", "a common epsilon"};
    if (use.inDataMath && !use.inIndexMath && !use.isBits)
      return Guess{"1.0", "it is combined with data"};
    if (hasWord(name, "stride") || name.starts_with("stride"))
      return Guess{"1", "elements lie side by side"};
    return Guess{"64", "a small number"};
  }

  /// For parameters with a default: the type of its value.
  std::optional<TypeGuess> guessFromDefault(const ast::ParameterInfo &parameter) const {
    constant::Environment names = environment();
    constant::Evaluation value = constant::evaluate(*defaultOf(parameter), names);
    if (!value)
      return std::nullopt;
    const std::string reason = "its default is `" + constant::repr(*value.value) + "`";
    if (value.value->isBool())
      return TypeGuess{Int1, reason};
    if (value.value->isInt())
      return TypeGuess{Int32, reason};
    if (value.value->isFloat())
      return TypeGuess{Fp32, reason};
    return TypeGuess{SignatureType::constexprValue(), reason};
  }

  TypeGuess guessPointer(const ParameterUse &use, const std::string &name) const {
    std::string reason = use.isLoaded && use.isStored ? "it is loaded from and stored to"
                         : use.isLoaded               ? "it is loaded from"
                                                      : "it is stored to";
    auto pointer = [&](ScalarKind element, std::string_view more) {
      return TypeGuess{SignatureType::pointerTo(element),
                       more.empty() ? reason : reason + ", " + std::string(more)};
    };
    if (use.isLock)
      return pointer(Int32, "and used as a lock or counter");
    if (use.yieldsIndices)
      return pointer(m_style.index, "and its elements are used as indices");
    if (use.feedsScaledDot)
      return pointer(Uint8, "and its elements are multiplied by `tl.dot_scaled`");
    if (use.feedsIntDot)
      return pointer(Int8, "and its elements are multiplied by `tl.dot` as integers");
    if (use.yieldsBits)
      return pointer(Int32, "and its elements are used as bits");
    if (use.yieldsBools)
      return pointer(Int1, "and its elements are used as conditions");
    if (const std::optional<ScalarKind> element = storedAs(use))
      return pointer(*element, "and stored values are cast to this type");
    if (use.feedsDot)
      return pointer(m_style.factor, "and its elements are multiplied by `tl.dot`");
    if (hasAnyWord(name, {"idx",     "index",     "indices", "ids",     "labels", "targets",
                          "indptr",  "offsets",   "seqlens", "lengths", "lens",   "len",
                          "num",     "count",     "counts",  "starts",  "ends",   "slots",
                          "mapping", "positions", "pos",     "table",   "tables"}))
      return pointer(m_style.index, "and named like indices");
    if (hasWord(name, "mask"))
      return pointer(Int1, "and named like a mask");
    return pointer(Fp32, "");
  }

  /// `stride_am, stride_ak`: the last of a group of strides is 1.
  bool isInnermostStride(const ast::ParameterInfo &parameter) const {
    const auto &parameters = m_kernel.parameters;
    auto groupOf = [](std::string_view name) {
      return name.starts_with("stride") && !name.empty() ? name.substr(0, name.size() - 1)
                                                         : std::string_view();
    };
    std::string_view group = groupOf(parameter.name);
    if (group.empty())
      return false;
    size_t count = 0;
    const ast::ParameterInfo *last = nullptr;
    for (const ast::ParameterInfo &other : parameters)
      if (groupOf(other.name) == group) {
        ++count;
        last = &other;
      }
    return count > 1 && last == &parameter;
  }

  /// A block of that rank whose extents nothing tells.
  static SignatureType guessedBlock(const ScalarType &element, int rank) {
    return SignatureType::block(element, std::vector(static_cast<size_t>(rank), kGuessedExtent));
  }

  std::optional<TypeGuess> guessType(const ast::ParameterInfo &parameter) const {
    const ParameterUse &use = useOf(parameter);
    std::string name = lowered(parameter.name);
    bool isAbsent = !m_style.isComplete && defaultOf(parameter);
    if (use.numItems > 0 && !defaultOf(parameter)) {
      const SignatureType item = use.isPointer() ? guessPointer(use, name).type : Int32;
      return TypeGuess{SignatureType::tuple(std::vector(static_cast<size_t>(use.numItems), item)),
                       "items are taken out of it"};
    }
    if (use.isPointer() && !isAbsent) {
      TypeGuess guess = guessPointer(use, name);
      if (use.rank > 0)
        guess.type = guessedBlock(guess.type.scalar, use.rank);
      return guess;
    }
    if (defaultOf(parameter))
      return guessFromDefault(parameter);
    if (use.rank > 0) {
      const ScalarKind element = use.feedsDot      ? Fp16
                                 : use.isMask      ? Int1
                                 : use.inIndexMath ? Int32
                                                   : Fp32;
      return TypeGuess{guessedBlock({element}, use.rank),
                       "the body needs a block of rank " + std::to_string(use.rank)};
    }
    if (use.isMask)
      return TypeGuess{Int1, "it is a mask"};
    if (use.isBits)
      return TypeGuess{Int32, "it is an operand of bit operations"};
    if (name.ends_with("ptr") || name.ends_with("ptrs") || name.ends_with("pointer"))
      return TypeGuess{SignatureType::pointerTo(Fp32), "it is named like a pointer"};
    if (use.isUnitStride)
      return TypeGuess{{Int32, SignatureHint::One}, "the last stride of a tensor descriptor is 1"};
    if (isInnermostStride(parameter))
      return TypeGuess{{Int32, SignatureHint::One}, "the last stride of a row-major tensor is 1"};
    bool soundsLikeFloat = hasAnyWord(
        name, {"eps", "epsilon", "scale", "alpha", "beta", "gamma", "theta", "momentum", "lr", "p",
               "prob", "dropout", "temperature", "decay", "slope", "beta1", "beta2", "scaling"});
    if (use.inDataMath && !use.inIndexMath)
      return TypeGuess{Fp32, "it is combined with data"};
    if (soundsLikeFloat && !use.inIndexMath)
      return TypeGuess{Fp32, "it is named like a real number"};
    bool isSize = use.inIndexMath || name.starts_with("stride") || name.starts_with("n_") ||
                  hasAnyWord(name, {"size", "len", "dim", "rows", "cols", "numel", "stride"});
    if (hasWord(name, "seed"))
      return TypeGuess{Int32, "it is named like a seed"};
    return isSize ? TypeGuess{{Int32, SignatureHint::Divisible},
                              "it is a size or stride, most often a multiple of 16"}
                  : TypeGuess{Int32, "nothing says otherwise"};
  }

  static constexpr int64_t kGuessedExtent = 64;

  const ast::ModuleIndex &m_index;
  const ast::JitFunction &m_kernel;
  InferenceStyle m_style;
  std::map<std::string, ParameterUse, std::less<>> m_uses;
  std::map<std::string, PassedArgument, std::less<>> m_passed;
  int m_numShapes = 0;
  /// Globals being evaluated.
  mutable int m_depth = 0;
  InferredSelection m_result;
};

} // namespace

std::vector<Configuration> configurationsOf(const ast::ModuleIndex &index,
                                            const ast::JitFunction &kernel) {
  return Inference(index, kernel, {}, {}).configurations();
}

InferredSelection inferSelection(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
                                 const Selection &given, const InferenceStyle &style,
                                 const ImportedFunctions *imports) {
  return Inference(index, kernel, given, style, imports).run();
}

} // namespace tilescope::compiler::inference
