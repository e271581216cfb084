// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SteppedKernel.h"

#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/pipeline/ListKernel.h"
#include "compiler/pipeline/ParsedKernel.h"
#include "compiler/pipeline/StageNames.h"
#include "compiler/stepping/StepSession.h"

using namespace mlir;

namespace tilescope::compiler {

struct SteppedKernel::Parts {
  Parts(std::shared_ptr<const CompileResult> result, const Stage &stage)
      : compiled(std::move(result)), kernel(stage.text, &parserState) {}

  std::shared_ptr<const CompileResult> compiled;
  /// The text that the user sees.
  AsmParserState parserState;
  ParsedKernel kernel;
  /// What is executed instead; null: the same.
  std::shared_ptr<const CompileResult> bound;
  std::unique_ptr<ParsedKernel> boundKernel;
  std::optional<ShownOperations> shown;
  interpreter::TranslationNotes notes;
  interpreter::PreparedKernel prepared;
  stepping::StepListing listing;
  std::unique_ptr<stepping::StepSession> session;
};

SteppedKernel::SteppedKernel(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
SteppedKernel::~SteppedKernel() = default;

const CompileResult &SteppedKernel::compiled() const { return *m_parts->compiled; }
stepping::StepSession &SteppedKernel::session() { return *m_parts->session; }

static Error cannot(std::string message) { return Error{ErrorCode::Usage, std::move(message), ""}; }

Result<std::unique_ptr<SteppedKernel>>
SteppedKernel::open(std::shared_ptr<const CompileResult> compiled, StepInput input) {
  const Stage *stage = compiled->stage(input.stage);
  if (!stage || !stage->ok)
    return cannot("a kernel is stepped through that compiles to " +
                  std::string(stageTitle(input.stage)));
  auto parts = std::make_unique<Parts>(compiled, *stage);
  if (!parts->kernel.module())
    return cannot(parts->kernel.message());
  const Stage *executed = stage;
  ModuleOp module = parts->kernel.module();
  if (const Stage *withBindings = input.bound ? input.bound->stage(input.stage) : nullptr;
      withBindings && withBindings->ok) {
    parts->bound = std::move(input.bound);
    parts->boundKernel = std::make_unique<ParsedKernel>(withBindings->text);
    if (!parts->boundKernel->module())
      return cannot(parts->boundKernel->message());
    executed = withBindings;
    module = parts->boundKernel->module();
    parts->shown.emplace(ShownOperations::Text{module, *executed},
                         ShownOperations::Text{parts->kernel.module(), *stage});
  }
  InterpreterLaunch launch;
  launch.grid = input.grid;
  if (auto fault = addArguments(*compiled, input.argument, {true, {}}, launch))
    return cannot(std::move(*fault));
  InterpreterOptions options;
  // As tensor cores do.
  options.truncateToTf32 = true;
  if (auto fault = parts->prepared.prepare(module, launch, options, {false, &parts->notes}))
    return cannot(std::move(fault->message));
  parts->listing = listKernel({parts->bound ? *parts->bound : *compiled, *executed, parts->prepared,
                               parts->notes, StageNames(parts->parserState),
                               parts->shown ? &*parts->shown : nullptr});
  stepping::SessionOptions session;
  session.setArguments = [prepared = &parts->prepared](interpreter::Frame &frame) {
    prepared->setArguments(frame);
  };
  session.resetMemory = std::move(input.resetMemory);
  session.mostBytes = input.mostBytes;
  parts->session = std::make_unique<stepping::StepSession>(parts->prepared.execution,
                                                           parts->listing, std::move(session));
  return std::unique_ptr<SteppedKernel>(new SteppedKernel(std::move(parts)));
}

/// Of the values of one program, which must fit beside those of others.
static std::string tooLarge(const interpreter::PreparedKernel &prepared) {
  return "the values of one program take " + std::to_string(prepared.program->memorySize >> 20) +
         " MiB of memory, which is more than is available";
}

StepState SteppedKernel::perform(const StepCommand &command, std::stop_token stop,
                                 const std::function<void(uint64_t, uint64_t)> &progress) {
  try {
    return m_parts->session->perform(command, std::move(stop), progress);
  } catch (const std::bad_alloc &) {
    StepState state;
    state.reason = tooLarge(m_parts->prepared);
    state.isFault = true;
    return state;
  }
}

} // namespace tilescope::compiler
