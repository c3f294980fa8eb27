// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/pipelinehost.h"
#include "ui/live/picturescaler.h"
#include "ui/live/pictureview.h"

#include <QWidget>

#include <mutex>
#include <vector>

namespace jetscope {

/// Paints pictures that were read back from GL.
class ReadbackPictureView : public QWidget, public PictureView {
    Q_OBJECT
public:
    ReadbackPictureView(const VideoScene &scene, ReadbackOpener open, QWidget *parent = nullptr);
    ~ReadbackPictureView() override;

    QWidget *widget() override { return this; }
    QObject *inputTarget() override { return this; }
    Status attach(FramePort &port) override;
    void detach() override;
    std::optional<Fetched> fetch() override;
    void show() override;
    void repaint() override;
    std::optional<QColor> pixel(QPoint at) override;
    void setTestColor(std::optional<QColor> color) override;
    QImage picture() const override { return m_shown; }
    std::optional<FramePicture> copy(int width) override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void fail(const Error &error);
    void deliver(ReadbackView::Picture picture);
    void compose();
    void noteSuperseded(std::uint32_t frame);

    ReadbackOpener m_open;
    FramePort *m_port = nullptr;
    std::unique_ptr<ReadbackView> m_reader;
    std::mutex m_mutex;
    std::optional<ReadbackView::Picture> m_newest; ///< Guarded by m_mutex.
    std::vector<std::uint32_t> m_superseded;       ///< Frames replaced before they were fetched. Guarded by m_mutex.
    bool m_announced = false;                      ///< Guarded by m_mutex.
    QImage m_fetched;
    QImage m_shown;
    QImage m_canvas; ///< Everything except the marks, in device pixels.
    bool m_canvasStale = true;
    PictureScaler m_scaler;
    std::uint32_t m_fetchedFrame = 0;
    std::uint32_t m_shownFrame = 0;
    std::optional<std::uint32_t> m_undrawnFrame;
    std::optional<QColor> m_testColor;
    std::string m_failure; ///< The last one; of the read-back thread while it runs.
};

} // namespace jetscope
