// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Every file under cases/ has exactly the hints that it expects, in the form of
// tests/diagnostics/CaseFile.h: `kind: words` under the place, and as notes parts of the evidence,
// the gain and the advice. A file that expects `none: kind` has no hint of this kind, nor one of
// the first rank.
#include "app/commands/InspectionText.h"
#include "tests/diagnostics/CaseFile.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace tilescope;
using namespace tilescope::tests;
using compiler::Hint;

namespace fs = std::filesystem;

static const std::string kNone = "none";

/// One for all files: to start a worker takes as long as to inspect a small kernel.
static compiler::WorkerClient &sharedWorker() {
  static compiler::WorkerClient worker({.program = TILESCOPE_WORKER});
  return worker;
}

static app::Inspection inspectionOf(const std::string &path, const std::string &text,
                                    const compiler::Selection &selection) {
  app::InputFile input;
  input.path = path;
  input.text = text;
  input.entry = compiler::StageId::Ast;
  Result<app::Inspection> inspection = app::inspectInput(sharedWorker(), input, selection);
  REQUIRE(inspection);
  for (const compiler::Diagnostic &diagnostic : inspection->diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(inspection->memory);
  return std::move(*inspection);
}

static std::string describe(const Hint &hint) {
  const auto place = [](Position position) {
    return std::to_string(position.line + 1) + ":" + std::to_string(position.column + 1);
  };
  std::string text = place(hint.range.begin) + "-" + place(hint.range.end) + " [" +
                     std::to_string(hint.rank) + "] " + std::string(hintId(hint.kind)) + ": " +
                     hint.message;
  for (const std::string &evidence : hint.evidence)
    text += "\n    note: " + evidence;
  text += "\n    note: " + hint.gain + "\n    note: " + hint.advice;
  for (const compiler::HintFix &fix : hint.fixes)
    text += "\n    fix: " + fix.edit.title + " | " + fix.edit.replacement +
            "\n    note: " + fix.outcome;
  return text;
}

static bool fits(const Expectation &expected, const Hint &hint) {
  if (hintId(hint.kind) != expected.kind ||
      hint.message.find(expected.message) == std::string::npos ||
      hint.range.begin != expected.range.value_or(SourceRange{}).begin)
    return false;
  if (expected.range && !expected.isOpen && hint.range.end != expected.range->end)
    return false;
  const std::string all = describe(hint);
  const auto isSaid = [&](const std::string &part) { return all.find(part) != std::string::npos; };
  const bool hasFixes = std::ranges::all_of(
      expected.fixes, [&](const std::string &fix) { return isSaid("fix: " + fix); });
  return hasFixes && hint.fixes.size() == expected.fixes.size() &&
         std::ranges::all_of(expected.notes, isSaid);
}

/// What does not match.
static std::string mismatches(const CaseFile &file, std::vector<Hint> hints) {
  std::string problems;
  bool expectsNone = false;
  for (const Expectation &expected : file.expectations) {
    if (expected.kind == kNone) {
      expectsNone = true;
      for (const Hint &hint : hints)
        if (hintId(hint.kind) == expected.message || hint.rank == 1)
          problems += "false: " + describe(hint) + "\n";
      continue;
    }
    const auto found =
        std::ranges::find_if(hints, [&](const Hint &hint) { return fits(expected, hint); });
    if (found == hints.end())
      problems += "missing: " + expected.kind + ": " + expected.message + "\n";
    else
      hints.erase(found);
  }
  for (const Hint &hint : hints)
    if (!expectsNone)
      problems += "unexpected: " + describe(hint) + "\n";
  return problems;
}

static std::vector<fs::path> filesIn(const std::string &folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".py")
      paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

static std::string textOf(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("every case has the hints that it expects", "[compiler]") {
  for (const fs::path &path : filesIn(TILESCOPE_HINT_CASES)) {
    const CaseFile file = readCase(path);
    INFO(path.filename().string());
    std::string problems;
    for (const std::string &problem : file.problems)
      problems += problem + "\n";
    const app::Inspection inspection = inspectionOf(path, file.text, file.selection);
    // What a thread spills is known from `ptxas`.
    if (inspection.resources.registers >= 0)
      problems += mismatches(file, inspection.hints);
    CHECK(problems == "");
  }
}

TEST_CASE("every kind of hint has a case that has it, and one that has it not", "[compiler]") {
  std::set<std::string> found, absent;
  for (const fs::path &path : filesIn(TILESCOPE_HINT_CASES))
    for (const Expectation &expectation : readCase(path).expectations)
      expectation.kind == kNone ? absent.insert(expectation.message)
                                : found.insert(expectation.kind);
  for (int kind = 0; kind < compiler::kNumHintKinds; ++kind) {
    const std::string id(hintId(compiler::HintKind(kind)));
    INFO(id);
    CHECK(found.contains(id));
    CHECK(absent.contains(id));
  }
}

/// The hints of the first rank.
static std::string problemsOf(const fs::path &path) {
  std::string problems;
  for (const Hint &hint : inspectionOf(path, textOf(path), {}).hints)
    if (hint.rank == 1)
      problems += describe(hint) + "\n";
  return problems;
}

TEST_CASE("no example has a hint of the first rank", "[compiler]") {
  for (const fs::path &path : filesIn(TILESCOPE_EXAMPLES)) {
    INFO(path.filename().string());
    CHECK(problemsOf(path) == "");
  }
}

TEST_CASE("well-tuned kernels have no hint of the first rank", "[compiler]") {
  for (const char *kernel : {"activation/dropout_residual.py",
                             "activation/geglu_fwd.py",
                             "activation/gelu_bwd.py",
                             "activation/swiglu_fwd.py",
                             "attention/attention_bwd_dkdv.py",
                             "attention/attention_causal.py",
                             "attention/attention_fwd_4_warps.py",
                             "attention/attention_fwd_8_warps.py",
                             "attention/flash_decoding_combine.py",
                             "attention/flash_decoding_split.py",
                             "attention/linear_attention_chunk.py",
                             "convolution/conv2d_implicit_gemm.py",
                             "convolution/stencil_5_point.py",
                             "embedding/embedding_bwd_atomic.py",
                             "embedding/embedding_gather.py",
                             "loss/cross_entropy_bwd.py",
                             "loss/cross_entropy_fwd.py",
                             "loss/kl_divergence.py",
                             "matmul/matmul_batched_bias_gelu.py",
                             "matmul/matmul_descriptor.py",
                             "matmul/matmul_descriptor_persistent.py",
                             "matmul/matmul_fp16_modulo.py",
                             "matmul/matmul_fp8.py",
                             "matmul/matmul_fp8_blocks.py",
                             "matmul/matmul_grouped.py",
                             "matmul/matmul_int4_weight.py",
                             "matmul/matmul_int8.py",
                             "matmul/matmul_persistent_flat.py",
                             "matmul/matmul_persistent_nested.py",
                             "matmul/matmul_skinny.py",
                             "matmul/matmul_split_k_fp32.py",
                             "matmul/matmul_tf32.py",
                             "matmul/matvec.py",
                             "memory/adam_step.py",
                             "memory/batched_reduction.py",
                             "memory/paged_kv_gather.py",
                             "memory/permute_heads.py",
                             "memory/transpose_tiles.py",
                             "moe/moe_count_tokens.py",
                             "moe/moe_grouped_gemm.py",
                             "moe/moe_route_topk.py",
                             "norm/add_rms_norm_quant.py",
                             "norm/batch_norm_stats.py",
                             "norm/group_norm_silu.py",
                             "norm/layer_norm_bwd_dw.py",
                             "norm/layer_norm_fwd.py",
                             "norm/rms_norm_bwd.py",
                             "norm/welford_variance.py",
                             "quantization/quantize_groups_fp8.py",
                             "quantization/quantize_rows_int8.py",
                             "quantization/unpack_int4.py",
                             "rotary/rope_half.py",
                             "rotary/rope_interleaved.py",
                             "sampling/top_p_threshold.py",
                             "scan/cumsum_rows.py",
                             "scan/gated_recurrence.py",
                             "scan/selective_scan_chunk.py",
                             "softmax/log_softmax.py",
                             "softmax/softmax_online.py",
                             "softmax/softmax_rows.py"}) {
    const fs::path path = fs::path(TILESCOPE_BENCH_KERNELS) / kernel;
    INFO(kernel);
    CHECK(problemsOf(path) == "");
  }
}

TEST_CASE("scripts and readers are told rank, place, evidence and fix", "[compiler]") {
  app::Inspection inspection;
  inspection.files = {{"k.py", ""}};
  Hint hint;
  hint.kind = compiler::HintKind::MaskAlwaysTrue;
  hint.rank = 2;
  hint.range = {{6, 8}, {6, 20}, 0};
  hint.message = "what is there";
  hint.evidence = {"seven of nine"};
  hint.gain = "some";
  hint.advice = "leave it out";
  hint.fixes = {{{{{6, 12}, {6, 19}, 0}, "x", "leave out `mask`"}, "equal results"}};
  inspection.hints = {hint};
  const nlohmann::json told = app::inspectionJson(inspection)["hints"].at(0);
  CHECK(told["rank"] == 2);
  CHECK(told["kind"] == "mask-always-true");
  CHECK(told["line"] == 7);
  CHECK(told["evidence"].at(0) == "seven of nine");
  CHECK(told["fix"]["column"] == 13);
  CHECK(told["fix"]["replacement"] == "x");
  CHECK(told["fix"]["outcome"] == "equal results");
  const std::string text = app::inspectionText(inspection);
  CHECK(text.find("     7  [2] mask-always-true: what is there\n") != std::string::npos);
  CHECK(text.find("fix: leave out `mask` (equal results)") != std::string::npos);
}
