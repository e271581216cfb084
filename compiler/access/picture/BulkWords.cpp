// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What is said of a bulk copy.
#include "compiler/access/picture/AccessWords.h"
#include "compiler/access/picture/BulkPicture.h"
#include "compiler/support/BytesText.h"
#include "compiler/support/Counted.h"

#include <algorithm>

namespace tilescope::compiler::access {

static std::string bytes(int64_t count) { return bytesText(static_cast<uint64_t>(count)); }

static std::string product(const std::vector<int64_t> &extents) {
  std::string text;
  for (const int64_t extent : extents)
    text += (text.empty() ? "" : " × ") + std::to_string(extent);
  return text;
}

std::string bulkRowName(const BulkRow &row) { return indexText(row.index); }

std::string bulkTensorName(const BulkExecution &execution, const AccessRecord &record) {
  const auto found =
      std::ranges::find(record.arguments, execution.address, &RecordedArgument::address);
  return found == record.arguments.end() ? "" : found->name;
}

const BulkExecution *firstExecution(const RecordedBulkCopy &copy) {
  const auto on = std::ranges::find(copy.executions, true, &BulkExecution::isOn);
  if (on != copy.executions.end())
    return &*on;
  return copy.executions.empty() ? nullptr : &copy.executions.front();
}

const RecordedBulkCopy *bulkCopyOf(const AccessRecord &record, size_t uncounted) {
  const auto found = std::ranges::find(record.bulkCopies, static_cast<uint32_t>(uncounted),
                                       &RecordedBulkCopy::uncounted);
  return found == record.bulkCopies.end() ? nullptr : &*found;
}

std::string bulkTitle(const RecordedBulkCopy &copy, const AccessRecord &record) {
  const BulkExecution *execution = firstExecution(copy);
  const std::string name = execution ? bulkTensorName(*execution, record) : "";
  return (copy.isStore ? "bulk store" : "bulk load") +
         (name.empty() ? "" : (copy.isStore ? " to " : " of ") + name);
}

std::string bulkCostText(const BulkPicture &picture) {
  const BulkTotals &totals = picture.totals();
  std::string text = std::to_string(totals.boxes) +
                     (totals.boxes == 1 ? " box of " : " boxes of ") +
                     product(picture.shape().box) + " · ";
  if (!picture.execution().isOn)
    return text + "off: its condition is false here, and nothing is moved";
  if (totals.insideBytes == totals.bytes)
    text += bytes(totals.bytes);
  else
    text += bytes(totals.insideBytes) + " of " + bytes(totals.bytes) + " inside, " +
            bytes(totals.bytes - totals.insideBytes) + " outside " +
            (picture.shape().isStore ? "are not written" : "become zeros");
  return text + " · " + counted(totals.sectors, "sector") + " in " + counted(totals.lines, "line");
}

std::string bulkPlaceText(const BulkPicture &picture, const std::string &name) {
  const BulkExecution &execution = picture.execution();
  const BulkShape &shape = picture.shape();
  std::string text = name.empty() ? "The tensor has " : "`" + name + "` has ";
  text += product(execution.extents) + " elements of " + counted(shape.elementBytes, "byte");
  if (execution.strideBytes.size() > 1)
    text += ", rows " + bytes(execution.strideBytes[execution.strideBytes.size() - 2]) + " apart";
  text += ". The block of " + product(shape.block) + " begins at " + indexText(execution.offsets) +
          ". In shared memory its 16-byte chunks ";
  return text + (shape.swizzleBytes == 0
                     ? "lie in their order."
                     : "are swizzled within " + std::to_string(shape.swizzleBytes) + " bytes.");
}

/// `3 to 7`.
static std::string range(int64_t first, int64_t behind) {
  return behind - first == 1 ? std::to_string(first)
                             : std::to_string(first) + " to " + std::to_string(behind - 1);
}

std::string bulkChunkText(const BulkPicture &picture, const BulkChunk &chunk,
                          const AccessRecord &record) {
  const BulkShape &shape = picture.shape();
  const BulkRow row = picture.row(chunk.row);
  const std::string name = bulkTensorName(picture.execution(), record);
  std::vector<int64_t> index = row.index;
  const int64_t first = chunk.bytes.begin / shape.elementBytes;
  const int64_t behind = std::max(first + 1, chunk.bytes.end / shape.elementBytes);
  std::string text = name.empty() ? "tensor" : name;
  text += "[";
  for (size_t dim = 0; dim + 1 < index.size(); ++dim)
    text += std::to_string(index[dim]) + ", ";
  text += range(index.back() + first, index.back() + behind) + "]";
  const int64_t inside = chunk.inside.size();
  if (inside == 0)
    text += !picture.execution().isOn ? " · not moved"
            : shape.isStore           ? " · outside of the tensor: not written"
                                      : " · outside of the tensor: zeros";
  else if (inside < chunk.bytes.size())
    text += " · " + counted(inside, "byte") + " inside, the rest outside of the tensor";
  if (inside > 0)
    text += " · " + counted(row.sectors, "sector") + " in this row";
  const int bank = chunk.bankGroup * 4;
  return text + " · byte " + std::to_string(chunk.sharedByte) + " of the buffer, banks " +
         range(bank, bank + 4);
}

} // namespace tilescope::compiler::access
