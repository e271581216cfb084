// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "SteppedFixture.h"

#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>

namespace tilescope::compiler {

static constexpr const char *kImports = "import triton\nimport triton.language as tl\n";
static constexpr uint32_t kNumImports = 2;

SteppedFixture::SteppedFixture(Kernel given) : kernel(std::move(given)) {
  CompileRequest request;
  request.selection.kernel = kernel.kernel;
  request.selection.signature = kernel.signature;
  request.selection.constexprs = kernel.constexprs;
  request.path = "/kernels/k.py";
  for (const auto &[name, text] : kernel.others)
    request.selection.openTexts["/kernels/" + name] = kImports + text;
  request.text = kImports + kernel.text;
  request.stopAfter = kernel.stage;
  Compiler compiler{CudaToolkit{}};
  auto compiled = std::make_shared<CompileResult>(compiler.compile(request).result);
  for (const Diagnostic &diagnostic : compiled->diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(compiled->ok);
  StepInput input;
  input.stage = kernel.stage;
  if (kernel.stage == StageId::Ttir) {
    CompileHooks hooks;
    hooks.keepsBindings = true;
    input.bound = std::make_shared<const CompileResult>(compiler.compile(request, hooks).result);
  }
  input.grid = kernel.grid;
  input.mostBytes = kernel.mostBytes;
  for (const KernelParameter &parameter : compiled->metadata.parameters)
    if (parameter.type.starts_with('*'))
      arrays[parameter.name].resize(kernel.numElements);
  input.argument = [this](const KernelParameter &parameter, bool) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto scalar = kernel.scalars.find(parameter.name); scalar != kernel.scalars.end())
      argument.bits = scalar->second;
    if (const auto array = arrays.find(parameter.name); array != arrays.end()) {
      argument.data = reinterpret_cast<std::byte *>(array->second.data());
      argument.sizeBytes = array->second.size() * sizeof(float);
    }
    return std::optional(argument);
  };
  input.resetMemory = [this] {
    for (auto &[name, array] : arrays)
      for (size_t i = 0; i < array.size(); ++i)
        array[i] = static_cast<float>(i % 97) / 8;
  };
  auto opened = SteppedKernel::open(compiled, input);
  if (!opened)
    FAIL(opened.error().message);
  stepped = std::move(*opened);
}

StepState SteppedFixture::perform(StepAction action) {
  StepCommand next = command;
  next.action = action;
  return stepped->perform(next);
}

StepState SteppedFixture::restart(std::array<int32_t, 3> program, StepOrder order) {
  StepCommand next = command;
  next.action = StepAction::Restart;
  next.program = program;
  next.order = order;
  return stepped->perform(next);
}

int SteppedFixture::line(const StepState &state, size_t frame) const {
  if (frame >= state.frames.size())
    return -1;
  return static_cast<int>(state.frames[frame].range.begin.line + 1) - static_cast<int>(kNumImports);
}

std::string SteppedFixture::preview(const StepState &state, const std::string &name) {
  for (const StepValue &value : state.values)
    if (value.name == name)
      return value.preview;
  return {};
}

std::string SteppedFixture::digest() {
  stepping::SteppedProgram &program = stepped->session().stepper().current();
  interpreter::Frame &frame = program.frame;
  std::string text = std::to_string(frame.next()) + ":" + std::to_string(frame.numFindings);
  for (uint32_t id = 0; id < program.writtenAt.size(); ++id) {
    if (program.writtenAt[id] == 0)
      continue;
    text += "|" + std::to_string(program.writtenAt[id]) + "=";
    const auto &info = frame.info(id);
    const std::byte *data = info.shape.rank == 0 ? frame.value(id).scalar.data() : frame.dense(id);
    text.append(reinterpret_cast<const char *>(data),
                static_cast<size_t>(info.shape.count) * interpreter::storageSize(info.element));
  }
  for (const auto &[name, array] : arrays)
    text.append(reinterpret_cast<const char *>(array.data()), array.size() * sizeof(float));
  return text;
}

StepBreakpoint breakAt(uint32_t line, std::string condition) {
  return {std::nullopt, line - 1 + kNumImports, std::move(condition)};
}

} // namespace tilescope::compiler
