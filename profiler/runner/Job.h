// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/collect/RunPackage.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

/// What a child process of the runner does: one request, then it ends.
///
/// `{"method": "devices"}` returns `{"devices": […], "cupti": "available" or the reason why not}`.
///
/// `{"method": "capabilities"}` returns what profiler/data/Capabilities.h says, also on a machine without a GPU.
///
/// `{"method": "run", "params": {…}}` returns a measurement (MeasurementJson.h). Parameters:
///
///     package         path of a `.tskernel` on this machine, or
///     package_base64  its bytes
///     device          ordinal, 0
///     measure         true; false: one launch for the outputs
///     cold_l2         true: the L2 cache is flushed before every timed launch
///     inputs          folder: tensors with a file `<name>.npy` there begin with its contents
///     inputs_base64   such files' bytes by name, for a runner that does not see the folder
///     samples         false; true: the single times are kept in `time_us.samples`
///     counters        `quick` or `full`: hardware counters, too
///     pc_samples      false; true: samples of program counters, too
///     executions      false; true: counts of each instruction, too
///     traced_packages, traced_packages_base64   the same launch, compiled with clock reads: a trace,
///                     too; the first that costs little enough is traced
///     trace_limit     0.15: what clock reads may cost, as a fraction of the time
///     dump            folder for every tensor after the run, as `<name>.npy`
///     dump_inputs     folder for every tensor before the run
///     compare         folder with references `<name>.npy`: outputs get comparison fields
///     return_outputs  true: each output has its `.npy` file in `npy_base64`
///     time_limit_s    10: for the first launch; used by the parent
///
/// `{"method": "interleave", "params": {…}}` measures several packages against each other, and returns
/// what profiler/analysis/InterleavedRun.h says. Parameters, beside `device`, `cold_l2` and
/// `time_limit_s`:
///
///     protocol            1; a request of a later protocol is refused
///     packages            paths of packages, or
///     packages_base64     their bytes
///     rounds              100, at most
///     launches_per_round  5, of each package
///     measure_s           5: seconds that all rounds take
///     seed                0: of the order inside the rounds
///     hopeless            0; a factor: packages that are slower than the best by it are given up
///
/// `{"method": "model", "params": {…}}` runs a model, and returns what profiler/data/ModelMeasurement.h says.
/// Parameters, beside `device`, `measure` and `time_limit_s`, which is that of each step:
///
///     package         path of a `.tsmodel` on this machine, or
///     package_base64  its bytes
///     results         false; true: what each step writes is kept, too
///     dump            folder for what is kept: `output_0.npy`, `step_3_out_ptr.npy`
///     return_tensors  true: these files are in `tensors`, a list of `{"name", "npy_base64"}`
///
/// `{"method": "counters"}`, `{"method": "samples"}`, `{"method": "executions"}` and `{"method":
/// "trace"}`, with the same parameters, return those parts alone: `{"counters": {…}}`, `{"pc_samples":
/// {…}}`, `{"executions": {…}}`, `{"trace": {…}}`, or `{"refusals": […]}`. The parent asks for them.
namespace tilescope::profiler {

/// `progress` receives what the job does (`prepare`, `launch`, `outputs`, `measure`, parts of a
/// profile), with the kernel's name.
using JobProgress = std::function<void(const RunState &state, const std::string &kernel)>;

Result<nlohmann::json> performJob(const nlohmann::json &request, const JobProgress &progress);

/// The body of the child process: reads one request from standard input, writes frames to standard
/// output:
/// `{"progress", "kernel"}`, of parts of a profile with `step` and `steps`, while it works, at last `{"result"}` or `{"error"}`. Ends the process.
[[noreturn]] void childMain();

} // namespace tilescope::profiler
