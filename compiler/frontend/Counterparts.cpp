// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Counterparts.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/IntegerOperands.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/UfuncMethods.h"
#include "compiler/syntax/LanguageReference.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
/// A function that kernels spell out or know by another name. Names in braces stand for its
/// arguments, in order, and for themselves where an argument is not known.
struct Counterpart {
  std::string_view name;
  std::string_view code;
  /// The code computes what the call with these arguments does: a fix may write it.
  bool isSame = false;
};

/// What a function is applied to, as code; what is empty is not known.
using Operands = std::vector<std::string>;

/// A use of a name behind a dot, or of a name that is called, and its call.
struct Use {
  /// An attribute or a name; null: there is no such use.
  const ast::Expr *callee = nullptr;
  const ast::Call *call = nullptr;

  /// What stands before the dot; null: nothing.
  const ast::Expr *base() const {
    const auto *access = callee ? ast::as<ast::Attribute>(callee) : nullptr;
    return access ? access->value : nullptr;
  }
};
} // namespace

/// Sorted by name.
static constexpr Counterpart kCounterparts[] = {
    {"absolute", "tl.abs({x})", true},
    {"add", "{a} + {b}"},
    {"all", "tl.min({x}.to(tl.int32), axis=0) != 0"},
    {"amax", "tl.max({x}, axis=0)"},
    {"amin", "tl.min({x}, axis=0)"},
    {"any", "tl.max({x}.to(tl.int32), axis=0) != 0"},
    {"astype", "{x}.to(tl.float32)"},
    {"clip", "tl.clamp({x}, {low}, {high})", true},
    {"concatenate", "tl.cat({a}, {b})"},
    {"copy", "{x}", true},
    {"count_nonzero", "tl.sum(({x} != 0).to(tl.int32))", true},
    {"divide", "{a} / {b}"},
    {"empty", "tl.zeros([BLOCK], dtype=tl.float32)"},
    {"float", "{x}.to(tl.float32)", true},
    {"gelu", "0.5 * {x} * (1 + tl.erf({x} * 0.70710678))", true},
    {"half", "{x}.to(tl.float16)", true},
    {"leaky_relu", "tl.where({x} > 0, {x}, 0.01 * {x})", true},
    {"matmul", "tl.dot({a}, {b})"},
    {"mm", "tl.dot({a}, {b})"},
    {"mod", "{a} % {b}", true},
    {"multiply", "{a} * {b}"},
    {"ones", "tl.full([BLOCK], 1.0, dtype=tl.float32)"},
    {"ones_like", "tl.full({x}.shape, 1, dtype={x}.dtype)", true},
    {"outer", "{a}[:, None] * {b}[None, :]"},
    {"power", "libdevice.pow({a}, {b})"},
    {"relu", "tl.maximum({x}, 0)", true},
    {"sign", "tl.where({x} > 0, 1.0, tl.where({x} < 0, -1.0, 0.0))"},
    {"silu", "{x} * tl.sigmoid({x})", true},
    {"size", "{x}.numel", true},
    {"softplus", "tl.log(1 + tl.exp({x}))", true},
    {"square", "{x} * {x}", true},
    {"stack", "tl.join({a}, {b})"},
    {"std", "tl.sqrt(tl.sum(tl.where(mask, ({x} - mean) * ({x} - mean), 0.0), axis=0) / n)"},
    {"subtract", "{a} - {b}"},
    {"swish", "{x} * tl.sigmoid({x})", true},
    {"transpose", "tl.trans({x})"},
    {"var", "tl.sum(tl.where(mask, ({x} - mean) * ({x} - mean), 0.0), axis=0) / n"},
};

/// `clip` of integers.
static constexpr std::string_view kIntegerClip = "tl.minimum(tl.maximum({x}, {low}), {high})";

/// Values that libraries of the host have names for.
static constexpr Counterpart kValues[] = {{"inf", "float(\"inf\")"},
                                          {"nan", "float(\"nan\")"},
                                          {"newaxis", "None"},
                                          {"pi", "3.141592653589793"}};

static const Counterpart *findValue(std::string_view name) {
  const auto *found = std::ranges::find(kValues, name, &Counterpart::name);
  return found != std::end(kValues) ? found : nullptr;
}

static const Counterpart *findCounterpart(std::string_view name) {
  const auto *found = std::ranges::lower_bound(kCounterparts, name, {}, &Counterpart::name);
  return found != std::end(kCounterparts) && found->name == name ? found : nullptr;
}

/// Whether code from `begin` up to `end` is all of an argument, of which nothing else takes a part.
static bool isWholeArgument(std::string_view code, size_t begin, size_t end) {
  const bool begins = code.substr(0, begin).ends_with('(') || code.substr(0, begin).ends_with(", ");
  return begins && (code.substr(end).starts_with(')') || code.substr(end).starts_with(','));
}

/// The code with operands in the places of the names in braces.
static std::string applied(std::string_view code, const Operands &operands) {
  std::string text;
  std::vector<std::string_view> names;
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] != '{') {
      text += code[at];
      continue;
    }
    const size_t end = code.find('}', at);
    const std::string_view name = code.substr(at + 1, end - at - 1);
    const auto known = std::ranges::find(names, name);
    const auto index = static_cast<size_t>(known - names.begin());
    if (known == names.end())
      names.push_back(name);
    const std::string operand =
        index < operands.size() && !operands[index].empty() ? operands[index] : std::string(name);
    text += isWholeArgument(code, at, end + 1) ? operand : asFactor(operand);
    at = end;
  }
  return text;
}

/// How many arguments the code needs.
static size_t numOperands(std::string_view code) {
  std::vector<std::string_view> names;
  for (size_t at = code.find('{'); at != code.npos; at = code.find('{', at + 1)) {
    const std::string_view name = code.substr(at + 1, code.find('}', at) - at - 1);
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names.size();
}

static bool isOfLanguage(std::string_view name) {
  return ast::findReference("triton.language." + std::string(name));
}

bool hasCounterpart(std::string_view name) {
  return isOfLanguage(name) || hasLibdeviceFunction(name) || name == "mean" ||
         findCounterpart(name) || findValue(name);
}

static std::vector<std::string> notesOf(std::string_view path, const Operands &operands) {
  const std::string name(path.substr(path.rfind('.') + 1));
  if (isOfLanguage(name))
    return {"kernels have `tl." + name + "`"};
  if (name == "mean")
    return {"divide the sum by the number of elements that count, without those that a mask leaves "
            "out: `" +
            applied("tl.sum({x}, axis=0) / n", operands) + "`"};
  if (const Counterpart *value = findValue(name))
    return {"kernels write `" + std::string(value->code) + "`"};
  if (const Counterpart *found = findCounterpart(name))
    return {"kernels write `" + applied(found->code, operands) + "`"};
  if (hasLibdeviceFunction(name))
    return {"kernels have `libdevice." + name + "`: `from triton.language.extra import libdevice`"};
  return {};
}

std::vector<std::string> counterpartNotes(std::string_view path) { return notesOf(path, {}); }

/// Whether an expression uses `name` at that place: at the name itself, at the part before the dot,
/// or at the whole.
static bool isUse(const ast::Expr &expr, std::string_view name, const SourceRange &range) {
  const auto *access = ast::as<ast::Attribute>(&expr);
  if (access)
    return access->attr == name &&
           (access->attrRange.begin == range.begin || access->range.begin == range.begin);
  const auto *called = ast::as<ast::Name>(&expr);
  return called && called->id == name && called->range.begin == range.begin;
}

/// The use of `name` that a diagnostic is about.
static Use findUse(const Frame &frame, std::string_view name, const SourceRange &range) {
  Use use;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const ast::Expr *callee = call ? call->func : ast::as<ast::Attribute>(&node);
      if (!use.callee && callee && isUse(*callee, name, range))
        use = {callee, call};
      return !use.callee;
    });
  return use;
}

/// Whether it is a name with a value at run time, so that what follows its dot is a method.
static bool isRunTimeValue(const Frame &frame, const ast::Expr *expr) {
  if (expr &&
      (ast::is<ast::BinOp>(expr) || ast::is<ast::UnaryOp>(expr) || ast::is<ast::Call>(expr)))
    return true;
  const auto *name = expr ? ast::as<ast::Name>(expr) : nullptr;
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor();
}

/// What a method belongs to, and the arguments of the call. Those of a sequence count one by one.
static std::vector<const ast::Expr *> operandsOf(const Frame &frame, const Use &use) {
  std::vector<const ast::Expr *> operands;
  if (isRunTimeValue(frame, use.base()))
    operands.push_back(use.base());
  if (!use.call)
    return operands;
  const auto &args = use.call->args;
  const auto *tuple = args.size() == 1 ? ast::as<ast::Tuple>(args.front()) : nullptr;
  const auto *list = args.size() == 1 ? ast::as<ast::List>(args.front()) : nullptr;
  const auto &items = tuple ? tuple->elts : list ? list->elts : args;
  operands.insert(operands.end(), items.begin(), items.end());
  return operands;
}

/// Whether it names a pointer, of which methods and functions of arrays mean the elements.
static bool isPointer(const Frame &frame, const ast::Name *name) {
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor() && value->tensor()->type.isPointer();
}

/// An operand as code; empty for what is no operand of a kernel, such as an array that is indexed.
static std::string operandCode(const Frame &frame, const ast::Expr &operand, size_t longest = 32) {
  const auto *name = ast::as<ast::Name>(&operand);
  if (isPointer(frame, name))
    return "tl.load(" + std::string(name->id) + " + offsets)";
  const auto *constant = ast::as<ast::Constant>(&operand);
  const auto *entry = ast::as<ast::Subscript>(&operand);
  if ((constant && constant->constantKind == ast::ConstantKind::None) ||
      ast::is<ast::Starred>(&operand) ||
      (entry && isPointer(frame, ast::as<ast::Name>(entry->value))))
    return {};
  const std::string_view text = sourceText(frame, operand.range);
  const bool isShort = text.size() <= longest && text.find_first_of("\n#") == text.npos;
  return std::string(isShort ? text : std::string_view());
}

/// The value in place of its name, together with a minus in front of it: `-np.inf`.
static std::vector<DiagnosticFix> valueFix(const Frame &frame, const ast::Expr &use,
                                           const Counterpart &value, uint32_t file) {
  SourceRange range = use.range;
  std::string code(value.code);
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *sign = ast::as<ast::UnaryOp>(&node);
      if (sign && sign->op == ast::UnaryOpKind::USub && sign->operand == &use) {
        range = sign->range;
        code = value.name == "inf" ? "float(\"-inf\")" : "-" + code;
      }
      return true;
    });
  range.file = file;
  return rewriteFix(frame, range, range, std::move(code));
}

/// Whether an operator or a dot binds the call closer than a division in its place.
static bool bindsCloser(const Frame &frame, const ast::Call &call) {
  bool binds = false;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *operation = ast::as<ast::BinOp>(&node))
        binds |= operation->left == &call || operation->right == &call;
      else if (const auto *access = ast::as<ast::Attribute>(&node))
        binds |= access->value == &call;
      else if (const auto *part = ast::as<ast::Subscript>(&node))
        binds |= part->value == &call;
      return !binds;
    });
  return binds;
}

/// The sum over the number of elements: `x.mean()`, `x.mean(axis=0)`, `np.mean(x)`.
static std::vector<DiagnosticFix> meanFix(const Frame &frame, const Use &use, bool isMethod,
                                          uint32_t file) {
  const size_t numOwn = isMethod ? 0 : 1;
  if (!use.call || use.call->args.size() < numOwn ||
      use.call->args.size() + use.call->keywords.size() > numOwn + 1)
    return {};
  const auto *operand = ast::as<ast::Name>(isMethod ? use.base() : use.call->args.front());
  if (!operand)
    return {};
  const Value *value = frame.locals.find(operand->id);
  if (!value || !value->tensor() || !value->tensor()->isBlock())
    return {};
  const std::string name(operand->id);
  const MaskedCount count = maskedCount(frame, name);
  if (count.code.empty() && usesMasks(frame))
    return {};
  // What the mask leaves out does not count.
  const bool isVector = value->tensor()->type.shape.size() == 1;
  std::string code =
      "tl.sum(" + name + ") / " + numLoaded(count, name + (isVector ? ".shape[0]" : ".numel"));
  if (!count.code.empty() && !isVector)
    return {};
  const ast::Expr *axis = use.call->args.size() > numOwn ? use.call->args.back() : nullptr;
  if (!use.call->keywords.empty()) {
    const ast::Keyword &keyword = *use.call->keywords.front();
    if (keyword.arg != "axis" && keyword.arg != "dim")
      return {};
    axis = keyword.value;
  }
  SourceRange range = use.call->range;
  range.file = file;
  if (axis) {
    SourceRange place = axis->range;
    place.file = file;
    const std::string number(sourceText(frame, place));
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
      return {};
    code = "tl.sum(" + name + ", axis=" + number + ") / " +
           numLoaded(count, name + ".shape[" + number + "]");
  }
  return rewriteFix(frame, range, range, bindsCloser(frame, *use.call) ? "(" + code + ")" : code);
}

/// `-inf`, `inf`, `nan` without the library that they are of.
bool explainPlainValue(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const Counterpart *value = name == "inf" || name == "nan" ? findValue(name) : nullptr;
  const auto *use =
      value && frame.function ? nodeAt<ast::Name>(*frame.function, diagnostic.range) : nullptr;
  if (!use)
    return false;
  diagnostic.fixes = valueFix(frame, *use, *value, diagnostic.range.file);
  const bool isNegative =
      !diagnostic.fixes.empty() && diagnostic.fixes.front().replacement.starts_with("float(\"-");
  diagnostic.notes.push_back("kernels write `" +
                             (isNegative ? "float(\"-inf\")" : std::string(value->code)) + "`");
  return true;
}

/// Of a mean: how it is computed, and that which is meant where every element counts.
static void explainMean(Diagnostic &diagnostic, const Frame &frame, const Use &use,
                        const Operands &operands) {
  const auto valueOf = [&](std::string_view one, std::string_view other) {
    const ast::Expr *value = nullptr;
    for (size_t i = 0; use.call && i < use.call->keywords.size(); ++i)
      if (use.call->keywords[i]->arg == one || use.call->keywords[i]->arg == other)
        value = use.call->keywords[i]->value;
    const auto *constant = value ? ast::as<ast::Constant>(value) : nullptr;
    return constant ? sourceText(frame, constant->range) : std::string_view();
  };
  const std::string axis(valueOf("axis", "dim"));
  const bool keeps = valueOf("keepdims", "keepdim") == "True";
  const bool isMethod = isRunTimeValue(frame, use.base());
  if (use.callee && hasLanguageName(frame))
    diagnostic.fixes = meanFix(frame, use, isMethod, diagnostic.range.file);
  const auto &fixes = diagnostic.fixes;
  std::string sum = notesOf("mean", operands).front();
  if (const size_t at = sum.find("axis=0"); at != sum.npos && !axis.empty())
    sum.replace(at, 6, "axis=" + axis + (keeps ? ", keep_dims=True" : ""));
  diagnostic.notes.push_back(fixes.empty() ? sum
                                           : "divide the sum by the number of elements: `" +
                                                 fixes.front().replacement + "`");
  const MaskedCount count = maskedCount(frame, operands.front());
  if (!fixes.empty() && !count.code.empty() && !count.isOfBlock)
    diagnostic.notes.push_back("this is the mean of a program's block; that of all `" + count.code +
                               "` elements takes the sums of all programs");
}

/// `x.astype(np.int32)`: the same conversion in a kernel; empty where the type is not told.
static std::string castCode(const Frame &frame, const Use &use) {
  const ast::Expr *type = nullptr;
  if (use.call && !use.call->args.empty())
    type = use.call->args.front();
  else if (use.call && !use.call->keywords.empty())
    type = use.call->keywords.front()->value;
  const auto *member = type ? ast::as<ast::Attribute>(type) : nullptr;
  const auto *word = type ? ast::as<ast::Name>(type) : nullptr;
  const auto *constant = type ? ast::as<ast::Constant>(type) : nullptr;
  const bool isText = constant && constant->constantKind == ast::ConstantKind::Str;
  std::string name(member   ? member->attr
                   : word   ? word->id
                   : isText ? constant->text
                            : std::string_view());
  // Python's own are twice as wide on the host; kernels compute in 32 bits.
  if (word && (name == "int" || name == "float"))
    name += "32";
  if (!use.base() || !isOfLanguage(name))
    return {};
  const std::string value = operandCode(frame, *use.base(), std::string_view::npos);
  return value.empty() ? std::string() : asFactor(value) + ".to(tl." + name + ")";
}

/// `np.dot(x, y)`: of two vectors the sum of the products, of a matrix and a vector such sums. Empty for others.
static std::string dotCode(const Frame &frame, const Use &use, const Operands &operands) {
  const std::vector<const ast::Expr *> factors = operandsOf(frame, use);
  const auto valueOf = [&](size_t i) {
    const auto *name = ast::as<ast::Name>(factors[i]);
    return name ? frame.locals.find(name->id) : nullptr;
  };
  const Value *left = factors.size() == 2 ? valueOf(0) : nullptr;
  const Value *right = left ? valueOf(1) : nullptr;
  if (!right || !left->tensor() || !right->tensor())
    return {};
  const bool areVectors =
      left->tensor()->type.shape.size() == 1 && right->tensor()->type.shape.size() == 1;
  return areVectors ? productSum(operands[0], operands[1])
                    : matrixVectorSum(*left, *right, operands[0], operands[1]);
}

/// A fix where the same call works in a kernel, or another that computes the same.
static void fixCall(Diagnostic &diagnostic, std::string_view name, const Frame &frame,
                    const Use &use, const Operands &operands) {
  const auto inFile = [&](SourceRange range) {
    range.file = diagnostic.range.file;
    return range;
  };
  const bool isMethod = isRunTimeValue(frame, use.base());
  const bool isPlain = use.call ? use.call->keywords.empty() : isMethod && name == "size";
  const SourceRange whole = inFile(use.call ? use.call->range : use.callee->range);
  if (std::string code = name == "dot" && isPlain ? dotCode(frame, use, operands) : "";
      !code.empty()) {
    diagnostic.notes = {"`tl.dot` multiplies two matrices: kernels write `" + code + "`"};
    diagnostic.fixes = rewriteFix(frame, whole, whole, std::move(code));
    return;
  }
  if (isOfLanguage(name)) {
    // Kernels state where the range begins, too.
    if (name == "arange" && isPlain && use.call->args.size() == 1)
      diagnostic.fixes = rewriteFix(
          frame, whole, whole,
          "tl.arange(0, " + std::string(sourceText(frame, inFile(use.call->args.front()->range))) +
              ")");
    else if (constant::dtypeFromLanguageName(name) && isPlain && operands.size() == 1 && !isMethod)
      diagnostic.fixes = rewriteFix(frame, whole, whole, castCall(operands.front(), name));
    else if (!isMethod)
      diagnostic.fixes = rewriteFix(frame, inFile(use.callee->range), inFile(use.callee->range),
                                    "tl." + std::string(name));
    return;
  }
  // A clamp is of numbers with a point.
  if (name == "clip" && operands.size() == 3 && isPlain &&
      areIntegers(frame, operandsOf(frame, use))) {
    diagnostic.fixes = rewriteFix(frame, whole, whole, applied(kIntegerClip, operands));
    return;
  }
  const Counterpart *found = findCounterpart(name);
  const bool areGiven = found && operands.size() == numOperands(found->code) &&
                        std::ranges::find(operands, "") == operands.end();
  std::string code = found ? applied(found->code, operands) : std::string();
  if (use.call && bindsCloser(frame, *use.call))
    code = asFactor(code);
  // Of a masked block that holds all elements, as many were loaded.
  if (name == "size" && areGiven && maskedCount(frame, operands.front()).isOfBlock)
    code = maskedCount(frame, operands.front()).code;
  if (areGiven && found->isSame && isPlain)
    diagnostic.fixes = rewriteFix(frame, whole, whole, code);
}

void explainCounterpart(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  if (explainUfuncMethod(diagnostic, frame))
    return;
  const Use use = findUse(frame, name, diagnostic.range);
  Operands operands;
  bool ofPointer = false;
  for (const ast::Expr *operand : operandsOf(frame, use)) {
    operands.push_back(operandCode(frame, *operand));
    const auto *pointer = ast::as<ast::Name>(operand);
    if (!isPointer(frame, pointer))
      continue;
    ofPointer = true;
    diagnostic.notes.push_back("`" + std::string(pointer->id) +
                               "` is a pointer: load its elements first");
  }
  Operands shown = operands;
  shown.resize(std::max<size_t>(shown.size(), 1));
  if (shown.front().empty() || (name == "astype" && !isRunTimeValue(frame, use.base())))
    shown.front() = freeBlockName(frame);
  if (name == "mean")
    return explainMean(diagnostic, frame, use, shown);
  if (const std::string cast = name == "astype" ? castCode(frame, use) : ""; !cast.empty()) {
    diagnostic.notes.push_back("kernels write `" + cast + "`");
    SourceRange whole = use.call->range;
    whole.file = diagnostic.range.file;
    // What is left out may be a text: `x.astype("float32")`.
    const bool isOneLine = sourceText(frame, whole).find_first_of("\n#") == std::string_view::npos;
    if (!ofPointer && hasLanguageName(frame) && isOneLine)
      diagnostic.fixes.push_back({whole, cast, "write `" + cast + "`"});
    return;
  }
  if (name == "clip" && shown.size() == 3 && areIntegers(frame, operandsOf(frame, use)))
    diagnostic.notes.push_back("kernels write `" + applied(kIntegerClip, shown) + "`");
  else
    for (std::string &note : notesOf(name, shown))
      diagnostic.notes.push_back(std::move(note));
  if (!use.callee || ofPointer)
    return;
  if (const Counterpart *value = findValue(name)) {
    if (!use.call && !isRunTimeValue(frame, use.base()))
      diagnostic.fixes = valueFix(frame, *use.callee, *value, diagnostic.range.file);
    return;
  }
  if (hasLanguageName(frame))
    fixCall(diagnostic, name, frame, use, operands);
}

bool explainPlainCall(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  if (findValue(name) || isOfLanguage(name) || !hasCounterpart(name) ||
      !findUse(frame, name, diagnostic.range).call)
    return false;
  explainCounterpart(diagnostic, name, frame);
  return true;
}

} // namespace tilescope::compiler::frontend
