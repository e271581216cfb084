// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/SharedWords.h"

#include "compiler/support/BytesText.h"
#include "compiler/types/TypeText.h"

#include <algorithm>

namespace tilescope::compiler::access {

static std::string counted(size_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string sharedSentence(const SharedFacts &facts) {
  if (facts.buffers.empty())
    return "This kernel keeps nothing in shared memory.";
  const auto numOf = [&](SharedUse use) {
    return static_cast<size_t>(std::ranges::count(facts.buffers, use, &SharedBuffer::use));
  };
  const auto total = static_cast<uint64_t>(facts.total), limit = static_cast<uint64_t>(facts.limit);
  std::string text = bytesText(total);
  text += facts.total > facts.limit ? " needed, and there are " : " of ";
  text += bytesText(limit);
  // A share that would be rounded to nothing says less than the bytes.
  if (limit > 0 && 100 * total >= limit)
    text += " (" + percentText(total, limit) + ")";
  std::string parts;
  const auto add = [&](const std::string &part) { parts += (parts.empty() ? "" : ", ") + part; };
  if (const size_t count = numOf(SharedUse::Buffer))
    add(counted(count, "buffer", "buffers"));
  if (const size_t count = numOf(SharedUse::Scratch))
    add("scratch of " + counted(count, "operation", "operations"));
  if (const size_t count = numOf(SharedUse::Call))
    add(counted(count, "call", "calls"));
  if (numOf(SharedUse::Dispatch))
    add("what groups of warps do next");
  return text + ": " + parts;
}

static std::string shapeText(const SharedBuffer &buffer) {
  return blockTypeText(buffer.elementType, buffer.shape);
}

std::string bufferTitle(const SharedBuffer &buffer) {
  if (buffer.use == SharedUse::Scratch)
    return buffer.words.starts_with("scratch") ? buffer.words : "scratch: " + buffer.words;
  if (buffer.use != SharedUse::Buffer)
    return buffer.words;
  const std::string what = buffer.slots > 1
                               ? std::to_string(buffer.slots) + " slots of " + shapeText(buffer)
                               : shapeText(buffer);
  return (buffer.name.empty() ? "buffer" : buffer.name) + ": " + what;
}

std::string bufferLabel(const SharedBuffer &buffer) {
  switch (buffer.use) {
  case SharedUse::Buffer:
    break;
  case SharedUse::Scratch:
    return "scratch of " + buffer.operation.substr(buffer.operation.find('.') + 1);
  case SharedUse::Call:
    return "call";
  case SharedUse::Dispatch:
    return "warps";
  }
  return buffer.name.empty() ? shapeText(buffer) : buffer.name;
}

std::string placeSentence(const SharedBuffer &buffer) {
  return "bytes " + std::to_string(buffer.offset) + " to " +
         std::to_string(buffer.offset + buffer.bytes - 1) + " · " +
         bytesText(static_cast<uint64_t>(buffer.bytes));
}

std::string stepsText(const SharedFacts &facts, uint32_t begin, uint32_t end) {
  uint32_t first = UINT32_MAX, last = 0;
  for (uint32_t step = begin; step < std::min<size_t>(end, facts.steps.size()); ++step)
    if (const SourceRange &range = facts.steps[step].range; !range.empty() && range.file == 0) {
      first = std::min(first, range.begin.line + 1);
      last = std::max(last, range.begin.line + 1);
    }
  if (first > last)
    return "";
  return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
}

std::string lifeText(const SharedFacts &facts, size_t buffer) {
  const SharedBuffer &of = facts.buffers[buffer];
  if (of.begin == 0 && of.end == facts.steps.size())
    return "the whole kernel";
  const std::string lines = stepsText(facts, of.begin, of.end);
  if (lines.empty())
    return "";
  return (lines.find_first_not_of("0123456789") == std::string::npos ? "line " : "lines ") + lines;
}

std::string sharersSentence(const SharedFacts &facts, size_t buffer) {
  const std::vector<size_t> sharers = facts.sharersOf(buffer);
  if (sharers.empty())
    return "";
  constexpr size_t kNamed = 3;
  std::string text = "At other times its bytes are those of ";
  for (size_t i = 0; i < std::min(sharers.size(), kNamed); ++i) {
    text += i == 0 ? "" : ", ";
    text += bufferLabel(facts.buffers[sharers[i]]);
    if (const std::string life = lifeText(facts, sharers[i]); !life.empty())
      text += " (" + life + ")";
  }
  if (sharers.size() > kNamed)
    text += " and " + std::to_string(sharers.size() - kNamed) + " more";
  return text + ".";
}

std::string sharedAccessTitle(const SharedAccess &access) {
  const std::string operation = " by " + access.facts.operation;
  if (!access.uncounted.empty())
    return (access.isWrite ? "written" : "read") + operation + ": not counted";
  const AccessCounts &counts = access.facts.counts;
  return std::string(memoryActionName(access.facts.action)) + operation + ": " +
         counted(counts.wavefronts, "wavefront", "wavefronts") + ", at least " +
         std::to_string(counts.minimumWavefronts);
}

std::string ringCellText(int32_t block, bool isWritten, bool isRead) {
  if (block < 0)
    return "";
  const std::string number = std::to_string(block);
  if (isWritten && isRead)
    return "fills and reads " + number;
  return (isWritten ? "fills " : isRead ? "reads " : "holds ") + number;
}

} // namespace tilescope::compiler::access
