// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compilation.h"

#include "compiler/artifacts/CpuTarget.h"
#include "compiler/dialects/tt/ir/TritonVersion.h"
#include "compiler/pipeline/PtxFacts.h"

#include <algorithm>
#include <array>
#include <variant>

namespace tilescope::compiler {

/// What was asked for, else what a document in IR names itself.
static std::string chooseTarget(const CompileRequest &request) {
  if (!request.selection.target.empty())
    return request.selection.target;
  if (request.entry != StageId::Ast)
    if (const std::string target = documentTarget(request.text); parseTarget(target))
      return target;
  return kDefaultTarget;
}

std::optional<Document> openDocument(CompileJob &job) {
  job.result.target = chooseTarget(job.request);
  const Result<TargetSpec> target = parseTarget(job.result.target);
  if (!target) {
    job.report(DiagnosticKind::TargetUnsupported, Severity::Error, target.error().message,
               {target.error().hint})
        .cause.subject = job.result.target;
    return std::nullopt;
  }
  job.result.target = target->name();
  const std::optional<KernelOptions> options =
      readOptions(job, job.request.selection.options, *target);
  const bool isOpen = options && (!job.entryIsIr() || checkNesting(job));
  return isOpen ? std::optional(Document{*options}) : std::nullopt;
}

std::optional<KernelOptions> readOptions(CompileJob &job,
                                         const std::map<std::string, std::string> &options,
                                         const TargetSpec &target) {
  Result<KernelOptions> read = parseKernelOptions(options, target);
  if (!read) {
    job.report(DiagnosticKind::OptionInvalid, Severity::Error, read.error().message);
    const auto wrong = std::ranges::find_if(
        options, [&](const auto &option) { return !parseKernelOptions({option}, target); });
    if (wrong != options.end())
      job.result.diagnostics.back().cause.subject = wrong->first;
    return std::nullopt;
  }
  tt::PrintedVersion::set(
      *job.state.context,
      tt::parseTritonVersion(read->tritonVersion).value_or(tt::TritonVersion()));
  return *read;
}

namespace {
/// A kernel in any of its forms.
using Form = std::variant<Document, SyntaxKernel, TtirKernel, TtgirKernel, CpuIrKernel, LlvmKernel,
                          PtxKernel, CubinKernel, SassKernel, AssemblyKernel>;
using MakeForm = std::optional<Form> (*)(CompileJob &, Form);

/// How a stage is made, of a document of its form, and of the stage before it for GPUs and for
/// processors. Null: it is not.
struct StageRow {
  StageId id;
  MakeForm enter, forGpu, forCpu;
};
} // namespace

template <typename From, typename To>
static std::optional<Form> apply(std::optional<To> (*function)(CompileJob &, From), CompileJob &job,
                                 Form from) {
  std::optional<To> to = function(job, std::get<From>(std::move(from)));
  return to ? std::optional<Form>(std::move(*to)) : std::nullopt;
}

/// A function between two forms as one between any.
template <auto Function> static std::optional<Form> stage(CompileJob &job, Form from) {
  return apply(Function, job, std::move(from));
}

/// All stages, in order.
static constexpr std::array<StageRow, kNumStages> kStages = {{
    {StageId::Ast, stage<&makeAst>, nullptr, nullptr},
    {StageId::Ttir, stage<&enterTtir>, stage<&makeTtir>, stage<&makeTtir>},
    {StageId::Ttgir, stage<&enterTtgir>, stage<&makeTtgir>, nullptr},
    {StageId::CpuIr, nullptr, nullptr, stage<&makeCpuIr>},
    {StageId::LlvmIr, stage<&enterLlvmIr>, stage<&makeLlvmIr>, stage<&makeCpuLlvmIr>},
    {StageId::Assembly, nullptr, nullptr, stage<&makeAssembly>},
    {StageId::Ptx, stage<&enterPtx>, stage<&makePtx>, nullptr},
    {StageId::Cubin, nullptr, stage<&makeCubin>, nullptr},
    {StageId::Sass, nullptr, stage<&makeSass>, nullptr},
}};

/// Makes the target's stages behind `after`, up to `last`. Nothing: one failed, or is not wanted.
static std::optional<Form> makeBetween(CompileJob &job, Form form, StageId after, StageId last) {
  const auto make = isCpuTarget(job.result.target) ? &StageRow::forCpu : &StageRow::forGpu;
  for (const StageRow &row : kStages) {
    if (row.id <= after || row.id > last || !(row.*make))
      continue;
    std::optional<Form> next =
        job.wants(row.id) ? (row.*make)(job, std::move(form)) : std::optional<Form>();
    if (!next)
      return std::nullopt;
    form = std::move(*next);
  }
  return form;
}

/// Everything that the stages from here to PTX or assembly depend on: the last stage with its places, and the
/// options. Two texts that differ only in comments have the same key.
static ContentKey loweredKey(const CompileJob &job) {
  KeyBuilder builder;
  const Stage &last = job.result.stages.back();
  builder.add(last.text);
  for (const LineMapping &mapping : last.sourceMap.lines) {
    builder.add(mapping.line);
    for (const SourceRange &range : mapping.sources)
      builder.add(range.file)
          .add(range.begin.line)
          .add(range.begin.column)
          .add(range.end.line)
          .add(range.end.column);
  }
  for (const SourceFile &file : job.files.files())
    builder.add(file.path);
  builder.add(job.result.target);
  for (const auto &[name, value] : job.result.options)
    builder.add(name).add(value);
  builder.add(static_cast<uint64_t>(job.request.entry));
  const StageId end = std::min(job.request.stopAfter, StageId::Ptx);
  builder.add(static_cast<uint64_t>(end)).add(job.needsText(end));
  builder.add(job.request.recordPassIr).add(job.request.collectFacts);
  return builder.key();
}

static size_t approximateSize(const LoweredStages &value) {
  size_t size = sizeof(value);
  const auto addMap = [&size](const SourceMap &map) {
    for (const LineMapping &mapping : map.lines)
      size += sizeof(mapping) + mapping.sources.size() * sizeof(SourceRange);
  };
  for (const Stage &stage : value.stages) {
    size += stage.text.size();
    addMap(stage.sourceMap);
  }
  for (const PassRecord &record : value.passes) {
    size += sizeof(record) + record.ir.size();
    addMap(record.irMap);
  }
  for (const LayoutFacts &facts : value.layouts)
    size += sizeof(facts) + facts.type.size() + facts.encoding.size() + 512;
  return size;
}

namespace {
/// How far a result had come.
struct ResultMark {
  explicit ResultMark(const CompileResult &result)
      : stages(result.stages.size()), passes(result.passes.size()),
        diagnostics(result.diagnostics.size()) {}

  size_t stages, passes, diagnostics;
};
} // namespace

/// What has come to a result since.
static LoweredStages loweredSince(const ResultMark &mark, const CompileJob &job) {
  const CompileResult &result = job.result;
  const auto since = [](const auto &all, size_t first) {
    return std::vector(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  };
  LoweredStages lowered;
  lowered.stages = since(result.stages, mark.stages);
  lowered.passes = since(result.passes, mark.passes);
  lowered.diagnostics = since(result.diagnostics, mark.diagnostics);
  lowered.layouts = result.layouts;
  lowered.conversionPasses = job.conversionPasses;
  lowered.metadata = result.metadata;
  return lowered;
}

/// Adds the stages that were made before. Nothing: PTX or assembly is not among them.
static std::optional<Form> replayLowered(CompileJob &job, const LoweredStages &cached,
                                         KernelFacts facts) {
  CompileResult &result = job.result;
  // The frontend's findings belong to this compilation.
  std::vector<KernelParameter> parameters = std::move(facts.metadata.parameters);
  facts.metadata = cached.metadata;
  // They may have other names here.
  for (KernelParameter &described : facts.metadata.described)
    for (size_t i = 0; i < std::min(parameters.size(), cached.metadata.parameters.size()); ++i)
      if (cached.metadata.parameters[i].name == described.name) {
        described.name = parameters[i].name;
        break;
      }
  if (!parameters.empty())
    facts.metadata.parameters = std::move(parameters);
  result.metadata = facts.metadata;
  result.layouts = cached.layouts;
  job.conversionPasses = cached.conversionPasses;
  result.passes.insert(result.passes.end(), cached.passes.begin(), cached.passes.end());
  result.diagnostics.insert(result.diagnostics.end(), cached.diagnostics.begin(),
                            cached.diagnostics.end());
  std::optional<Form> last;
  for (const Stage &stage : cached.stages) {
    job.begin(stage.id);
    Stage copy = stage;
    copy.cached = true;
    if (stage.id == StageId::Ptx)
      last = PtxKernel{stage.text, stage.sourceMap, facts};
    else if (stage.id == StageId::Assembly)
      last = AssemblyKernel{};
    job.publish(std::move(copy));
  }
  return job.stopped() ? std::nullopt : std::move(last);
}

static KernelFacts factsOf(const Form &form) {
  return std::visit(
      [](const auto &kernel) {
        if constexpr (requires { kernel.facts; })
          return kernel.facts;
        else
          return KernelFacts();
      },
      form);
}

/// From TTIR (or the form in which the document entered) to PTX or assembly, or from the cache.
static std::optional<Form> makeLoweredStages(CompileJob &job, Form form) {
  const ContentKey key = loweredKey(job);
  if (std::shared_ptr<const LoweredStages> cached = job.state.lowered.find(key);
      cached && (cached->knowsChanges || !job.hooks.wantsPasses))
    return replayLowered(job, *cached, factsOf(form));
  const ResultMark mark(job.result);
  const StageId last = std::min(job.request.stopAfter, StageId::Ptx);
  std::optional<Form> made =
      makeBetween(job, std::move(form), std::max(job.request.entry, StageId::Ttir), last);
  if (made) {
    LoweredStages lowered = loweredSince(mark, job);
    lowered.knowsChanges = job.hooks.wantsPasses;
    const size_t size = approximateSize(lowered);
    job.state.lowered.insert(key, std::move(lowered), size);
  }
  return made;
}

/// Whether the document is a form that kernels for the target have.
static bool checkEntry(CompileJob &job) {
  const StageKind &entry = stageKind(job.request.entry);
  const bool isCpu = isCpuTarget(job.result.target);
  if (entry.has(isCpu ? stage_trait::Cpu : stage_trait::Gpu))
    return true;
  job.report(DiagnosticKind::TargetUnsupported, Severity::Error,
             "kernels for `" + job.result.target + "` have no form of " + std::string(entry.title))
      .cause.subject = job.result.target;
  return false;
}

void makeStages(CompileJob &job) {
  std::optional<Document> document = openDocument(job);
  if (!document || !checkEntry(job))
    return;
  const StageId entry = job.request.entry;
  const auto enter = kStages[static_cast<size_t>(entry)].enter;
  if (!enter) {
    job.report(DiagnosticKind::IrInvalid, Severity::Error, "cannot compile machine code");
    return;
  }
  std::optional<Form> form = enter(job, std::move(*document));
  if (form)
    form = makeBetween(job, std::move(*form), entry, StageId::Ttir);
  // From here on the text of the last stage determines the next ones.
  if (form && entry < StageId::Ptx)
    form = makeLoweredStages(job, std::move(*form));
  if (form)
    makeBetween(job, std::move(*form), std::max(entry, StageId::Ptx), kStageKinds.back().id);
}

} // namespace tilescope::compiler
