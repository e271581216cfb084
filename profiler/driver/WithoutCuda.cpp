// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Stands in for the CUDA driver and CUPTI where the headers were missing at build time.
#include "profiler/driver/CounterHost.h"
#include "profiler/driver/CudaDriver.h"
#include "profiler/driver/Cupti.h"
#include "profiler/driver/InstructionCounter.h"
#include "profiler/driver/PcSampler.h"
#include "profiler/driver/RangeProfiler.h"

namespace tilescope::profiler {

static Error builtWithout(const std::string &what) {
  return {ErrorCode::Environment, "this program was built without " + what,
          "build it where the CUDA Toolkit's headers are installed (version 12 or 13)"};
}

static DriverRefusal refusedWithout() {
  return {RefusalKind::LibraryMissing, builtWithout("CUPTI").message};
}

Result<std::unique_ptr<CudaDriver>> loadCudaDriver() { return builtWithout("GPU support"); }
Result<std::unique_ptr<Cupti>> loadCupti() { return builtWithout("CUPTI"); }
std::string cuptiFolder() { return {}; }
Grant<std::unique_ptr<CounterHost>> loadCounterHost() { return refusedWithout(); }
Grant<std::unique_ptr<RangeProfiler>> loadRangeProfiler() { return refusedWithout(); }
Grant<std::unique_ptr<InstructionCounter>> loadInstructionCounter() { return refusedWithout(); }
Grant<std::unique_ptr<PcSampler>> loadPcSampler() { return refusedWithout(); }

} // namespace tilescope::profiler
