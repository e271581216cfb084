// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The bytes between the programs and the compile worker, in both directions: any stream is cut into
// payloads, any payload is a message or an error, and what is a message stays the same on the next
// trip.
#include "compiler/service/MessageCodec.h"
#include "tests/fuzz/Check.h"

#include <string_view>

using namespace tilescope;
using namespace tilescope::compiler;

static constexpr size_t kHeaderBytes = 4;

template <typename Message, typename Decode>
static void travel(Decode decode, std::string_view bytes) {
  const Result<Message> message = decode(bytes);
  if (!message)
    return;
  const std::string first = encodeFrame(*message);
  const Result<Message> again = decode(std::string_view(first).substr(kHeaderBytes));
  fuzz::require(static_cast<bool>(again), "what was decoded once decodes again");
  fuzz::require(encodeFrame(*again) == first, "a message stays the same on every trip");
}

static void travelBothWays(std::string_view payload) {
  travel<WorkerRequest>(decodeRequest, payload);
  travel<WorkerReply>(decodeReply, payload);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  travelBothWays(bytes.substr(std::min(size, kHeaderBytes)));
  FrameReader whole, pieces;
  whole.append(bytes);
  for (size_t at = 0; at < size; at += 7) {
    pieces.append(bytes.substr(at, 7));
    while (const std::optional<std::string> payload = pieces.next()) {
      const std::optional<std::string> expected = whole.next();
      fuzz::require(expected == payload, "where a stream is cut makes no difference");
      travelBothWays(*payload);
    }
  }
  fuzz::require(!whole.next(), "nothing more comes of the whole stream");
  fuzz::require(whole.broken() == pieces.broken(), "a stream breaks at the same place");
  return 0;
}
