// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The source files that one compilation involves and what their top level binds.
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/frontend/Value.h"
#include "compiler/syntax/Ast.h"

#include "llvm/ADT/StringMap.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

struct PreludeFile;

/// What a name at the top level of a file stands for.
struct Binding {
  enum class Kind { Import, Function, Assignment, Class };
  Kind kind{};
  /// Import: the dotted module. `member` is what is taken from it (`from module import member`), or
  /// empty.
  std::string module;
  std::string member;
  /// Leading dots of a relative import.
  int level = 0;
  const ast::FunctionDef *function = nullptr;
  const ast::ClassDef *type = nullptr;
  /// The assigned expression.
  const ast::Expr *value = nullptr;
  SourceRange range;
  /// Annotated with a type: `X: tl.constexpr = 1`.
  bool isAnnotated = false;
  /// What the name meant before, where only this assignment uses it: `f = wrap(f)`.
  std::shared_ptr<const Binding> before;
};

/// One file: its tree and its bindings. The later of two bindings of a name counts. A class, and a
/// function that defines other functions, is a separate scope inside it.
struct SourceModule {
  std::string path;
  /// Index into the files of the result.
  uint32_t file = 0;
  bool isPrelude = false;
  std::shared_ptr<const ast::SyntaxTree> tree;
  llvm::StringMap<Binding> bindings;
  /// What encloses it; null for a file.
  const SourceModule *outer = nullptr;
  /// The class that it is, else null: its names are attributes of the class, nothing more.
  const ast::ClassDef *type = nullptr;
  /// Functions in source order.
  std::vector<const ast::FunctionDef *> functions;
  /// `from module import *`, in source order.
  std::vector<Binding> starImports;
  /// Classes and functions that define other functions.
  std::vector<std::unique_ptr<SourceModule>> inner;
  /// Bindings that were evaluated already.
  mutable llvm::StringMap<Value> values;
};

/// Where the names of functions and classes defined in `scope` are looked up.
inline const SourceModule &namesOf(const SourceModule &scope) {
  return scope.type ? namesOf(*scope.outer) : scope;
}

/// A function and the scope that defines it.
struct ScopedFunction {
  const SourceModule *scope = nullptr;
  const ast::FunctionDef *definition = nullptr;
};
/// The functions of a file in source order, with those that are defined in functions and classes.
std::vector<ScopedFunction> allFunctions(const SourceModule &module);

/// What a function's decorators say.
struct DecoratorFacts {
  bool isJit = false;
  bool isConstexprFunction = false;
  bool isNoinline = false;
  /// `@staticmethod`
  bool isStatic = false;
  /// Parameters excluded from specialization (as indices or names).
  std::vector<std::string> doNotSpecialize;
  std::vector<std::string> doNotSpecializeOnAlignment;
  /// Decorators that are not Triton's.
  std::vector<const ast::Expr *> unknown;
};

/// Reads the decorators, looking through the file's import aliases.
DecoratorFacts readDecorators(const SourceModule &module, const ast::FunctionDef &function);

/// `a.b.c` with the first part replaced by what it is imported as: `tl.exp` becomes
/// `triton.language.exp`. Empty when it is not a dotted name or not imported.
std::string resolveDotted(const SourceModule &module, const ast::Expr &expr);

/// Scans the top level of a file, `if` and `try` blocks included.
std::unique_ptr<SourceModule> scanModule(std::string path,
                                         std::shared_ptr<const ast::SyntaxTree> tree);

/// All files of one compilation: the document, the prelude, imported files.
class ModuleTable {
public:
  ModuleTable(std::string path, std::shared_ptr<const ast::SyntaxTree> tree,
              std::vector<std::string> searchPaths);

  const SourceModule &document() const { return *m_modules.front(); }
  /// The prelude file that defines `tl.name`, or null.
  const SourceModule *preludeWith(std::string_view name);
  /// The file that `import` statements of `from` mean, or null when there is none.
  const SourceModule *import(const SourceModule &from, std::string_view dotted, int level);

  const std::string &path(uint32_t file) const { return m_modules[file]->path; }
  /// In order of their index.
  std::vector<SourceFile> files() const;

private:
  const SourceModule *add(std::unique_ptr<SourceModule> module);
  const SourceModule *load(const std::filesystem::path &stem);
  /// Null for null.
  const SourceModule *addPrelude(const PreludeFile *file);

  std::vector<std::unique_ptr<SourceModule>> m_modules;
  llvm::StringMap<const SourceModule *> m_byPath;
  std::vector<std::string> m_searchPaths;
};

} // namespace tilescope::compiler::frontend
