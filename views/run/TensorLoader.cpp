// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TensorLoader.h"

#include "profiler/data/Npy.h"

#include <new>

namespace tilescope::views {

TensorLoader::TensorLoader(QObject *parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

TensorLoader::~TensorLoader() {
  cancel();
  m_pool.waitForDone();
}

void TensorLoader::cancel() { m_stop.request_stop(); }

/// Null when it was stopped.
static Result<TensorDigestPointer> readDigest(const std::string &path, bool beganEmpty,
                                              const std::stop_token &stop) {
  try {
    Result<profiler::Tensor> tensor = profiler::readNpy(path);
    if (!tensor)
      return tensor.error();
    return digestTensor(std::move(*tensor), beganEmpty, stop);
  } catch (const std::bad_alloc &) {
    return Error{
        ErrorCode::Environment,
        TensorLoader::tr("This machine's memory does not suffice to show it.").toStdString(), ""};
  }
}

void TensorLoader::load(const std::string &path, bool beganEmpty,
                        std::shared_ptr<const void> keep) {
  cancel();
  m_stop = {};
  m_pool.start([this, path, beganEmpty, keep = std::move(keep), stop = m_stop.get_token()] {
    if (stop.stop_requested())
      return;
    Result<TensorDigestPointer> digest = readDigest(path, beganEmpty, stop);
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
