// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Walks the syntax tree of one kernel and emits its IR. What can be computed now is computed now.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/ValueFacts.h"
#include "compiler/frontend/EmitterOptions.h"
#include "compiler/frontend/Failure.h"
#include "compiler/frontend/Frame.h"
#include "compiler/frontend/KernelArgument.h"
#include "compiler/frontend/Modules.h"
#include "compiler/frontend/Objects.h"
#include "compiler/frontend/Outcome.h"
#include "compiler/frontend/TensorOps.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

class Emitter final : public TensorOps::Host {
public:
  Emitter(mlir::MLIRContext *context, ModuleTable &modules, EmitterOptions options);

  TensorOps ops;

  // Diagnostics
  std::vector<Diagnostic> takeDiagnostics() { return std::move(m_diagnostics); }
  bool hasErrors() const { return m_numErrors > 0; }
  [[noreturn]] void fail(DiagnosticKind kind, Message message) override;
  [[noreturn]] void failAt(SourceRange range, DiagnosticKind kind, Message message,
                           std::vector<std::string> notes = {});
  void warn(DiagnosticKind kind, std::string message) override;
  void warn(DiagnosticKind kind, SourceRange range, std::string message);
  void note(DiagnosticKind kind, SourceRange range, std::string message);
  void report(Diagnostic diagnostic);
  /// Takes back a warning that begins at that place, since an error says more, and gives it no more;
  /// nothing where there is none.
  std::optional<Diagnostic> withdrawWarning(const SourceRange &place);
  /// Whether the same was reported at the same place: an unrolled loop repeats its errors.
  bool isReported(const Diagnostic &diagnostic) const;
  /// Something of a module whose source was not found is used as if it were known.
  [[noreturn]] void failImport(const std::string &path);
  /// The text of Python's error as a failure at the current place.
  [[noreturn]] void failPython(const constant::PythonError &error);
  template <typename T> T orFail(constant::OrError<T> result) {
    if (!result)
      failPython(result.error());
    return std::move(*result);
  }

  // Functions
  /// Emits `function` as the kernel of `module`. What it returns is stored to arguments that are
  /// added for it, and given back.
  std::vector<KernelParameterLeaf> emitKernel(mlir::ModuleOp module, const FunctionObject &function,
                                              const std::vector<KernelArgument> &arguments);
  /// Calls any callable.
  Value call(const Value &callee, std::vector<CallArgument> arguments, SourceRange range);
  /// Calls `function` with positional arguments, as a combine function is called.
  Value callFunction(const FunctionObject &function, std::vector<CallArgument> arguments,
                     SourceRange range);
  /// Makes a named tuple or aggregate.
  Value construct(std::shared_ptr<const ClassObject> type, std::vector<CallArgument> arguments,
                  SourceRange range);
  /// Calls a function of the prelude.
  Value callPrelude(std::string_view name, std::vector<CallArgument> arguments, SourceRange range);

  // Expressions
  Value evaluate(const ast::Expr &expr);
  /// In the scope of a file's top level, e.g. an expression of the launch block.
  Value evaluateGlobal(const SourceModule &module, const ast::Expr &expr);
  /// Runs `body` with names resolved at the top level of `module`.
  template <typename F> auto inModule(const SourceModule &module, F &&body) {
    Frame top;
    top.module = &module;
    top.isModuleLevel = true;
    top.depth = m_frame ? m_frame->depth : 0;
    Frame *savedFrame = std::exchange(m_frame, &top);
    SourceRange savedRange = m_range;
    TensorOps::OutsideScope outside(ops);
    llvm::scope_exit restore([&] {
      m_frame = savedFrame;
      m_range = savedRange;
    });
    return body();
  }
  Value attribute(const Value &base, std::string_view name, SourceRange nameRange);
  /// A method of a run-time value or descriptor; nothing when there is none of that name.
  std::optional<Value> method(const Value &self, std::string_view name,
                              std::vector<CallArgument> &arguments, SourceRange range);
  Value binary(ast::BinaryOpKind op, const Value &left, const Value &right);
  Value compare(ast::CompareOpKind op, const Value &left, const Value &right);
  Value subscript(const Value &base, const ast::Expr &index);
  /// By the rules of assignment: numbers become tensors.
  Value assigned(const Value &value);
  /// Fails for a function in a place where its result is needed.
  void failAsFunction(const Value &value, const ast::Expr *operand = nullptr);
  /// The items of a tuple or list; fails for everything else.
  std::vector<Value> items(const Value &value);
  /// As in `if value:` for a constexpr.
  bool constexprTruth(const Value &value);

  mlir::Location location() override;
  mlir::Location constantLocation() override;
  SourceRange currentRange() const { return m_range; }
  /// A range of the current file's tree as one of the result.
  SourceRange fileRange(SourceRange range) const;
  const ModuleTable &modules() const { return m_modules; }
  ModuleTable &modules() { return m_modules; }
  Frame &frame() { return *m_frame; }
  const std::map<std::string, Value> &kernelOptions() const { return m_options.kernelOptions; }
  std::vector<ValueFacts> takeFacts();
  void checkStop();

  /// A global of a file; nothing when it has none of that name.
  std::optional<Value> global(const SourceModule &module, std::string_view name);
  /// An attribute of a class that is not a field: a function or a constant.
  std::optional<Value> classMember(const ClassObject &type, std::string_view name);
  /// A member of a module that is not in source, e.g. `triton.language`.
  std::optional<Value> member(const ModuleObject &module, std::string_view name);

  /// While it lives, operations are emitted for `range`, a range of the result's files.
  class Range {
  public:
    Range(Emitter &emitter, SourceRange range) : m_emitter(emitter), m_saved(emitter.m_range) {
      emitter.m_range = range;
    }
    ~Range() { m_emitter.m_range = m_saved; }
    Range(const Range &) = delete;

  private:
    Emitter &m_emitter;
    SourceRange m_saved;
  };
  /// The same for a range of the current file's tree.
  class Place : Range {
  public:
    Place(Emitter &emitter, SourceRange range) : Range(emitter, emitter.fileRange(range)) {}
  };

private:
  using Statements = ast::Seq<ast::Stmt>;

  /// The statements after the one being emitted. A statement may emit them itself, into one of its
  /// branches.
  struct Rest {
    llvm::function_ref<Outcome()> emit;
    bool isEmpty = false;
    /// They end the function.
    bool isTail = false;
    bool isConsumed = false;
  };

  // Statements (Statements.cpp)
  /// `isTail`: nothing of the function follows.
  Outcome emitStatements(Statements statements, bool isTail = false);
  Outcome emitStatement(const ast::Stmt &statement, Rest &rest);
  void emitAssign(const ast::Assign &assign);
  void emitAnnAssign(const ast::AnnAssign &assign);
  void emitAugAssign(const ast::AugAssign &assign);
  void emitAssert(const ast::Assert &assertion);
  Outcome emitTry(const ast::Try &attempt);
  void emitExpression(const ast::Expr &expr);
  Outcome emitReturn(const ast::Return &statement);
  void assignTo(const ast::Expr &target, const Value &value);
  void assignField(const ast::Attribute &target, const Value &value);
  /// `table[key] = value` in a function that runs while compiling.
  void assignEntry(const ast::Subscript &target, const Value &value);
  void abandon(const ast::Stmt &statement);

  // Bindings (Bindings.cpp)
  enum class BindingKind { Statement, Parameter };
  /// Where bindings are kept, leaves in the IR that `name` is `value` from here on; `range`: of what
  /// binds it, in the result's files.
  void keepBinding(std::string_view name, const Value &value, SourceRange range,
                   BindingKind kind = BindingKind::Statement);
  /// Of all that the function that begins here was passed.
  void keepParameters();

  // Branches (Branches.cpp)
  struct Branch;
  struct Joined;
  Outcome emitIf(const ast::If &statement, Rest &rest);
  Outcome emitRuntimeIf(const ast::If &statement, mlir::Value condition, Rest &rest);
  void emitBranch(Branch &branch, const Scope &before, llvm::function_ref<Outcome()> body);
  void extendBranch(Branch &branch, Rest &rest);
  void joinName(std::string_view name, const Value *old, const Value *thenValue,
                const Value *elseValue, std::vector<Joined> &joined);
  std::vector<Joined> joinNames(const Branch &thenBranch, const Branch &elseBranch,
                                const Scope &before);
  Value joinReturns(Branch &thenBranch, Branch &elseBranch);
  Outcome joinBranches(Branch &thenBranch, Branch &elseBranch, mlir::Value condition,
                       const Scope &before);
  /// Emits `rest` unless `outcome` returned.
  Outcome continueAfter(Outcome outcome, Rest &rest);
  /// The condition as an int1; a constexpr returns nothing and sets `known`.
  std::optional<mlir::Value> condition(const ast::Expr &test, bool &known);
  std::optional<mlir::Value> conditionOf(const Value &value, bool &known);
  Value emitConditional(const ast::IfExp &expr);
  bool unifyReturns(Value &left, Branch &leftBranch, Value &right, Branch &rightBranch);

  // Loops (Loops.cpp)
  Outcome emitFor(const ast::For &loop);
  Outcome unroll(const ast::For &loop, const std::vector<Value> &items);
  void emitRangeLoop(const ast::For &loop, const ast::Call &call, bool hasHints);
  void emitWhile(const ast::While &loop);

  // Calls (Calls.cpp)
  Value evaluateCall(const ast::Call &call);
  std::vector<CallArgument> evaluateArguments(const ast::Call &call);
  void bindParameters(const FunctionObject &function, std::vector<CallArgument> arguments,
                      Frame &callee);

  // Functions of the IR (Functions.cpp)
  /// A function kept as one, and the value that a call of it returns (with the function's own
  /// handles).
  struct NoinlineFunction {
    mlir::FlatSymbolRefAttr symbol;
    Value result;
  };
  Value callNoinline(const FunctionObject &function, Frame &callee);
  NoinlineFunction emitNoinline(Frame &callee, llvm::ArrayRef<mlir::Value> operands);
  Value expandBody(Frame &callee);
  void enterFrame(Frame &callee, SourceRange callRange);
  Value argumentValue(const KernelArgument &argument, llvm::ArrayRef<mlir::Value> &handles);
  void storeResults(const Value &value, tt::FuncOp kernel,
                    std::vector<KernelParameterLeaf> &results);

  // Names (Names.cpp)
  Value lookUp(const ast::Name &name);
  Value evaluateBinding(const SourceModule &module, const Binding &binding);
  Value importValue(const SourceModule &module, const Binding &binding);
  std::optional<Value> starImported(const SourceModule &module, std::string_view name);

  // Expressions (Expressions.cpp)
  Value evaluateUnrecorded(const ast::Expr &expr);
  Value evaluateConstant(const ast::Constant &constant);
  Value evaluateBoolOp(const ast::BoolOp &expr);
  Value evaluateCompare(const ast::Compare &expr);
  Value evaluateUnary(const ast::UnaryOp &expr);
  Value evaluateSubscript(const ast::Subscript &expr);
  Value evaluateListComp(const ast::ListComp &expr);
  Value evaluateFormatted(const ast::JoinedStr &expr);
  Value tupleSubscript(const TupleValue &tuple, const constant::Value &index);
  Value tensorSubscript(const Tensor &tensor, const ast::Expr &index);
  constant::Value sliceConstant(const ast::Slice &slice);
  void record(const ast::Expr &expr, const Value &value, bool isDefinition);

  ModuleTable &m_modules;
  EmitterOptions m_options;
  mlir::ModuleOp m_module;
  Frame *m_frame = nullptr;
  /// Of the node being emitted; its file is the result's.
  SourceRange m_range;
  /// The variable that is being assigned.
  mlir::StringAttr m_name;

  std::vector<Diagnostic> m_diagnostics, m_withdrawn;
  int m_numErrors = 0;
  struct Fact {
    SourceRange range;
    Value value;
    bool isDefinition;
  };
  llvm::DenseMap<const ast::Node *, size_t> m_factOfNode;
  std::vector<Fact> m_facts;
  /// Per file, for locations.
  std::vector<mlir::StringAttr> m_fileNames;
  std::map<std::string, NoinlineFunction> m_noinline;
  int64_t m_numUnrolled = 0;
};

} // namespace tilescope::compiler::frontend
