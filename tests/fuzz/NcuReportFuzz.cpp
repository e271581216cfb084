// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a report of Nsight Compute. Of an input that does not begin as one, the messages of a
// report are made, so that a change of one does not break the sizes around it:
//
//     n % 4, then messages, each behind its size in two bytes: strings, n sources, launches
#include "profiler/formats/NcuReport.h"
#include "profiler/report/ReportData.h"
#include "tests/fuzz/Check.h"

#include <algorithm>
#include <string>
#include <string_view>

using namespace tilescope;
using namespace tilescope::profiler;
using tilescope::fuzz::require;

static std::string varint(uint64_t value) {
  constexpr uint64_t kLow = 0x7f;
  std::string bytes;
  for (; value > kLow; value >>= 7)
    bytes += static_cast<char>((value & kLow) | (kLow + 1));
  return bytes + static_cast<char>(value);
}

/// A field of protobuf: a number, or bytes.
static std::string field(unsigned number, uint64_t value) {
  return varint(uint64_t(number) << 3) + varint(value);
}
static std::string field(unsigned number, std::string_view bytes) {
  return varint(uint64_t(number) << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

static std::string framed(std::string_view message) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(message.size() >> shift & 0xff);
  return bytes + std::string(message);
}

static std::string madeReport(std::string_view input) {
  const size_t numSources = input.empty() ? 0 : static_cast<uint8_t>(input.front()) % 4;
  std::vector<std::string_view> messages;
  for (size_t at = 1; at + 2 <= input.size();) {
    const size_t size =
        static_cast<uint8_t>(input[at]) | size_t(static_cast<uint8_t>(input[at + 1])) << 8;
    messages.push_back(input.substr(at + 2, size));
    at += 2 + messages.back().size();
  }
  std::string payload;
  for (size_t i = 1; i < messages.size(); ++i)
    payload += framed(messages[i]);
  const size_t numParts = messages.empty() ? 0 : messages.size() - 1;
  const size_t sources = std::min(numSources, numParts);
  const std::string header = field(1, uint64_t(sources)) + field(2, uint64_t(numParts - sources)) +
                             field(4, messages.empty() ? std::string_view() : messages.front()) +
                             field(5, uint64_t(payload.size()));
  return std::string(kNcuReportMagic) + '\0' + framed(field(1, uint64_t(7))) + framed(header) +
         payload;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view input(reinterpret_cast<const char *>(data), size);
  const std::string bytes =
      input.starts_with(kNcuReportMagic) ? std::string(input) : madeReport(input);
  const Result<std::vector<ReportKernel>> kernels = readNcuReport(bytes);
  if (!kernels) {
    require(!kernels.error().message.empty(), "a refusal has a message");
    return 0;
  }
  require(!kernels->empty(), "a report without a launch is refused");
  for (const ReportKernel &kernel : *kernels)
    require(kernel.measurement.has_value(), "a launch was measured");
  return 0;
}
