// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TensorLoader.h"

#include "profiler/analysis/Comparison.h"
#include "profiler/data/Npy.h"
#include "profiler/data/Unwritten.h"

#include <new>

namespace tilescope::views {

TensorLoader::TensorLoader(QObject *parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

TensorLoader::~TensorLoader() {
  cancel();
  m_pool.waitForDone();
}

void TensorLoader::cancel() { m_stop.request_stop(); }

/// What a run left as its result is empty where that run wrote nothing; what a launch block expects is not.
static void readReference(const TensorRequest &request, ComparedTensor &compared) {
  const std::string path = profiler::referencePath(request.path);
  Result<profiler::Tensor> expected = profiler::readNpy(path);
  if (!expected)
    return;
  if (request.beganEmpty && !request.comparison.isWithExpected)
    compared.unwrittenExpected = profiler::readUnwritten(*expected, path);
  compared.expected = std::move(*expected);
}

/// Null when it was stopped.
static Result<TensorDigestPointer> readDigest(const TensorRequest &request,
                                              const std::stop_token &stop) {
  try {
    Result<profiler::Tensor> tensor = profiler::readNpy(request.path);
    if (!tensor)
      return tensor.error();
    profiler::Unwritten unwritten;
    if (request.beganEmpty)
      unwritten = profiler::readUnwritten(*tensor, request.path);
    ComparedTensor compared{std::move(*tensor), unwritten, false, {}, request.comparison};
    if (request.comparison.mismatches > 0)
      readReference(request, compared);
    if (compared.expected && request.comparison.isWithExpected) {
      Result<profiler::Tensor> least = profiler::readNpy(profiler::leastPath(request.path));
      Result<profiler::Tensor> most = profiler::readNpy(profiler::mostPath(request.path));
      if (least && most)
        compared.ranges = {std::move(*least), std::move(*most)};
    }
    return digestTensor(std::move(compared), stop);
  } catch (const std::bad_alloc &) {
    return Error{
        ErrorCode::Environment,
        TensorLoader::tr("This machine does not have enough memory to show it.").toStdString(), ""};
  }
}

void TensorLoader::load(TensorRequest request, std::shared_ptr<const void> keep) {
  cancel();
  m_stop = {};
  m_pool.start(
      [this, request = std::move(request), keep = std::move(keep), stop = m_stop.get_token()] {
        if (stop.stop_requested())
          return;
        Result<TensorDigestPointer> digest = readDigest(request, stop);
        QMetaObject::invokeMethod(this, [this, stop, digest = std::move(digest)] {
          if (stop.stop_requested())
            return;
          if (digest)
            Q_EMIT loaded(*digest);
          else
            Q_EMIT failed(QString::fromStdString(digest.error().message));
        });
      });
}

} // namespace tilescope::views
