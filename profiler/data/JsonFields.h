// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/BoundedJson.h"

#include <optional>

/// One list of fields serves both directions: `JsonFieldWriter` copies them to JSON,
/// `JsonFieldReader` from it. What is absent stays absent.
namespace tilescope::profiler {

struct JsonFieldWriter {
  nlohmann::json &object;

  template <typename T> void field(const char *key, const T &value) { object[key] = value; }
  void field(const char *key, const double &value) { object[key] = realToJson(value); }
  template <typename T> void field(const char *key, const std::optional<T> &value) {
    if (value)
      field(key, *value);
  }
};

struct JsonFieldReader {
  const nlohmann::json &object;

  template <typename T> void field(const char *key, T &value) {
    if (object.contains(key))
      value = jsonAs<T>(object.at(key));
  }
  template <typename T> void field(const char *key, std::optional<T> &value) {
    if (object.contains(key))
      value = jsonAs<T>(object.at(key));
  }
};

} // namespace tilescope::profiler
