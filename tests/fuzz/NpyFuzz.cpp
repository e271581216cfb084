// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a NumPy file: an accepted tensor has the data that its shape says, and stays the
// same when it is written and read.
#include "profiler/data/Npy.h"
#include "tests/fuzz/Check.h"

using namespace tilescope::profiler;
using tilescope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto tensor = decodeNpy({reinterpret_cast<const char *>(data), size});
  if (!tensor) {
    require(!tensor.error().message.empty(), "a refusal has a message");
    return 0;
  }
  require(tensor->data.size() == size_t(tensor->numElements()) * dtypeSize(tensor->dtype),
          "the data is what the shape says");
  const auto again = decodeNpy(encodeNpy(*tensor));
  require(again && *again == *tensor, "what is written can be read");
  return 0;
}
