// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/EmitModule.h"

#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/GroupFacts.h"
#include "compiler/support/Counted.h"

#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;

namespace tilescope::model {

using compiler::Severity;

/// Parameters in lines that can be read at once, below the first one.
static std::string wrapped(const std::string &parameters) {
  static constexpr size_t kMostColumns = 110;
  std::string text, line;
  for (const StringRef each : llvm::split(StringRef(parameters), ", ")) {
    if (line.size() + each.size() > kMostColumns) {
      text += StringRef(line).rtrim().str() + "\n";
      line = "        ";
    }
    line += each.str() + ", ";
  }
  text += line;
  text.resize(text.size() - 2);
  return text;
}

static std::string signature(const EmittedKernel &kernel) {
  std::string text;
  const auto add = [&](const std::string &parameter) {
    text += (text.empty() ? "" : ", ") + parameter;
  };
  for (const EmittedTensor &tensor : kernel.tensors)
    add(tensor.name);
  for (const auto &[name, value] : kernel.numbers)
    add(name);
  for (const auto &[name, value] : kernel.constexprs)
    add(name + ": tl.constexpr");
  return "(" + wrapped(text) + "):\n";
}

static std::string listed(ArrayRef<int64_t> numbers) {
  std::string text;
  for (const int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// `dtype = "fp32", shape = [2, 3], init = "randn", seed = 0`
static std::string tensorText(const EmittedTensor &tensor, unsigned seed, bool isChecked) {
  const Type element = tensorType(tensor.value).getElementType();
  std::string text =
      "dtype = \"" + tritonType(element) + "\", shape = [" + listed(tensor.shape) + "]";
  if (tensor.isResult)
    return text + (tensor.expected.empty() || !isChecked
                       ? ""
                       : ", expected = \"" + tensor.expected + "\"");
  text += isa<FloatType>(element) ? ", init = \"randn\""
                                  : ", init = \"randint\", low = 0, high = " +
                                        std::to_string(element.isInteger(1) ? 2 : tensor.limit);
  return text + ", seed = " + std::to_string(seed);
}

/// A name that stands between quotation marks as it is.
static std::string quotable(std::string name) {
  for (char &c : name)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ')
      c = '_';
  return name;
}

std::string launchText(const EmittedStep &step, bool isChecked) {
  const EmittedKernel &kernel = step.kernel;
  std::string text = "# /// tilescope\n", grid;
  const auto line = [&](const std::string &content) { text += "# " + content + "\n"; };
  line("name = \"" + step.launch + "\"");
  line("kernel = \"" + step.function + "\"");
  for (const std::string &extent : kernel.grid)
    grid += (grid.empty() ? "" : ", ") + extent;
  line("grid = [" + grid + "]");
  line("[args]");
  for (const auto &[i, tensor] : llvm::enumerate(kernel.tensors))
    line(tensor.name + " = { " + tensorText(tensor, unsigned(i), isChecked) + " }");
  for (const auto &[name, value] : kernel.numbers)
    line(name + " = " + value);
  line("[constexprs]");
  for (const auto &[name, value] : kernel.constexprs)
    line(name + " = " + std::to_string(value));
  if (!kernel.options.empty())
    line("[options]");
  for (const auto &[name, value] : kernel.options)
    line(name + " = " + std::to_string(value));
  line("///");
  return text;
}

namespace {
/// Names functions and launches. The text of a function's parameters and body is its form.
class Names {
public:
  explicit Names(Emission &emission) : m_emission(emission) {}

  void add(EmittedKernel kernel, const std::vector<std::string> &nodes) {
    std::string function = functionOf(kernel), all;
    for (const std::string &node : nodes)
      all += (all.empty() ? "" : " + ") + node;
    m_emission.steps.push_back(
        {all, launchName(quotable(all)), std::move(function), std::move(kernel)});
  }

private:
  std::string functionOf(const EmittedKernel &kernel) {
    const std::string form = signature(kernel) + kernel.body;
    const auto [known, isNew] = m_names.try_emplace(kernel.name + form, kernel.name + "_kernel");
    if (isNew) {
      if (const unsigned others = m_numForms[kernel.name]++)
        known->second += "_" + std::to_string(others + 1);
      m_emission.functions.push_back(
          {known->second, "@triton.jit\ndef " + known->second + form, kernel.helper});
    }
    return known->second;
  }

  std::string launchName(const std::string &node) {
    std::string name = node;
    for (unsigned i = 2; !m_used.insert(name).second; ++i)
      name = node + " " + std::to_string(i);
    return name;
  }

  Emission &m_emission;
  std::map<std::string, std::string> m_names;
  std::map<std::string, unsigned> m_numForms;
  llvm::StringSet<> m_used;
};
} // namespace

/// Tensors that are there already.
static bool isSource(Operation &operation) {
  return isa<tm::ConstantOp, tm::FillOp, tm::WeightOp, tm::SizesOp, func::ReturnOp>(operation);
}

static bool hasNumbers(Operation &operation) {
  const auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  return llvm::all_of(operation.getOperandTypes(), isStatic) &&
         llvm::all_of(operation.getResultTypes(), isStatic);
}

std::vector<Group> singleGroups(func::FuncOp function) {
  std::vector<Group> groups;
  for (Operation &operation : function.getBody().front())
    if (!isSource(operation))
      groups.push_back({{&operation}});
  return groups;
}

static void refuse(Operation *operation, const std::string &reason, compiler::ModelResult &result) {
  result.ok = false;
  result.diagnostics.push_back({Severity::Error, tm::nodeName(operation),
                                operation->getName().getStringRef().str(), reason});
}

Emission emitKernels(ArrayRef<Group> groups, compiler::ModelResult &result) {
  Emission emission;
  Names names(emission);
  SmallVector<Operation *> open;
  for (const Group &group : groups) {
    if (const auto found =
            llvm::find_if(group.operations, [](Operation *each) { return !hasNumbers(*each); });
        found != group.operations.end()) {
      open.push_back(*found);
      continue;
    }
    GroupKernel made = emitGroup(group);
    if (!made.kernel && !made.reason.empty())
      refuse(group.operations.front(), made.reason, result);
    if (!made.kernel)
      continue;
    compiler::ModelKernel kernel;
    // Some nodes become several operations.
    for (Operation *operation : group.operations)
      if (std::string node = tm::nodeName(operation); !llvm::is_contained(kernel.nodes, node))
        kernel.nodes.push_back(std::move(node));
    kernel.bytes = bytesMoved(*made.kernel);
    names.add(std::move(*made.kernel), kernel.nodes);
    kernel.function = emission.steps.back().function;
    kernel.launch = emission.steps.back().launch;
    kernel.form = kernelForm(group);
    kernel.flops = flopsOf(group);
    result.kernels.push_back(std::move(kernel));
  }
  if (!open.empty())
    refuse(open.front(),
           open.size() == 1
               ? "its extents are known only when the model runs: there is no kernel for that"
               : "its extents, and those of " + counted(open.size() - 1, "operation") +
                     " after it, are known only when the model runs: there are no kernels for that",
           result);
  return emission;
}

std::string moduleText(const Emission &emission, const std::string &fileName) {
  std::string text = "# Generated by Tilescope from " + fileName +
                     ": a kernel for each form of operations that are\n# computed together, a "
                     "launch for the nodes of each. Regenerating it replaces the file.\n" +
                     kImports;
  std::vector<std::string> helpers;
  for (const EmittedFunction &function : emission.functions)
    if (!function.helper.empty() && !llvm::is_contained(helpers, function.helper))
      helpers.push_back(function.helper);
  for (const std::string &helper : helpers)
    text += "\n\n" + helper;
  for (const auto &[function, definition, helper] : emission.functions) {
    for (const EmittedStep &step : emission.steps)
      if (step.function == function)
        text += "\n" + launchText(step, true);
    text += "\n\n" + definition + "\n";
  }
  return text;
}

} // namespace tilescope::model
