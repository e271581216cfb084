// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/LostResults.h"

#include "compiler/frontend/ArrayUpdates.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

static bool isPointer(const Value *value) {
  return value && value->tensor() && value->tensor()->type.isPointer();
}

/// What cannot be added to an address: numbers with a point, and blocks of them.
static bool isReal(const Value &value) {
  const Tensor *tensor = value.tensor();
  return tensor ? !tensor->type.isPointer() && isFloating(tensor->dtype())
                : value.constant() && value.constant()->isFloat();
}

static bool contains(const ast::Node &outer, const ast::Node &inner) {
  return outer.range.begin <= inner.range.begin && inner.range.end <= outer.range.end;
}

namespace {
/// What the function does with a name, apart from one statement.
struct Uses {
  /// The value that it has behind the statement is read, in the next turn of a loop, too.
  bool afterwards = false;
  /// Before the statement, other than to load from there.
  bool before = false;
};
} // namespace

static Uses usesOf(const ast::FunctionDef &function, const ast::Stmt &statement,
                   std::string_view name) {
  std::vector<const ast::Node *> loops, loads;
  std::vector<const ast::Name *> reads;
  for (const ast::Stmt *each : function.body)
    ast::walk(*each, [&](const ast::Node &node) {
      if (&node == &statement)
        return false;
      const bool isLoop = ast::is<ast::For>(&node) || ast::is<ast::While>(&node);
      if (isLoop && contains(node, statement))
        loops.push_back(&node);
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      if (callee && callee->attr == "load")
        loads.push_back(call);
      const auto *read = ast::as<ast::Name>(&node);
      if (read && read->id == name && read->ctx == ast::ExprContext::Load)
        reads.push_back(read);
      return true;
    });
  const auto isWithin = [](const std::vector<const ast::Node *> &outer, const ast::Node &inner) {
    return std::ranges::any_of(outer,
                               [&](const ast::Node *each) { return contains(*each, inner); });
  };
  Uses uses;
  for (const ast::Name *read : reads) {
    const bool isLater = statement.range.end <= read->range.begin || isWithin(loops, *read);
    uses.afterwards |= isLater;
    uses.before |= !isLater && !isWithin(loads, *read);
  }
  return uses;
}

/// Whether `name` is an argument of the kernel that is an array, and `statement` the last that has to
/// do with it.
static bool isLost(Emitter &emitter, const ast::Stmt &statement, std::string_view name) {
  const Frame &frame = emitter.frame();
  const Value *old = frame.locals.find(name);
  if (!frame.function || frame.caller || frame.isCompileTime || !isPointer(old) ||
      !mlir::isa<mlir::BlockArgument>(old->tensor()->handle) ||
      sourceText(frame, emitter.fileRange(statement.range)).empty())
    return false;
  const Uses uses = usesOf(*frame.function, statement, name);
  return !uses.afterwards && !uses.before;
}

/// `tl.load(x + i)`, `tl.load(x + i).to(tl.float32)`: what is loaded often takes the array's name.
static bool isLoad(const ast::Expr &value) {
  const auto *call = ast::as<ast::Call>(&value);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  return callee && (callee->attr == "load" || isLoad(*callee->value));
}

namespace {
/// The address of a block or a number in an array, as code.
struct Place {
  std::string address;
  /// Of a block that is written through one address.
  std::string offsets = {};
  /// `, mask=i < n`, if the function's other accesses there have one.
  std::string mask = {};
  bool isKnown = true;
};
} // namespace

static Place placeOf(const Frame &frame, const std::string &array, const Value &pointer,
                     const Value &value) {
  const Tensor *block = value.tensor();
  if (pointer.tensor()->isBlock() || !block || !block->isBlock())
    return {array};
  const std::string offsets = offsetsOfBlock(frame, block->type.shape);
  if (offsets.empty())
    return {array + " + offsets", {}, {}, false};
  return {array + " + " + offsets, offsets, maskArgumentAt(frame, offsets)};
}

static std::vector<DiagnosticFix> fixOf(Emitter &emitter, const ast::Stmt &statement,
                                        const Place &place, std::string code) {
  const SourceRange range = emitter.fileRange(statement.range);
  if (!place.isKnown || !hasLanguageName(emitter.frame()))
    return {};
  return rewriteFix(emitter.frame(), range, range, std::move(code));
}

static std::string textOf(Emitter &emitter, const ast::Expr &expr) {
  const std::string_view text = sourceText(emitter.frame(), emitter.fileRange(expr.range));
  return text.empty() ? "value" : std::string(text);
}

/// The name that a function gives to its program's number; empty where there is not exactly one.
static std::string programName(const ast::FunctionDef &function) {
  std::string found;
  int numNames = 0;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *name = assign && assign->targets.size() == 1
                             ? ast::as<ast::Name>(assign->targets.front())
                             : nullptr;
      const auto *call = name ? ast::as<ast::Call>(assign->value) : nullptr;
      const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      if (callee && callee->attr == "program_id") {
        found = name->id;
        ++numNames;
      }
      return true;
    });
  return numNames == 1 ? found : std::string();
}

/// `out + row` for one number of each program.
static std::string addressOfOne(const Frame &frame, const Place &place, const Value &pointer,
                                const Value &value) {
  const bool isOne = !pointer.tensor()->isBlock() && !(value.tensor() && value.tensor()->isBlock());
  const std::string program = isOne ? programName(*frame.function) : "";
  return program.empty() ? place.address : place.address + " + " + program;
}

/// Whether anything in the function may come to memory: it stores, or calls functions that may.
static bool mayWrite(const ast::FunctionDef &function) {
  bool writes = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      const auto *plain = call ? ast::as<ast::Name>(call->func) : nullptr;
      writes |= (plain && plain->id != "range" && plain->id != "print") ||
                (callee && (callee->attr == "store" || callee->attr.starts_with("atomic_")));
      return !writes;
    });
  return writes;
}

/// `out = out + offsets`, and nothing is read or written there.
static void warnLostMove(Emitter &emitter, const ast::Assign &statement, std::string_view name,
                         const Value &moved) {
  const auto *sum = ast::as<ast::BinOp>(statement.value);
  const auto *base =
      sum && sum->op == ast::BinaryOpKind::Add ? ast::as<ast::Name>(sum->left) : nullptr;
  if (!base || base->id != name || !moved.tensor()->isBlock() ||
      mayWrite(*emitter.frame().function) || !isLost(emitter, statement, name))
    return;
  const SourceRange range = emitter.fileRange(statement.range);
  emitter.warn(DiagnosticKind::UnusedResult, range,
               "this moves `" + std::string(name) +
                   "` to another address, and nothing is read or written there: `tl.store(" +
                   textOf(emitter, *statement.value) + ", value)` writes there");
}

void warnLostResult(Emitter &emitter, const ast::Assign &statement, const Value &value) {
  const auto *name = ast::as<ast::Name>(statement.targets.front());
  if (name && isPointer(&value) && emitter.frame().function)
    return warnLostMove(emitter, statement, name->id, value);
  if (!name || !(value.tensor() || value.isNumber()) || isLoad(*statement.value) ||
      !isLost(emitter, statement, name->id))
    return;
  const std::string array(name->id);
  const Place place = placeOf(emitter.frame(), array, *emitter.frame().locals.find(array), value);
  const Value &pointer = *emitter.frame().locals.find(array);
  std::string code = "tl.store(" + addressOfOne(emitter.frame(), place, pointer, value) + ", " +
                     textOf(emitter, *statement.value) + place.mask + ")";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnusedResult;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = emitter.fileRange(statement.range);
  diagnostic.message = "this gives the name `" + array +
                       "` another value and writes nothing to memory: `" + code + "`";
  diagnostic.fixes = fixOf(emitter, statement, place, std::move(code));
  emitter.report(std::move(diagnostic));
}

/// Functions of the language that compute a value and do nothing else.
static constexpr std::string_view kPureFunctions[] = {
    "abs",   "ceil",    "clamp", "cos",     "cumprod", "cumsum",  "dot", "exp",     "exp2",
    "flip",  "floor",   "log",   "log2",    "max",     "maximum", "min", "minimum", "reshape",
    "rsqrt", "sigmoid", "sin",   "softmax", "sort",    "sqrt",    "sum", "trans",   "where"};

void warnUnusedCall(Emitter &emitter, const ast::Expr &statement, const Value &result) {
  const auto *call = ast::as<ast::Call>(&statement);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *language = callee ? ast::as<ast::Name>(callee->value) : nullptr;
  if (!language || language->id != "tl" || call->args.empty() ||
      std::ranges::find(kPureFunctions, callee->attr) == std::end(kPureFunctions))
    return;
  const Frame &frame = emitter.frame();
  const SourceRange range = emitter.fileRange(statement.range);
  const std::string text(sourceText(frame, range));
  if (text.empty() || text.find_first_of("\n#") != text.npos)
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnusedResult;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message = "the result of `tl." + std::string(callee->attr) +
                       "` is not used: the call changes none of its arguments";
  // The name may have what has the same type.
  const auto *changed = ast::as<ast::Name>(call->args.front());
  const Value *value = changed ? frame.locals.find(changed->id) : nullptr;
  if (value && value->tensor() && result.tensor() &&
      value->tensor()->type == result.tensor()->type) {
    const std::string code = std::string(changed->id) + " = " + text;
    diagnostic.notes.push_back("write `" + code + "`");
    diagnostic.fixes = {{range, code, "write `" + code + "`"}};
  }
  emitter.report(std::move(diagnostic));
}

/// What to write for `array op= value`.
struct UpdateAdvice {
  std::string code;
  /// Several elements, or several programs, may come to one place, and no operation updates it whole.
  bool losesUpdates = false;
};

static UpdateAdvice updateOf(Emitter &emitter, const ast::AugAssign &statement, const Place &place,
                             const Value &pointer) {
  std::string text = textOf(emitter, *statement.value);
  llvm::SmallVector<mlir::Value> address{pointer.tensor()->handle};
  if (const Value *offsets = emitter.frame().locals.find(place.offsets))
    offsets->flatten(address);
  const bool repeats = mayRepeat(emitter.frame(), std::move(address));
  const std::optional<AtomicUpdate> atomic = atomicUpdate(statement.op);
  if (repeats && atomic) {
    if (atomic->isNegated)
      text = "-" + asFactor(text);
    return {"tl." + std::string(atomic->function) + "(" + place.address + ", " + text + place.mask +
            ")"};
  }
  const bool isOperand = ast::is<ast::UnaryOp>(statement.value) && !text.starts_with("not");
  return {"tl.store(" + place.address + ", tl.load(" + place.address + place.mask + ") " +
              std::string(ast::opText(statement.op)) + " " + (isOperand ? text : asFactor(text)) +
              place.mask + ")",
          repeats};
}

static std::string effectOf(ast::BinaryOpKind op) {
  return op == ast::BinaryOpKind::Add   ? "adds to what it points to"
         : op == ast::BinaryOpKind::Sub ? "subtracts from what it points to"
                                        : "changes what it points to";
}

void checkLostUpdate(Emitter &emitter, const ast::AugAssign &statement, const Value &left,
                     const Value &right) {
  const auto *name = ast::as<ast::Name>(statement.target);
  if (!name || !isPointer(&left) || !emitter.frame().function ||
      textOf(emitter, *statement.value) == "value")
    return;
  const bool isFault = isReal(right);
  const bool isMove =
      !isFault && !isPointer(&right) &&
      (statement.op == ast::BinaryOpKind::Add || statement.op == ast::BinaryOpKind::Sub);
  // An offset that is added for nothing loses no result where the kernel has others.
  const bool isData = isFault || isMadeOfLoads(right);
  if (!isFault && (!isMove || (!isData && mayWrite(*emitter.frame().function)) ||
                   !isLost(emitter, statement, name->id)))
    return;
  const std::string array(name->id);
  const Place place = placeOf(emitter.frame(), array, left, right);
  const UpdateAdvice update = updateOf(emitter, statement, place, left);
  Diagnostic diagnostic;
  diagnostic.range = emitter.fileRange(statement.range);
  diagnostic.kind = isFault ? DiagnosticKind::TypeMismatch : DiagnosticKind::UnusedResult;
  diagnostic.severity = isFault ? Severity::Error : Severity::Warning;
  diagnostic.message = isFault ? "`" + array + "` is a pointer"
                               : "this moves `" + array +
                                     "` to another address, and nothing is read "
                                     "or written there";
  // Offsets that are added to a pointer alone may be meant as such.
  const bool isOffset = !isFault && place.offsets == textOf(emitter, *statement.value);
  if (isOffset) {
    diagnostic.message += ": `tl.store(" + place.address + ", value)` writes there";
  } else {
    diagnostic.message += ": `" + update.code + "` " + effectOf(statement.op);
    if (!update.losesUpdates && isData)
      diagnostic.fixes = fixOf(emitter, statement, place, update.code);
  }
  if (update.losesUpdates)
    diagnostic.notes.push_back(kRepeatedUpdate);
  if (isFault)
    throw Failure{std::move(diagnostic)};
  emitter.report(std::move(diagnostic));
}

} // namespace tilescope::compiler::frontend
