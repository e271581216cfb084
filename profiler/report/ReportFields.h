// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/JsonFields.h"
#include "profiler/report/ReportData.h"

/// The names of a report's parts in JSON. Each list of fields serves both directions, as in
/// `JsonFields.h`; scripts rely on the names.
namespace tilescope::profiler {

/// Grows when a reader of the version before could not understand what is written. 1: reports that
/// state no version.
inline constexpr int kReportVersion = 2;
inline constexpr const char *kReportSchema = "tilescope.report";

/// As `JsonFieldReader`, for reports of all versions: what is `null` is absent, too.
struct ReportFieldReader {
  const nlohmann::json &object;

  template <typename T> void field(const char *key, T &value) {
    const auto found = object.find(key);
    if (found != object.end() && !found->is_null())
      JsonFieldReader{object}.field(key, value);
  }
};

struct StageFields {
  template <typename Way, typename Stage> static void list(Way way, Stage &stage) {
    way.field("name", stage.id);
    way.field("title", stage.title);
    way.field("ok", stage.ok);
    way.field("ms", stage.ms);
    way.field("mapped_share", stage.mappedShare);
  }
};

struct PassFields {
  template <typename Way, typename Pass> static void list(Way way, Pass &pass) {
    way.field("stage", pass.stage);
    way.field("name", pass.name);
    way.field("ms", pass.ms);
    way.field("changed", pass.changed);
  }
};

struct MessageFields {
  template <typename Way, typename Message> static void list(Way way, Message &message) {
    way.field("severity", message.severity);
    way.field("file", message.file);
    way.field("line", message.line);
    way.field("column", message.column);
    way.field("message", message.text);
    way.field("notes", message.notes);
  }
};

struct HintFields {
  template <typename Way, typename Hint> static void list(Way way, Hint &hint) {
    way.field("rank", hint.rank);
    way.field("kind", hint.kind);
    way.field("line", hint.line);
    way.field("message", hint.text);
    way.field("evidence", hint.evidence);
    way.field("gain", hint.gain);
    way.field("advice", hint.advice);
  }
};

struct ConversionFields {
  template <typename Way, typename Conversion> static void list(Way way, Conversion &conversion) {
    way.field("line", conversion.line);
    way.field("conversion", conversion.title);
    way.field("cost", conversion.cost);
    way.field("elements", conversion.moves);
    way.field("in_loop", conversion.isInLoop);
    way.field("executions", conversion.executions);
    way.field("reason", conversion.reason);
  }
};

struct SharedFields {
  template <typename Way, typename Buffer> static void list(Way way, Buffer &buffer) {
    way.field("line", buffer.line);
    way.field("what", buffer.title);
    way.field("offset", buffer.offset);
    way.field("bytes", buffer.bytes);
    way.field("life", buffer.life);
    way.field("sharers", buffer.sharers);
  }
};

struct LoopFields {
  template <typename Way, typename Loop> static void list(Way way, Loop &loop) {
    way.field("line", loop.line);
    way.field("pipelined", loop.isPipelined);
    way.field("what", loop.title);
    way.field("text", loop.text);
  }
};

struct LiveFields {
  template <typename Way, typename Value> static void list(Way way, Value &value) {
    way.field("line", value.line);
    way.field("name", value.name);
    way.field("registers", value.registers);
    way.field("which", value.which);
  }
};

struct ArrayFields {
  template <typename Way, typename Array> static void list(Way way, Array &array) {
    way.field("argument", array.title);
    way.field("programs", array.programs);
    way.field("touched", array.touched);
  }
};

/// Those of every access; what was counted comes on top.
struct AccessFields {
  template <typename Way, typename Access> static void list(Way way, Access &access) {
    way.field("line", access.line);
    way.field("access", access.title);
    way.field("reason", access.reason);
    way.field("efficiency", access.efficiency);
  }
};

struct OutputFields {
  template <typename Way, typename Output> static void list(Way way, Output &output) {
    way.field("name", output.name);
    way.field("dtype", output.dtype);
    way.field("shape", output.shape);
    way.field("least", output.summary.least);
    way.field("mean", output.summary.mean);
    way.field("most", output.summary.most);
    way.field("finite", output.summary.numFinite);
    way.field("nan", output.summary.numNan);
    way.field("infinite", output.summary.numInfinite);
    way.field("unwritten", output.summary.numUnwritten);
  }
};

struct CpuRunFields {
  template <typename Way, typename Run> static void list(Way way, Run &run) {
    way.field("ok", run.ok);
    way.field("races", run.hasRaces);
    way.field("ms", run.ms);
    way.field("programs", run.programs);
    way.field("printed", run.printed);
  }
};

struct ResourceFields {
  template <typename Way, typename Kernel> static void list(Way way, Kernel &kernel) {
    way.field("registers", kernel.registers);
    way.field("shared_bytes", kernel.sharedBytes);
    way.field("spill_bytes", kernel.spillBytes);
    way.field("threads", kernel.threads);
  }
};

struct KernelFields {
  template <typename Way, typename Kernel> static void list(Way way, Kernel &kernel) {
    way.field("kernel", kernel.kernel);
    way.field("path", kernel.path);
    way.field("source", kernel.source);
    way.field("is_python", kernel.isPython);
    way.field("target", kernel.target);
    way.field("assumptions", kernel.assumptions);
    way.field("ok", kernel.compiled);
    way.field("total_ms", kernel.compileMs);
  }
};

} // namespace tilescope::profiler
