// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/InstructionCounter.h"
#include "profiler/driver/Nvml.h"
#include "profiler/driver/PcSampler.h"
#include "profiler/driver/RangeProfiler.h"
#include "profiler/package/KernelPackage.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

/// CUPTI and NVML as a test wants them; each logs its calls in order.
namespace tilescope::profiler::test {

/// What a call by name is refused with: from its n-th time on, from 1.
struct Refusals {
  std::map<std::string, std::pair<int, DriverRefusal>> byCall;
  std::map<std::string, int> calls;
  std::vector<std::string> log;

  Granted at(const std::string &call) {
    log.push_back(call);
    const auto found = byCall.find(call);
    if (++calls[call]; found != byCall.end() && calls[call] >= found->second.first)
      return found->second.second;
    return granted();
  }
};

class FakeRangeProfiler : public RangeProfiler {
public:
  Refusals refusals;
  int passes = 3;
  /// By metric; others have no value.
  std::map<std::string, double> measured;
  std::vector<std::string> asked;

  Grant<std::string> open(int) override {
    if (Granted ok = refusals.at("open"); !ok)
      return ok.refusal();
    return std::string("GH100");
  }
  Grant<int> configure(const std::vector<std::string> &metrics) override {
    asked = metrics;
    if (Granted ok = refusals.at("configure"); !ok)
      return ok.refusal();
    return passes;
  }
  Granted startPass() override { return refusals.at("start"); }
  Grant<bool> stopPass() override {
    if (Granted ok = refusals.at("stop"); !ok)
      return ok.refusal();
    return refusals.calls["stop"] >= passes;
  }
  Grant<std::vector<std::optional<double>>> values() override {
    if (Granted ok = refusals.at("values"); !ok)
      return ok.refusal();
    std::vector<std::optional<double>> result;
    for (const std::string &name : asked)
      result.push_back(measured.contains(name) ? std::optional(measured[name]) : std::nullopt);
    return result;
  }
  Granted close() override { return refusals.at("close"); }
};

class FakePcSampler : public PcSampler {
public:
  Refusals refusals;
  PcRecords records;
  std::map<uint32_t, std::string> names;
  std::vector<uint32_t> periods;
  /// The first so many attempts overflow the buffer.
  int overflows = 0;

  Grant<std::map<uint32_t, std::string>> open(const PcSamplerSetup &setup) override {
    periods.push_back(setup.periodExponent);
    if (Granted ok = refusals.at("open"); !ok)
      return ok.refusal();
    return names;
  }
  Granted start() override { return refusals.at("start"); }
  Granted stop() override { return refusals.at("stop"); }
  Grant<PcRecords> take() override {
    if (Granted ok = refusals.at("take"); !ok)
      return ok.refusal();
    if (refusals.calls["take"] <= overflows)
      return DriverRefusal{RefusalKind::OutOfMemory, "the buffer for samples is full"};
    return records;
  }
  Granted close() override { return refusals.at("close"); }
};

class FakeInstructionCounter : public InstructionCounter {
public:
  Refusals refusals;
  std::vector<InstructionRecord> records;
  std::vector<std::string> asked;

  Granted open(int, const std::vector<std::string> &metrics) override {
    asked = metrics;
    return refusals.at("open");
  }
  Granted start() override { return refusals.at("start"); }
  Grant<std::vector<InstructionRecord>> take() override {
    if (Granted ok = refusals.at("take"); !ok)
      return ok.refusal();
    return records;
  }
  Granted close() override { return refusals.at("close"); }
};

/// Gives readings out of a list, the last one again and again.
class FakeNvml : public Nvml {
public:
  std::vector<NvmlReading> readings;
  NvmlLimits theLimits;
  size_t next = 0;

  Status open(const std::string &) override { return {}; }
  NvmlReading read() override { return readings[std::min(next++, readings.size() - 1)]; }
  NvmlLimits limits() override { return theLimits; }

  /// Of the calls `begin` and `activity`.
  Refusals refusals;
  std::map<std::string, double> counted;
  Granted beginActivity() override { return refusals.at("begin"); }
  Grant<std::map<std::string, double>> activity() override {
    if (Granted ok = refusals.at("activity"); !ok)
      return ok.refusal();
    return counted;
  }
};

/// A kernel with an input, an output and an argument that it changes.
inline KernelPackage profiledPackage() {
  KernelPackage package;
  package.symbol = "scale";
  package.target = "cuda:90";
  package.numWarps = 4;
  package.parameters = {{"x_ptr", "*fp32"}, {"sum_ptr", "*fp32"}};
  package.plan.kernel = "scale";
  package.plan.grid = {3, 1, 1};
  TensorInit zeros;
  zeros.kind = TensorInit::Kind::Zeros;
  package.plan.args = {{"x_ptr", PlanTensor{Dtype::Fp32, {50}, zeros}},
                       {"sum_ptr", PlanTensor{Dtype::Fp32, {1}, zeros}}};
  package.cubin = "cubin";
  package.ptx = "ptx";
  return package;
}

/// Adds one to the sum.
inline void addOne(void **parameters) { **static_cast<float **>(parameters[1]) += 1; }

} // namespace tilescope::profiler::test
