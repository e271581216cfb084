// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Counterparts.h"

#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/syntax/LanguageReference.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
/// A function that kernels spell out or know by another name. `$` stands for its argument.
struct Counterpart {
  std::string_view name;
  std::string_view code;
  /// The code computes what the call with this one argument does: a fix may write it.
  bool isSame = false;
};

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
    {"absolute", "tl.abs($)", true},
    {"add", "a + b"},
    {"all", "tl.min($.to(tl.int32), axis=0) != 0"},
    {"amax", "tl.max($, axis=0)"},
    {"amin", "tl.min($, axis=0)"},
    {"any", "tl.max($.to(tl.int32), axis=0) != 0"},
    {"astype", "$.to(tl.float32)"},
    {"clip", "tl.clamp($, low, high)"},
    {"concatenate", "tl.cat(a, b)"},
    {"divide", "a / b"},
    {"empty", "tl.zeros([BLOCK], dtype=tl.float32)"},
    {"float", "$.to(tl.float32)", true},
    {"gelu", "0.5 * $ * (1 + tl.erf($ * 0.70710678))", true},
    {"half", "$.to(tl.float16)", true},
    {"leaky_relu", "tl.where($ > 0, $, 0.01 * $)", true},
    {"matmul", "tl.dot(a, b)"},
    {"mm", "tl.dot(a, b)"},
    {"multiply", "a * b"},
    {"ones", "tl.full([BLOCK], 1.0, dtype=tl.float32)"},
    {"ones_like", "tl.full($.shape, 1, dtype=$.dtype)", true},
    {"outer", "a[:, None] * b[None, :]"},
    {"power", "libdevice.pow(a, b)"},
    {"relu", "tl.maximum($, 0)", true},
    {"sign", "tl.where($ > 0, 1.0, tl.where($ < 0, -1.0, 0.0))"},
    {"silu", "$ * tl.sigmoid($)", true},
    {"size", "$.numel", true},
    {"softplus", "tl.log(1 + tl.exp($))", true},
    {"square", "$ * $", true},
    {"stack", "tl.join(a, b)"},
    {"std", "tl.sqrt(tl.sum(($ - mean) * ($ - mean), axis=0) / n)"},
    {"subtract", "a - b"},
    {"swish", "$ * tl.sigmoid($)", true},
    {"transpose", "tl.trans($)"},
    {"var", "tl.sum(($ - mean) * ($ - mean), axis=0) / n"},
};

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

static std::string applied(std::string_view code, std::string_view operand) {
  std::string text;
  for (char c : code)
    text += c == '$' ? std::string(operand) : std::string(1, c);
  return text;
}

bool isHostLibrary(std::string_view path) {
  const std::string_view package = path.substr(0, path.find('.'));
  return package == "numpy" || package == "torch";
}

static bool isOfLanguage(std::string_view name) {
  return ast::findReference("triton.language." + std::string(name));
}

bool hasCounterpart(std::string_view name) {
  return isOfLanguage(name) || hasLibdeviceFunction(name) || name == "mean" ||
         findCounterpart(name) || findValue(name);
}

std::vector<std::string> counterpartNotes(std::string_view path, std::string_view operand) {
  const std::string name(path.substr(path.rfind('.') + 1));
  if (isOfLanguage(name))
    return {"kernels have `tl." + name + "`"};
  if (name == "mean")
    return {"divide the sum by the number of elements that count, without those that a mask leaves "
            "out: `" +
            applied("tl.sum($, axis=0) / n", operand) + "`"};
  if (const Counterpart *value = findValue(name))
    return {"kernels write `" + std::string(value->code) + "`"};
  if (const Counterpart *found = findCounterpart(name))
    return {"kernels write `" + applied(found->code, operand) + "`"};
  if (hasLibdeviceFunction(name))
    return {"kernels have `libdevice." + name + "`: `from triton.language.extra import libdevice`"};
  return {};
}

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
  const auto *name = expr ? ast::as<ast::Name>(expr) : nullptr;
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor();
}

/// The variable that a method belongs to, or the only argument of a function; null for others.
static const ast::Name *operandOf(const Frame &frame, const Use &use) {
  if (isRunTimeValue(frame, use.base()))
    return ast::as<ast::Name>(use.base());
  return use.call && use.call->args.size() == 1 ? ast::as<ast::Name>(use.call->args.front())
                                                : nullptr;
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

/// Whether the function reads with masks, so that blocks may hold elements that do not count.
static bool usesMasks(const Frame &frame) {
  bool uses = false;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      uses |= callee && callee->attr == "load" &&
              (call->args.size() > 1 ||
               std::ranges::any_of(call->keywords, [](const ast::Keyword *keyword) {
                 return keyword->arg && *keyword->arg == "mask";
               }));
      return !uses;
    });
  return uses;
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
  if (!value || !value->tensor() || !value->tensor()->isBlock() || usesMasks(frame))
    return {};
  const std::string name(operand->id);
  std::string code = "tl.sum(" + name + ") / " + name + ".numel";
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
    code = "tl.sum(" + name + ", axis=" + number + ") / " + name + ".shape[" + number + "]";
  }
  return rewriteFix(frame, range, range, bindsCloser(frame, *use.call) ? "(" + code + ")" : code);
}

/// Whether it names a pointer, of which methods and functions of arrays mean the elements.
static bool isPointer(const Frame &frame, const ast::Name *name) {
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor() && value->tensor()->type.isPointer();
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
                        std::string_view what) {
  const bool isMethod = isRunTimeValue(frame, use.base());
  if (use.callee && hasLanguageName(frame))
    diagnostic.fixes = meanFix(frame, use, isMethod, diagnostic.range.file);
  if (diagnostic.fixes.empty())
    diagnostic.notes.push_back(counterpartNotes("mean", what).front());
  else
    diagnostic.notes.push_back("divide the sum by the number of elements: `" +
                               diagnostic.fixes.front().replacement + "`");
}

/// A fix where the same call works in a kernel, or another that computes the same.
static void fixCall(Diagnostic &diagnostic, std::string_view name, const Frame &frame,
                    const Use &use, const ast::Name *operand) {
  const auto inFile = [&](SourceRange range) {
    range.file = diagnostic.range.file;
    return range;
  };
  const bool isMethod = isRunTimeValue(frame, use.base());
  const bool isPlain =
      use.call ? use.call->keywords.empty() && use.call->args.size() == (isMethod ? 0 : 1)
               : isMethod && name == "size";
  const SourceRange whole = inFile(use.call ? use.call->range : use.callee->range);
  if (isOfLanguage(name)) {
    // Kernels state where the range begins, too.
    if (name == "arange" && isPlain)
      diagnostic.fixes = rewriteFix(
          frame, whole, whole,
          "tl.arange(0, " + std::string(sourceText(frame, inFile(use.call->args.front()->range))) +
              ")");
    else if (!isMethod)
      diagnostic.fixes = rewriteFix(frame, inFile(use.callee->range), inFile(use.callee->range),
                                    "tl." + std::string(name));
    return;
  }
  const Counterpart *found = findCounterpart(name);
  if (found && found->isSame && operand && isPlain)
    diagnostic.fixes = rewriteFix(frame, whole, whole, applied(found->code, operand->id));
}

void explainCounterpart(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const Use use = findUse(frame, name, diagnostic.range);
  const ast::Name *operand = use.callee ? operandOf(frame, use) : nullptr;
  const bool ofPointer = isPointer(frame, operand);
  const std::string what = ofPointer ? "tl.load(" + std::string(operand->id) + " + offsets)"
                                     : std::string(operand ? operand->id : "x");
  if (ofPointer)
    diagnostic.notes.push_back("`" + std::string(operand->id) +
                               "` is a pointer: load its elements first");
  if (name == "mean")
    return explainMean(diagnostic, frame, use, what);
  for (std::string &note : counterpartNotes(name, what))
    diagnostic.notes.push_back(std::move(note));
  if (!use.callee || ofPointer)
    return;
  if (const Counterpart *value = findValue(name)) {
    if (!use.call && !isRunTimeValue(frame, use.base()))
      diagnostic.fixes = valueFix(frame, *use.callee, *value, diagnostic.range.file);
    return;
  }
  if (hasLanguageName(frame))
    fixCall(diagnostic, name, frame, use, operand);
}

bool explainPlainCall(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  if (findValue(name) || isOfLanguage(name) || !hasCounterpart(name) ||
      !findUse(frame, name, diagnostic.range).call)
    return false;
  explainCounterpart(diagnostic, name, frame);
  return true;
}

} // namespace tilescope::compiler::frontend
