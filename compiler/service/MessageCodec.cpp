// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/MessageCodec.h"

#include "compiler/service/CheckedArchive.h"
#include "compiler/service/Serialization.h"

#include <exception>
#include <ostream>
#include <streambuf>

namespace tilescope::compiler {

namespace {

constexpr size_t kHeaderBytes = 4;

/// Appends to a string; spares the copy out of a string stream.
class StringSink : public std::streambuf {
public:
  explicit StringSink(std::string &text) : m_text(text) {}

protected:
  std::streamsize xsputn(const char *data, std::streamsize size) override {
    m_text.append(data, static_cast<size_t>(size));
    return size;
  }
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof()))
      m_text.push_back(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

private:
  std::string &m_text;
};

} // namespace

template <typename Message> static std::string encode(const Message &message) {
  std::string frame(kHeaderBytes, '\0');
  StringSink sink(frame);
  std::ostream stream(&sink);
  cereal::BinaryOutputArchive archive(stream);
  archive(message);
  const size_t size = frame.size() - kHeaderBytes;
  for (size_t i = 0; i < kHeaderBytes; ++i)
    frame[i] = static_cast<char>((size >> (8 * i)) & 0xff);
  return frame;
}

template <typename Message> static Result<Message> decode(std::string_view payload) {
  try {
    CheckedInputArchive archive(payload);
    Message message;
    archive(message);
    if (archive.numBytesLeft() > 0)
      throw cereal::Exception("something follows its end");
    return message;
  } catch (const std::exception &error) {
    return Error{ErrorCode::Internal,
                 std::string("damaged message between the program and its worker: ") + error.what(),
                 "check that `tilescope` and `tilescope-worker` come from the same build"};
  }
}

std::string encodeFrame(const WorkerRequest &request) { return encode(request); }
std::string encodeFrame(const WorkerReply &reply) { return encode(reply); }
Result<WorkerRequest> decodeRequest(std::string_view payload) {
  return decode<WorkerRequest>(payload);
}
Result<WorkerReply> decodeReply(std::string_view payload) { return decode<WorkerReply>(payload); }

void FrameReader::append(std::string_view bytes) {
  if (m_consumed > 0) {
    m_buffer.erase(0, m_consumed);
    m_consumed = 0;
  }
  m_buffer.append(bytes);
}

std::optional<std::string> FrameReader::next() {
  const size_t available = m_buffer.size() - m_consumed;
  if (m_broken || available < kHeaderBytes)
    return std::nullopt;
  size_t size = 0;
  for (size_t i = 0; i < kHeaderBytes; ++i)
    size |= size_t{static_cast<unsigned char>(m_buffer[m_consumed + i])} << (8 * i);
  if (size > kMaxFrameBytes) {
    m_broken = true;
    return std::nullopt;
  }
  if (available < kHeaderBytes + size)
    return std::nullopt;
  std::string payload = m_buffer.substr(m_consumed + kHeaderBytes, size);
  m_consumed += kHeaderBytes + size;
  return payload;
}

} // namespace tilescope::compiler
