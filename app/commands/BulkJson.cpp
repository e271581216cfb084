// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BulkJson.h"

#include "compiler/access/picture/BulkPicture.h"

#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;

json bulkJson(const compiler::RecordedBulkCopy &copy, const compiler::AccessRecord &record) {
  json object = {{"kind", copy.isStore ? "bulk store" : "bulk load"},
                 {"element_bytes", copy.elementBytes},
                 {"block", copy.block},
                 {"box", copy.box},
                 {"swizzle_bytes", copy.swizzleBytes},
                 {"program", record.program},
                 {"executions", copy.numExecutions}};
  const compiler::BulkExecution *first = compiler::access::firstExecution(copy);
  if (!first)
    return object;
  if (const std::string name = compiler::access::bulkTensorName(*first, record); !name.empty())
    object["argument"] = name;
  const compiler::access::BulkPicture picture(copy, *first);
  const compiler::access::BulkTotals &totals = picture.totals();
  object["boxes"] = totals.boxes;
  object["first"] = {{"iteration", first->iteration},
                     {"on", first->isOn},
                     {"tensor", first->extents},
                     {"stride_bytes", first->strideBytes},
                     {"offsets", first->offsets},
                     {"bytes", totals.bytes},
                     {"bytes_inside", totals.insideBytes},
                     {"sectors", totals.sectors},
                     {"lines", totals.lines},
                     {"text", compiler::access::bulkCostText(picture)}};
  return object;
}

} // namespace tilescope::app
