// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"
#include "ui/session/glshare.h"
#include "ui/video/glpicture.h"
#include "ui/video/pictureview.h"

#include <QTimer>

class QPaintDevice;

namespace jetscope {

/// What a GL widget and a GL window have in common: fetching frames in the view's context, painting, reporting the
/// swap.
class GlPictureView : public PictureView {
public:
    GlPictureView(const VideoScene &scene, GlShare share);
    ~GlPictureView() override;

    Status attach(FramePort &port) override;
    void detach() override;
    std::optional<Fetched> fetch() override;
    void show() override;
    std::optional<QColor> pixel(QPoint at) override;
    std::optional<FramePicture> copy(int width) override;
    void setTestColor(std::optional<QColor> color) override;

protected:
    /// Whether the context could be made current.
    virtual bool begin() = 0;
    virtual void end() = 0;

    void initialise();
    void releaseGl();
    /// Paints everything; the context is current. `size` is in device-independent pixels.
    void paint(QPaintDevice *device, QSize size, double pixelRatio);
    void swapped();

private:
    void announce();
    void noteSuperseded(const std::optional<ViewFrame> &frame);

    GlShare m_share;
    GlPicture m_picture;
    FramePort *m_port = nullptr;
    std::unique_ptr<ThreadRecorder> m_recorder;
    std::optional<Error> m_failure; ///< Of the GL set-up.
    QTimer m_retry;                 ///< Looks again for a frame that was published before its fence had signalled.
    std::optional<ViewFrame> m_fetched;
    std::optional<ViewFrame> m_undrawn;
    std::optional<ViewFrame> m_unswapped;
    std::uint32_t m_shownFrame = 0;
    std::int64_t m_paintStartNs = 0;
    NameId m_copyName;
    NameId m_presentName;
    std::optional<QColor> m_testColor;
};

} // namespace jetscope
