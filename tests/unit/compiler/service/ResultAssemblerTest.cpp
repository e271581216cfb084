// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/ResultAssembler.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static CompileRequest document() {
  CompileRequest request;
  request.path = "k.py";
  request.text = "text";
  return request;
}

static StageReadyReply ready(JobId job, StageId id, const char *text) {
  StageReadyReply reply;
  reply.job = job;
  reply.revision = 5;
  reply.stage.id = id;
  reply.stage.ok = true;
  reply.stage.text = text;
  return reply;
}

TEST_CASE("the stages of a job become one result", "[compiler]") {
  ResultAssembler assembler(1, document());
  LaunchResolvedReply resolved{1, 5, {}, {}};
  resolved.launch.selection.kernel = "k";
  CHECK(assembler.add(resolved));
  CHECK(assembler.add(StageStartedReply{1, 5, StageId::Ast}));
  CHECK(assembler.add(ready(1, StageId::Ast, "tree")));
  CHECK_FALSE(assembler.add(ready(2, StageId::Ttir, "of another job")));
  StageReadyReply ttir = ready(1, StageId::Ttir, "module");
  ttir.values = {{{}, "constexpr int = 1", false}};
  ttir.passes = {{StageId::Ttir, "cse", 1, true, false, "", {}}};
  CHECK(assembler.add(ttir));
  CHECK(assembler.result().stage(StageId::Ttir)->text == "module");
  CHECK_FALSE(assembler.done());

  CompileDoneReply done;
  done.job = 1;
  done.result.ok = true;
  done.result.kernel = "k";
  CHECK(assembler.add(done));
  CHECK(assembler.done());
  const CompileResult &result = assembler.result();
  CHECK(result.ok);
  CHECK(result.kernel == "k");
  CHECK(result.launch == resolved.launch);
  CHECK(result.files == std::vector<SourceFile>{{"k.py", "text"}});
  CHECK(result.stages.size() == 2);
  CHECK(result.values.size() == 1);
  CHECK(result.passes.size() == 1);
}

TEST_CASE("a crash ends the job with a diagnostic and keeps the stages before it", "[compiler]") {
  ResultAssembler assembler(1, document());
  StageReadyReply ttir = ready(1, StageId::Ttir, "module");
  ttir.interface.emplace();
  ttir.interface->signature = {{"x_ptr", "*fp32"}};
  ttir.interface->suggestion.grid = {"cdiv(n, BLOCK)"};
  assembler.add(ttir);
  CrashedReply crash;
  crash.job = 1;
  crash.stage = StageId::Ptx;
  crash.pass = "NVPTX DAG->DAG";
  crash.signal = "SIGSEGV";
  crash.reproducer = "/cache/r";
  CHECK(assembler.add(crash));
  CHECK(assembler.done());
  CHECK_FALSE(assembler.result().ok);
  CHECK(assembler.result().stage(StageId::Ttir) != nullptr);
  // A launch block can still be written.
  CHECK(assembler.result().signature == ttir.interface->signature);
  CHECK(assembler.result().suggestion.grid == ttir.interface->suggestion.grid);
  REQUIRE(assembler.result().diagnostics.size() == 1);
  const Diagnostic &diagnostic = assembler.result().diagnostics[0];
  CHECK(diagnostic.kind == DiagnosticKind::StageCrashed);
  CHECK(diagnostic.message ==
        "the compiler crashed while making PTX in `NVPTX DAG->DAG` (SIGSEGV)");
  REQUIRE(diagnostic.notes.size() == 1);
  CHECK(diagnostic.notes[0].find("/cache/r") != std::string::npos);
}
