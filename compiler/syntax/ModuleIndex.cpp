// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ModuleIndex.h"

#include "compiler/types/SignatureType.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace tilescope::compiler::ast {

const ParameterInfo *JitFunction::findParameter(std::string_view parameterName) const {
  for (const ParameterInfo &parameter : parameters)
    if (parameter.name == parameterName)
      return &parameter;
  return nullptr;
}

std::string_view JitFunction::nameMeantBy(const Node &expr) const {
  if (auto *name = as<Name>(&expr))
    return name->id;
  auto *entry = keywords.empty() ? nullptr : as<Subscript>(&expr);
  auto *dictionary = entry ? as<Name>(entry->value) : nullptr;
  auto *key = entry ? as<Constant>(entry->slice) : nullptr;
  bool isEntry =
      dictionary && dictionary->id == keywords && key && key->constantKind == ConstantKind::Str;
  return isEntry ? std::string_view(key->text) : std::string_view();
}

const JitFunction *ModuleIndex::findFunction(std::string_view name) const {
  // A later definition replaces an earlier one.
  for (size_t i = functions.size(); i-- > 0;)
    if (functions[i].name == name)
      return &functions[i];
  return nullptr;
}

const ModuleConstant *ModuleIndex::findConstant(std::string_view name) const {
  for (const ModuleConstant &constant : constants)
    if (constant.name == name)
      return &constant;
  return nullptr;
}

std::string ModuleIndex::resolve(const Expr &expr) const {
  if (auto *name = as<Name>(&expr)) {
    auto found = imports.find(name->id);
    return found == imports.end() ? std::string() : found->second;
  }
  auto *attribute = as<Attribute>(&expr);
  if (!attribute)
    return {};
  std::string base = resolve(*attribute->value);
  return base.empty() ? base : base + "." + std::string(attribute->attr);
}

std::string_view reexportedModule(std::string_view module, std::string_view member) {
  if (module == "triton" || module.starts_with("triton."))
    return {};
  if (member == "triton")
    return "triton";
  if (member == "tl")
    return "triton.language";
  return member == "tldevice" ? "triton.language.extra.libdevice" : std::string_view();
}

std::optional<std::string_view> languageMember(std::string_view path) {
  static constexpr std::string_view kPrefix = "triton.language.";
  if (!path.starts_with(kPrefix))
    return std::nullopt;
  path.remove_prefix(kPrefix.size());
  static constexpr std::string_view kSame[] = {"core.", "standard.", "random."};
  for (std::string_view prefix : kSame)
    if (path.starts_with(prefix))
      path.remove_prefix(prefix.size());
  return path;
}

std::optional<std::string_view> libdeviceMember(std::string_view path) {
  size_t at = path.rfind(".libdevice.");
  if (!path.starts_with("triton.") || at == std::string_view::npos)
    return std::nullopt;
  return path.substr(at + std::string_view(".libdevice.").size());
}

namespace {

class Indexer {
public:
  explicit Indexer(ModuleIndex &index) : m_index(index) {}

  void run(const Module &module) {
    visitBody(module.body);
    for (JitFunction &function : m_index.functions)
      readBody(function);
    std::set<std::string_view> used;
    for (const JitFunction &function : m_index.functions)
      for (std::string_view name : function.usedNames)
        if (name != function.name)
          used.insert(name);
    for (JitFunction &function : m_index.functions)
      function.usedByOthers = used.contains(function.name);
  }

private:
  void visitBody(Seq<Stmt> body) {
    for (const Stmt *stmt : body)
      visitStmt(*stmt);
  }

  /// The functions that a class or function defines; its other names are not the file's.
  void visitInner(Seq<Stmt> body) {
    for (const Stmt *stmt : body)
      walk(*stmt, [&](const Node &node) {
        if (auto *import = as<Import>(&node))
          readImport(*import, /*isInner=*/true);
        else if (auto *from = as<ImportFrom>(&node))
          readImportFrom(*from, /*isInner=*/true);
        auto *function = as<FunctionDef>(&node);
        if (function && !function->decoratorList.empty())
          readFunction(*function);
        return !function || function->decoratorList.empty();
      });
  }

  void visitStmt(const Stmt &stmt) {
    if (auto *import = as<Import>(&stmt))
      readImport(*import);
    else if (auto *from = as<ImportFrom>(&stmt))
      readImportFrom(*from);
    else if (auto *function = as<FunctionDef>(&stmt))
      readFunction(*function);
    else if (auto *assign = as<Assign>(&stmt))
      readAssign(*assign);
    else if (auto *assign = as<AnnAssign>(&stmt))
      readAnnotated(*assign);
    else if (auto *type = as<ClassDef>(&stmt)) {
      m_index.otherDefinitions.push_back(&stmt);
      visitInner(type->body);
    } else if (auto *branch = as<If>(&stmt)) {
      visitBody(branch->body);
      visitBody(branch->orelse);
    } else if (auto *attempt = as<Try>(&stmt)) {
      visitBody(attempt->body);
      for (const ExceptHandler *handler : attempt->handlers)
        visitBody(handler->body);
      visitBody(attempt->orelse);
      visitBody(attempt->finalbody);
    } else if (auto *with = as<With>(&stmt)) {
      visitBody(with->body);
    }
  }

  void addImport(std::string name, std::string path, bool isInner) {
    if (!isInner || !m_index.imports.contains(name))
      m_index.imports.insert_or_assign(std::move(name), std::move(path));
  }

  void readImport(const Import &import, bool isInner = false) {
    for (const Alias *alias : import.names) {
      if (alias->asname) {
        addImport(std::string(*alias->asname), std::string(alias->name), isInner);
      } else {
        // `import a.b` binds `a`.
        std::string first(alias->name.substr(0, alias->name.find('.')));
        addImport(first, first, isInner);
      }
    }
  }

  void readImportFrom(const ImportFrom &import, bool isInner = false) {
    std::string module(static_cast<size_t>(import.level), '.');
    module += import.module.value_or("");
    for (const Alias *alias : import.names) {
      if (alias->name == "*")
        continue;
      std::string path(reexportedModule(module, alias->name));
      if (path.empty()) {
        path = module;
        if (!path.empty() && path.back() != '.')
          path += '.';
        path += alias->name;
      }
      addImport(std::string(alias->asname.value_or(alias->name)), path, isInner);
    }
  }

  void addConstant(const Expr &target, const Expr &value, bool isConstexpr) {
    auto *name = as<Name>(&target);
    if (!name)
      return;
    // `tl = triton.language` and `load = tl.load` are imports in another dress.
    if (std::string path = m_index.resolve(value); path.starts_with("triton"))
      m_index.imports.insert_or_assign(std::string(name->id), path);
    if (auto *call = as<Call>(&value))
      isConstexpr |= m_index.resolve(*call->func) == "triton.language.constexpr";
    ModuleConstant constant{std::string(name->id), &value, name->range, isConstexpr};
    auto [known, isNew] = m_constantOf.try_emplace(name->id, m_index.constants.size());
    if (isNew)
      m_index.constants.push_back(std::move(constant));
    else
      m_index.constants[known->second] = std::move(constant);
  }

  void readAssign(const Assign &assign) {
    // `kernel = triton.autotune(...)(triton.jit(f))` and the like are left to running code.
    for (const Expr *target : assign.targets)
      addConstant(*target, *assign.value, false);
  }

  void readAnnotated(const AnnAssign &assign) {
    if (assign.value)
      addConstant(*assign.target, *assign.value,
                  m_index.resolve(*assign.annotation) == "triton.language.constexpr");
  }

  void readFunction(const FunctionDef &def) {
    JitFunction function;
    function.name = def.name;
    function.def = &def;
    bool isJit = false;
    for (const Expr *decorator : def.decoratorList)
      isJit |= readDecorator(*decorator, function);
    if (!isJit) {
      m_index.otherDefinitions.push_back(&def);
      visitInner(def.body);
      return;
    }
    readParameters(*def.args, function);
    readKeywords(function);
    m_index.functions.push_back(std::move(function));
  }

  /// True for `@triton.jit`.
  bool readDecorator(const Expr &decorator, JitFunction &function) {
    auto *call = as<Call>(&decorator);
    std::string path = m_index.resolve(call ? *call->func : decorator);
    auto keyword = [&](std::string_view name) -> const Expr * {
      if (call)
        for (const Keyword *each : call->keywords)
          if (each->arg == name)
            return each->value;
      return nullptr;
    };
    auto firstArg = [&]() -> const Expr * {
      return call && !call->args.empty() ? call->args[0] : nullptr;
    };
    if (path == "triton.jit" || path == "triton.runtime.jit" || path == "triton.runtime.jit.jit") {
      auto *noinline = as<Constant>(keyword("noinline"));
      function.noinline = noinline && noinline->constantKind == ConstantKind::True;
      return true;
    }
    if (path == "triton.autotune" || path == "triton.runtime.autotune") {
      function.autotuneConfigs = keyword("configs") ? keyword("configs") : firstArg();
      return false;
    }
    if (path == "triton.heuristics") {
      auto *values = as<Dict>(keyword("values") ? keyword("values") : firstArg());
      for (size_t i = 0; values && i < values->keys.size(); ++i)
        if (auto *key = as<Constant>(values->keys[i]);
            key && key->constantKind == ConstantKind::Str)
          function.heuristics.emplace_back(std::string(key->text), values->values[i]);
      return false;
    }
    // Libraries wrap the tuner and keep its parameter.
    if (keyword("configs"))
      function.autotuneConfigs = keyword("configs");
    function.unknownDecorators.push_back(&decorator);
    return false;
  }

  void readParameters(const Arguments &args, JitFunction &function) {
    std::vector<const Arg *> positional(args.posonlyargs.begin(), args.posonlyargs.end());
    positional.insert(positional.end(), args.args.begin(), args.args.end());
    size_t firstDefault = positional.size() - args.defaults.size();
    for (size_t i = 0; i < positional.size(); ++i)
      function.parameters.push_back(
          parameter(*positional[i], i >= firstDefault ? args.defaults[i - firstDefault] : nullptr));
    for (size_t i = 0; i < args.kwonlyargs.size(); ++i)
      function.parameters.push_back(parameter(*args.kwonlyargs[i], args.kwDefaults[i]));
  }

  /// The names that the body takes out of `**meta` are constants that launches pass by name.
  void readKeywords(JitFunction &function) {
    const Arg *keywords = function.def->args->kwarg;
    if (!keywords)
      return;
    function.keywords = keywords->arg;
    for (const Stmt *stmt : function.def->body)
      walk(*stmt, [&](const Node &node) {
        std::string_view name = is<Subscript>(&node) ? function.nameMeantBy(node) : "";
        if (!name.empty() && !function.findParameter(name)) {
          ParameterInfo info;
          info.name = name;
          info.range = node.range;
          info.annotationKind = AnnotationKind::Constexpr;
          function.parameters.push_back(std::move(info));
        }
        return true;
      });
  }

  ParameterInfo parameter(const Arg &arg, const Expr *defaultValue) {
    ParameterInfo info;
    info.name = arg.arg;
    info.range = {arg.range.begin, arg.range.begin, arg.range.file};
    info.range.end.column += arg.arg.size();
    info.annotation = arg.annotation;
    info.defaultValue = defaultValue;
    if (arg.annotation)
      readAnnotation(*arg.annotation, info);
    return info;
  }

  void readAnnotation(const Expr &annotation, ParameterInfo &info) {
    info.annotationKind = AnnotationKind::Other;
    if (auto *text = as<Constant>(&annotation); text && text->constantKind == ConstantKind::Str) {
      // `x: "i64"`, `x: "tl.constexpr"`
      if (text->text == "constexpr" || text->text == "tl.constexpr") {
        info.annotationKind = AnnotationKind::Constexpr;
      } else {
        info.annotationKind = AnnotationKind::DType;
        info.dtype = text->text;
      }
      return;
    }
    auto *call = as<Call>(&annotation);
    std::string path = m_index.resolve(call ? *call->func : annotation);
    std::optional<std::string_view> member = languageMember(path);
    if (!member)
      return;
    if (*member == "constexpr") {
      info.annotationKind = AnnotationKind::Constexpr;
    } else if (*member == "const") {
      info.annotationKind = AnnotationKind::ConstPointer;
    } else if (const std::optional<ScalarType> type = dtypeOf(annotation)) {
      info.annotationKind = AnnotationKind::DType;
      info.dtype = toSignature(*type);
    }
  }

  /// `tl.int64`, `tl.pointer_type(tl.float16)`; nothing for anything else.
  std::optional<ScalarType> dtypeOf(const Expr &expr) {
    if (auto *call = as<Call>(&expr)) {
      const bool isPointer = m_index.resolve(*call->func) == "triton.language.pointer_type";
      const auto pointee =
          isPointer && !call->args.empty() ? dtypeOf(*call->args[0]) : std::nullopt;
      return pointee ? std::optional(pointee->pointerTo()) : std::nullopt;
    }
    const std::string path = m_index.resolve(expr);
    const std::optional<std::string_view> member = languageMember(path);
    const auto scalar = member ? scalarFromLanguageName(*member) : std::nullopt;
    return scalar && *scalar != ScalarKind::Void ? std::optional(ScalarType{*scalar})
                                                 : std::nullopt;
  }

  void readBody(JitFunction &function) {
    std::set<std::string_view> names;
    for (const Stmt *stmt : function.def->body)
      walk(*stmt, [&](const Node &node) {
        if (auto *result = as<Return>(&node); result && result->value) {
          auto *constant = as<Constant>(result->value);
          function.returnsValue |= !constant || constant->constantKind != ConstantKind::None;
        }
        if (auto *name = as<Name>(&node))
          names.insert(name->id);
        return !is<FunctionDef>(&node) && !is<ClassDef>(&node);
      });
    function.usedNames.assign(names.begin(), names.end());
  }

  ModuleIndex &m_index;
  /// The index of a name in `constants`.
  std::unordered_map<std::string_view, size_t> m_constantOf;
};

} // namespace

ModuleIndex indexModule(const SyntaxTree &tree) {
  ModuleIndex index;
  Indexer(index).run(*tree.module);
  return index;
}

} // namespace tilescope::compiler::ast
