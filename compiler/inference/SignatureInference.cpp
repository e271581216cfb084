// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/SignatureInference.h"

#include "compiler/constant/Operators.h"
#include "compiler/inference/AutotuneConfigs.h"
#include "compiler/inference/CallSites.h"
#include "compiler/inference/NameWords.h"
#include "compiler/inference/ParameterUses.h"
#include "compiler/inference/TypeGuess.h"
#include "compiler/types/SignatureType.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace tilescope::compiler::inference {

using constant::Value;

namespace {

/// A guessed constant and why.
struct Guess {
  std::string text;
  std::string reason;
  Assumption::Source source = Assumption::Source::Kernel;
};

using enum ScalarKind;

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

  InferredSelection run() {
    readConfiguration();
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
  /// Values that are given go before those of the configuration.
  void readConfiguration() {
    Selection &selection = m_result.selection;
    for (const ConfiguredValue &value : firstConfiguration(m_index, m_kernel)) {
      const bool isOption = value.kind == ConfiguredValue::Kind::Option;
      auto &values = isOption ? selection.options : selection.constexprs;
      if (values.try_emplace(value.name, value.text).second)
        m_result.assumptions.push_back({value.name, value.text, true,
                                        Assumption::Source::Configuration,
                                        "the first autotune configuration says so"});
    }
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

  /// What is an extent as well stands in the place of a dtype by mistake: `tl.zeros(BM, BN)`.
  static bool isDTypeOf(const ParameterUse &use) { return use.isDType && !use.isShape; }

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

  /// Sides of blocks differ, as far as the kernel lets them: equal ones would hide that axes are exchanged.
  const char *sideOf(const ast::ParameterInfo &parameter) const {
    static constexpr const char *kOuter[] = {"128", "64", "32", "16"};
    const auto isInner = [](const ast::ParameterInfo &each) {
      return lowered(each.name).ends_with("k");
    };
    if (isInner(parameter))
      return "32";
    size_t numBefore = 0;
    for (const ast::ParameterInfo &each : m_kernel.parameters) {
      if (each.name == parameter.name)
        break;
      numBefore += isConstexpr(each) && !defaultOf(each) && soundsLikeShape(each) && !isInner(each);
    }
    return kOuter[numBefore % std::size(kOuter)];
  }

  bool isDescriptor(const ast::ParameterInfo &parameter) const {
    const ParameterUse &use = useOf(parameter);
    return use.isDescriptor && !use.isPointer() && !isConstexpr(parameter) &&
           !m_result.selection.signature.contains(parameter.name) &&
           !m_result.selection.constexprs.contains(parameter.name);
  }

  void decideDescriptor(const ast::ParameterInfo &parameter) {
    const ParameterUse &use = useOf(parameter);
    const ScalarKind element = storedElement(use).value_or(use.feedsDot ? Fp16 : Fp32);
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
    if (isDTypeOf(useOf(parameter)) && !defaultOf(parameter))
      return assumeConstant(parameter.name, {"tl.float32", "it is used as a dtype"});
    std::optional<TypeGuess> guess =
        guessType({m_index, m_kernel, parameter, useOf(parameter), defaultOf(parameter), m_style});
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
    if (isDTypeOf(use))
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
      if (m_numShapes <= 1)
        return Guess{"1024", "a common block size"};
      return Guess{sideOf(parameter), "a common size for one side of a block"};
    }
    bool soundsLikeFlag = name.starts_with("is_") || name.starts_with("has_") ||
                          name.starts_with("use_") || name.starts_with("even") ||
                          name.starts_with("do_") || hasWord(name, "causal");
    if (soundsLikeFlag || (use.isCondition && !use.inIndexMath))
      return Guess{m_style.isComplete ? "True" : "False", "it is a switch"};
    if (hasAnyWord(name, {"eps", "epsilon"}))
      return Guess{"0.01", "an epsilon that results show"};
    if (use.inDataMath && !use.inIndexMath && !use.isBits)
      return Guess{"1.0", "it is combined with data"};
    if (use.inIndexMath &&
        hasAnyWord(name, {"ks", "kh", "kw", "ksize", "kernel", "window", "win", "taps", "radius"}))
      return Guess{"3", "a common size of a window"};
    if (name == "stride" && use.inIndexMath)
      return Guess{"2", "windows begin so far apart"};
    if (hasWord(name, "stride") || name.starts_with("stride"))
      return Guess{"1", "elements lie side by side"};
    if (use.inIndexMath && hasAnyWord(name, {"s", "step", "dilation", "factor", "pad", "padding"}))
      return Guess{"2", "indices are moved on by it"};
    if (use.isMovedBy && !use.isExtentOrFactor && !use.isShape)
      return Guess{"2", "indices are moved on by it"};
    if (use.isCountedTo && use.inIndexMath)
      return Guess{"4", "a loop counts up to it"};
    return Guess{"64", "a small number"};
  }

  const ast::ModuleIndex &m_index;
  const ast::JitFunction &m_kernel;
  InferenceStyle m_style;
  std::map<std::string, ParameterUse, std::less<>> m_uses;
  std::map<std::string, PassedArgument, std::less<>> m_passed;
  int m_numShapes = 0;
  InferredSelection m_result;
};

} // namespace

InferredSelection inferSelection(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
                                 const Selection &given, const InferenceStyle &style,
                                 const ImportedFunctions *imports) {
  return Inference(index, kernel, given, style, imports).run();
}

} // namespace tilescope::compiler::inference
