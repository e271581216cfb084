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

/// The tensor, or what is wrong.
static TensorDigestPointer readDigest(const std::string &path, bool beganEmpty,
                                      const std::stop_token &stop, QString &fault) {
  try {
    Result<profiler::Tensor> tensor = profiler::readNpy(path);
    if (tensor)
      return digestTensor(std::move(*tensor), beganEmpty, stop);
    fault = QString::fromStdString(tensor.error().message);
  } catch (const std::bad_alloc &) {
    fault = TensorLoader::tr("This machine's memory does not suffice to show it.");
  }
  return nullptr;
}

void TensorLoader::load(const std::string &path, bool beganEmpty,
                        std::shared_ptr<const void> keep) {
  cancel();
  m_stop = {};
  m_pool.start([this, path, beganEmpty, keep = std::move(keep), stop = m_stop.get_token()] {
    if (stop.stop_requested())
      return;
    QString fault;
    TensorDigestPointer digest = readDigest(path, beganEmpty, stop, fault);
    QMetaObject::invokeMethod(this, [this, stop, fault, digest = std::move(digest)] {
      if (stop.stop_requested())
        return;
      if (digest)
        Q_EMIT loaded(digest);
      else
        Q_EMIT failed(fault);
    });
  });
}

} // namespace tilescope::views
