// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ErrorJson.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr std::pair<ErrorCode, const char *> kCodes[] = {
    {ErrorCode::InvalidInput, "invalid_input"}, {ErrorCode::Usage, "usage"},
    {ErrorCode::Environment, "environment"},    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::Internal, "internal"},
};

json errorToJson(const Error &error) {
  const char *code = "internal";
  for (auto [each, name] : kCodes)
    if (each == error.code)
      code = name;
  json object = {{"code", code}, {"message", error.message}};
  if (!error.hint.empty())
    object["hint"] = error.hint;
  return object;
}

Error errorFromJson(const json &object) {
  Error error{ErrorCode::Internal, object.value("message", ""), object.value("hint", "")};
  std::string code = object.value("code", "");
  for (auto [each, name] : kCodes)
    if (code == name)
      error.code = each;
  return error;
}

} // namespace tilescope::profiler
