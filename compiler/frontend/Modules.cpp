// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Modules.h"

#include "compiler/frontend/Objects.h"
#include "compiler/frontend/Prelude.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/syntax/ExpressionParts.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilescope::compiler::frontend {

std::string SourceModuleObject::repr() const { return "<module " + module.path + ">"; }

static void scanStatements(SourceModule &module, ast::Seq<ast::Stmt> statements);

static void scanImport(SourceModule &module, const ast::Import &import) {
  for (const ast::Alias *alias : import.names) {
    Binding binding;
    binding.kind = Binding::Kind::Import;
    binding.range = alias->range;
    std::string name(alias->name);
    if (alias->asname) {
      binding.module = name;
      module.bindings[*alias->asname] = binding;
      continue;
    }
    // `import a.b` binds `a`.
    binding.module = name.substr(0, name.find('.'));
    module.bindings[binding.module] = binding;
  }
}

static void scanImportFrom(SourceModule &module, const ast::ImportFrom &import) {
  for (const ast::Alias *alias : import.names) {
    Binding binding;
    binding.kind = Binding::Kind::Import;
    binding.range = alias->range;
    binding.level = import.level;
    binding.module = import.module ? std::string(*import.module) : std::string();
    if (alias->name == "*") {
      module.starImports.push_back(std::move(binding));
      continue;
    }
    if (std::string_view known = ast::reexportedModule(binding.module, alias->name);
        !known.empty()) {
      binding.module = known;
      binding.level = 0;
    } else {
      binding.member = std::string(alias->name);
    }
    module.bindings[alias->asname ? *alias->asname : alias->name] = binding;
  }
}

static void bindValue(SourceModule &module, const ast::Expr *target, const ast::Expr *value,
                      bool isAnnotated) {
  const auto *name = ast::as<ast::Name>(target);
  if (!name || !value)
    return;
  // A replacement for Triton where it is missing: `tl = MagicMock()`.
  auto known = module.bindings.find(name->id);
  bool isTriton = known != module.bindings.end() && known->second.kind == Binding::Kind::Import &&
                  known->second.member.empty() &&
                  (known->second.module + ".").starts_with("triton.");
  if (isTriton && !resolveDotted(module, *value).starts_with("triton"))
    return;
  Binding binding;
  binding.kind = Binding::Kind::Assignment;
  binding.value = value;
  binding.range = name->range;
  binding.isAnnotated = isAnnotated;
  const auto usesItself = [&](const Binding &other) {
    return other.kind == Binding::Kind::Assignment && mentions(*other.value, name->id);
  };
  if (usesItself(binding) && known != module.bindings.end() && !usesItself(known->second))
    binding.before = std::make_shared<const Binding>(known->second);
  module.bindings[name->id] = binding;
}

/// The body of a class or function as a separate scope.
static void scanInner(SourceModule &module, ast::Seq<ast::Stmt> body, const ast::ClassDef *type) {
  auto inner = std::make_unique<SourceModule>();
  inner->path = module.path;
  inner->tree = module.tree;
  inner->outer = &module;
  inner->type = type;
  scanStatements(*inner, body);
  module.inner.push_back(std::move(inner));
}

static bool definesFunctions(ast::Seq<ast::Stmt> body) {
  bool defines = false;
  for (const ast::Stmt *statement : body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *function = ast::as<ast::FunctionDef>(&node);
      defines |= function && !function->decoratorList.empty();
      return !defines;
    });
  return defines;
}

static void scanStatement(SourceModule &module, const ast::Stmt &statement) {
  if (const auto *import = ast::as<ast::Import>(&statement))
    return scanImport(module, *import);
  if (const auto *import = ast::as<ast::ImportFrom>(&statement))
    return scanImportFrom(module, *import);
  if (const auto *function = ast::as<ast::FunctionDef>(&statement)) {
    Binding binding;
    binding.kind = Binding::Kind::Function;
    binding.function = function;
    binding.range = function->nameRange;
    module.bindings[function->name] = binding;
    module.functions.push_back(function);
    if (definesFunctions(function->body))
      scanInner(module, function->body, nullptr);
    return;
  }
  if (const auto *type = ast::as<ast::ClassDef>(&statement)) {
    Binding binding;
    binding.kind = Binding::Kind::Class;
    binding.range = type->nameRange;
    binding.type = type;
    module.bindings[type->name] = binding;
    scanInner(module, type->body, type);
    return;
  }
  if (const auto *assign = ast::as<ast::Assign>(&statement)) {
    for (const ast::Expr *target : assign->targets)
      bindValue(module, target, assign->value, false);
    return;
  }
  if (const auto *assign = ast::as<ast::AnnAssign>(&statement))
    return bindValue(module, assign->target, assign->value,
                     isConstexprAnnotation(module, assign->annotation));
  if (const auto *branch = ast::as<ast::If>(&statement)) {
    scanStatements(module, branch->orelse);
    return scanStatements(module, branch->body);
  }
  if (const auto *with = ast::as<ast::With>(&statement))
    return scanStatements(module, with->body);
  if (const auto *attempt = ast::as<ast::Try>(&statement)) {
    for (const ast::ExceptHandler *handler : attempt->handlers)
      scanStatements(module, handler->body);
    return scanStatements(module, attempt->body);
  }
}

static void scanStatements(SourceModule &module, ast::Seq<ast::Stmt> statements) {
  for (const ast::Stmt *statement : statements)
    scanStatement(module, *statement);
}

std::unique_ptr<SourceModule> scanModule(std::string path,
                                         std::shared_ptr<const ast::SyntaxTree> tree) {
  auto module = std::make_unique<SourceModule>();
  module->path = std::move(path);
  module->tree = std::move(tree);
  scanStatements(*module, module->tree->module->body);
  return module;
}

static void collectFunctions(const SourceModule &scope, std::vector<ScopedFunction> &functions) {
  for (const ast::FunctionDef *function : scope.functions)
    functions.push_back({&scope, function});
  for (const auto &inner : scope.inner)
    collectFunctions(*inner, functions);
}

std::vector<ScopedFunction> allFunctions(const SourceModule &module) {
  std::vector<ScopedFunction> functions;
  collectFunctions(module, functions);
  std::ranges::sort(functions, {}, [](const ScopedFunction &function) {
    return function.definition->range.begin;
  });
  return functions;
}

/// `jit = triton.jit` and the like are followed that far.
static constexpr int kMaxAliases = 4;

static std::string resolveAlias(const SourceModule &module, const ast::Expr &expr, int depth) {
  if (const auto *attribute = ast::as<ast::Attribute>(&expr)) {
    std::string base = resolveAlias(module, *attribute->value, depth);
    return base.empty() ? base : base + "." + std::string(attribute->attr);
  }
  const auto *name = ast::as<ast::Name>(&expr);
  if (!name || depth > kMaxAliases)
    return {};
  auto found = module.bindings.find(name->id);
  if (found == module.bindings.end())
    return module.outer ? resolveAlias(*module.outer, expr, depth) : std::string();
  const Binding &binding = found->second;
  if (binding.kind == Binding::Kind::Assignment)
    return resolveAlias(module, *binding.value, depth + 1);
  if (binding.kind != Binding::Kind::Import)
    return {};
  return binding.member.empty() ? binding.module : binding.module + "." + binding.member;
}

std::string resolveDotted(const SourceModule &module, const ast::Expr &expr) {
  return resolveAlias(module, expr, 0);
}

static std::vector<std::string> readNames(const ast::Expr &expr) {
  std::vector<std::string> names;
  ast::walk(expr, [&](const ast::Node &node) {
    if (const auto *constant = ast::as<ast::Constant>(&node))
      if (constant->constantKind == ast::ConstantKind::Str ||
          constant->constantKind == ast::ConstantKind::Int)
        names.emplace_back(constant->text);
    return true;
  });
  return names;
}

static bool isTrue(const ast::Expr *expr) {
  const auto *constant = ast::as<ast::Constant>(expr);
  return constant && constant->constantKind == ast::ConstantKind::True;
}

DecoratorFacts readDecorators(const SourceModule &module, const ast::FunctionDef &function) {
  DecoratorFacts facts;
  for (const ast::Expr *decorator : function.decoratorList) {
    const auto *call = ast::as<ast::Call>(decorator);
    std::string name = resolveDotted(module, call ? *call->func : *decorator);
    bool isTriton = name == "triton" || name.starts_with("triton.");
    std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
    if (const auto *plain = ast::as<ast::Name>(decorator); plain && plain->id == "staticmethod") {
      facts.isStatic = true;
      continue;
    }
    if (!isTriton) {
      facts.unknown.push_back(decorator);
    } else if (last == "jit" && name != "triton.language.jit") {
      facts.isJit = true;
      for (const ast::Keyword *keyword : call ? call->keywords : ast::Seq<ast::Keyword>()) {
        if (keyword->arg == "noinline")
          facts.isNoinline = isTrue(keyword->value);
        else if (keyword->arg == "do_not_specialize")
          facts.doNotSpecialize = readNames(*keyword->value);
        else if (keyword->arg == "do_not_specialize_on_alignment")
          facts.doNotSpecializeOnAlignment = readNames(*keyword->value);
      }
    } else if (last == "constexpr_function") {
      facts.isConstexprFunction = true;
    }
  }
  return facts;
}

ModuleTable::ModuleTable(std::string path, std::shared_ptr<const ast::SyntaxTree> tree,
                         const Selection &selection)
    : m_searchPaths(selection.importPaths), m_openTexts(selection.openTexts) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  m_searchPaths.insert(m_searchPaths.begin(), folder.empty() ? "." : folder.string());
  add(scanModule(std::move(path), std::move(tree)));
}

static void setFile(SourceModule &scope, uint32_t file) {
  scope.file = file;
  for (const auto &inner : scope.inner)
    setFile(*inner, file);
}

const SourceModule *ModuleTable::add(std::unique_ptr<SourceModule> module) {
  setFile(*module, static_cast<uint32_t>(m_modules.size()));
  m_byPath[module->path] = module.get();
  m_modules.push_back(std::move(module));
  return m_modules.back().get();
}

const SourceModule *ModuleTable::preludeWith(std::string_view name) {
  return addPrelude(findPreludeFile(name));
}

const SourceModule *ModuleTable::addPrelude(const PreludeFile *file) {
  if (!file)
    return nullptr;
  if (auto found = m_byPath.find(file->path); found != m_byPath.end())
    return found->second;
  auto module = std::make_unique<SourceModule>();
  module->path = file->path;
  module->tree = file->tree;
  module->bindings = file->scan->bindings;
  module->starImports = file->scan->starImports;
  module->functions = file->scan->functions;
  module->isPrelude = true;
  return add(std::move(module));
}

static std::optional<std::string> readFile(const std::filesystem::path &path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return stream ? std::optional(text.str()) : std::nullopt;
}

std::optional<std::string> ModuleTable::read(const std::filesystem::path &path) const {
  const auto open = m_openTexts.find(path.string());
  return open == m_openTexts.end() ? readFile(path) : open->second;
}

static std::vector<std::filesystem::path> ancestorsOf(std::filesystem::path folder) {
  std::vector<std::filesystem::path> ancestors;
  for (; folder.has_filename(); folder = folder.parent_path())
    ancestors.push_back(folder);
  return ancestors;
}

/// The folders from `folder` up to the one that holds the project, and its `src`; empty when no
/// project is recognized.
static std::vector<std::filesystem::path> projectFolders(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path &ancestor : ancestorsOf(folder)) {
    folders.push_back(ancestor);
    for (const char *mark : {"pyproject.toml", "setup.py", "setup.cfg", ".git"}) {
      std::error_code error;
      if (!std::filesystem::exists(ancestor / mark, error))
        continue;
      folders.push_back(ancestor / "src");
      return folders;
    }
  }
  return {};
}

const SourceModule *ModuleTable::import(const SourceModule &from, std::string_view dotted,
                                        int level) {
  std::filesystem::path relative;
  for (size_t begin = 0; begin < dotted.size();) {
    size_t end = std::min(dotted.find('.', begin), dotted.size());
    relative /= dotted.substr(begin, end - begin);
    begin = end + 1;
  }
  std::filesystem::path folder = std::filesystem::path(from.path).parent_path();
  if (level > 0) {
    for (int i = 1; i < level; ++i)
      folder = folder.parent_path();
    return load((folder.empty() ? "." : folder) / relative);
  }
  // The file's own package, by its name, then the project that the file is in.
  for (const std::filesystem::path &ancestor : ancestorsOf(folder))
    if (ancestor.filename() == *relative.begin())
      if (const SourceModule *module = load(ancestor.parent_path() / relative))
        return module;
  for (const std::filesystem::path &ancestor : projectFolders(folder))
    if (const SourceModule *module = load(ancestor / relative))
      return module;
  for (const std::string &path : m_searchPaths)
    if (const SourceModule *module = load(path / relative))
      return module;
  return addPrelude(findPreludeModule(dotted));
}

const SourceModule *ModuleTable::load(const std::filesystem::path &stem) {
  for (std::filesystem::path candidate :
       {stem / "__init__.py", stem.parent_path() / (stem.filename().string() + ".py")}) {
    candidate = candidate.lexically_normal();
    if (auto found = m_byPath.find(candidate.string()); found != m_byPath.end())
      return found->second;
    if (std::optional<std::string> text = read(candidate))
      return add(scanModule(candidate.string(), ast::parseModule(std::move(*text))));
  }
  return nullptr;
}

std::vector<SourceFile> ModuleTable::files() const {
  std::vector<SourceFile> files;
  for (const auto &module : m_modules)
    files.push_back({module->path, module->tree->source});
  return files;
}

} // namespace tilescope::compiler::frontend
