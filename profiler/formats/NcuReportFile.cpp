// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/NcuReportFile.h"

#include "profiler/formats/NcuReport.h"

#include <algorithm>

namespace tilescope::profiler {

static constexpr uint32_t kVersion = 7;
static constexpr std::string_view kAsTable =
    "`ncu --import FILE.ncu-rep --csv --page raw` prints a table that can be read";

namespace {

/// Takes the messages of a file, one behind the other.
class MessageReader {
public:
  explicit MessageReader(std::string_view bytes) : m_bytes(bytes) {}

  bool atEnd() const { return m_place == m_bytes.size(); }
  size_t place() const { return m_place; }
  size_t numLeft() const { return m_bytes.size() - m_place; }
  void moveTo(size_t place) { m_place = place; }

  template <typename Message> Status read(Message &message) {
    constexpr size_t kSizeBytes = 4;
    if (numLeft() < kSizeBytes)
      return fault("the file ends in the middle of it");
    uint32_t size = 0;
    for (size_t i = 0; i < kSizeBytes; ++i)
      size |= uint32_t(uint8_t(m_bytes[m_place + i])) << (8 * i);
    if (size > numLeft() - kSizeBytes)
      return fault("the file ends in the middle of it");
    if (!message.ParseFromArray(m_bytes.data() + m_place + kSizeBytes, static_cast<int>(size)))
      return fault("its bytes are not what Nsight Compute writes");
    m_place += kSizeBytes + size;
    return {};
  }

  Error fault(const std::string &why) const {
    return {ErrorCode::InvalidInput,
            "the part at byte " + std::to_string(m_place) + " cannot be read: " + why,
            std::string(kAsTable)};
  }

private:
  std::string_view m_bytes;
  size_t m_place = 0;
};

} // namespace

static Status readBlock(MessageReader &reader, NcuReportFile &file,
                        const std::function<Status(const ncu::Launch &)> &take) {
  ncu::BlockHeader header;
  if (Status status = reader.read(header); !status)
    return status;
  for (const std::string &each : header.strings().strings())
    file.strings.push_back(each);
  file.numOthers += size_t(header.num_ranges()) + header.num_command_lists() + header.num_graphs();
  const size_t begin = reader.place();
  if (header.payload_bytes() > reader.numLeft())
    return reader.fault("the file ends in the middle of it");
  for (uint32_t i = 0; i < header.num_sources(); ++i) {
    ncu::Source source;
    if (Status status = reader.read(source); !status)
      return status;
    file.sources[source.reference()] = std::move(source);
  }
  for (uint32_t i = 0; i < header.num_launches(); ++i) {
    ncu::Launch launch;
    if (Status status = reader.read(launch); !status)
      return status;
    if (Status status = take(launch); !status)
      return status;
  }
  const size_t end = begin + header.payload_bytes();
  if (reader.place() > end)
    return reader.fault("it is longer than its block");
  reader.moveTo(end);
  return {};
}

Status readNcuReportFile(std::string_view bytes, NcuReportFile &file,
                         const std::function<Status(const ncu::Launch &)> &take) {
  MessageReader reader(bytes);
  // A zero byte ends it.
  reader.moveTo(std::min(kNcuReportMagic.size() + 1, bytes.size()));
  ncu::FileHeader header;
  if (Status status = reader.read(header); !status)
    return status;
  if (header.version() != kVersion)
    return Error{ErrorCode::InvalidInput,
                 "it is a report of Nsight Compute of version " + std::to_string(header.version()) +
                     " of their form; this program reads version " + std::to_string(kVersion),
                 std::string(kAsTable)};
  while (!reader.atEnd())
    if (Status status = readBlock(reader, file, take); !status)
      return status;
  return {};
}

} // namespace tilescope::profiler
