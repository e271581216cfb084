// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/EmitModule.h"

#include "compiler/dialects/tm/ir/NodeName.h"

#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;

namespace tilescope::model {

using compiler::Severity;

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
  return "(" + text + "):\n";
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

/// In TOML, quoted.
static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
  return result + "\"";
}

std::string launchText(const EmittedStep &step, bool isChecked) {
  const EmittedKernel &kernel = step.kernel;
  std::string text = "# /// tilescope\n", grid;
  const auto line = [&](const std::string &content) { text += "# " + content + "\n"; };
  line("name = " + quoted(step.launch));
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
  line("///");
  return text;
}

namespace {
/// Names functions and launches. The text of a function's parameters and body is its form.
class Names {
public:
  explicit Names(Emission &emission) : m_emission(emission) {}

  void add(EmittedKernel kernel, const std::string &node) {
    std::string function = functionOf(kernel);
    m_emission.steps.push_back({node, launchName(node), std::move(function), std::move(kernel)});
  }

private:
  std::string functionOf(const EmittedKernel &kernel) {
    const std::string form = signature(kernel) + kernel.body;
    const auto [known, isNew] = m_names.try_emplace(kernel.name + form, kernel.name + "_kernel");
    if (isNew) {
      if (const unsigned others = m_numForms[kernel.name]++)
        known->second += "_" + std::to_string(others + 1);
      m_emission.functions.emplace_back(known->second, "@triton.jit\ndef " + known->second + form);
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

/// Those that move nothing: other extents of the same elements, and what is there already.
static bool needsNoKernel(Operation &operation) {
  return isa<tm::ReshapeOp, tm::ConstantOp, tm::FillOp, tm::WeightOp, tm::SizesOp, func::ReturnOp>(
      operation);
}

static std::optional<EmittedKernel> emitOperation(Operation *operation) {
  for (const auto emit : {emitPointwise, emitReduction, emitMovement, emitGathering, emitProduct,
                          emitConvolution, emitPooling, emitResize})
    if (std::optional<EmittedKernel> kernel = emit(operation))
      return kernel;
  return std::nullopt;
}

static bool hasNumbers(Operation &operation) {
  const auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  return llvm::all_of(operation.getOperandTypes(), isStatic) &&
         llvm::all_of(operation.getResultTypes(), isStatic);
}

Emission emitKernels(func::FuncOp function, compiler::ModelResult &result) {
  Emission emission;
  Names names(emission);
  for (Operation &operation : function.getBody().front()) {
    if (needsNoKernel(operation))
      continue;
    const bool isStatic = hasNumbers(operation);
    auto kernel = isStatic ? emitOperation(&operation) : std::nullopt;
    if (kernel) {
      names.add(std::move(*kernel), tm::nodeName(&operation));
      continue;
    }
    const std::string name = operation.getName().getStringRef().str();
    result.ok = false;
    result.diagnostics.push_back({Severity::Error, tm::nodeName(&operation), name,
                                  isStatic
                                      ? "there is no kernel for this operation yet"
                                      : "its extents are not numbers: give them with `--dim`"});
  }
  return emission;
}

std::string moduleText(const Emission &emission, const std::string &fileName) {
  std::string text = "# Generated by Tilescope from " + fileName +
                     ": a kernel for each form of operation, a launch for each\n# node. Operations "
                     "are not fused.\n" +
                     kImports;
  for (const auto &[function, definition] : emission.functions) {
    for (const EmittedStep &step : emission.steps)
      if (step.function == function)
        text += "\n" + launchText(step, true);
    text += "\n\n" + definition + "\n";
  }
  return text;
}

} // namespace tilescope::model
