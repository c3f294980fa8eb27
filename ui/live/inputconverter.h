// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/filters/filterchain.h"
#include "gpu/pipeline/pipeline.h"
#include "ui/session/worker.h"

#include <QImage>
#include <QObject>

#include <memory>

namespace jetscope {

/// Converts raw input frames to images on a thread of its own, one at a time.
class InputConverter : public QObject {
    Q_OBJECT
public:
    explicit InputConverter(QObject *parent = nullptr);

    /// `converted` follows, unless `discard` is called before. Call only while not busy.
    void convert(std::shared_ptr<const InputPicture> picture);
    bool isBusy() const { return m_busy; }
    void discard();

    static QImage toImage(ChainExecutor &executor, const InputPicture &picture);

signals:
    void converted(quint32 frame, const QImage &image);

private:
    Worker m_thread{"converting a picture"};
    std::shared_ptr<ChainExecutor> m_executor = std::make_shared<ChainExecutor>(); ///< Used on the worker thread only.
    bool m_busy = false;
    int m_generation = 0;
};

} // namespace jetscope
