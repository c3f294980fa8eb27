// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"
#include "ui/live/glpicture.h"
#include "ui/live/pictureview.h"
#include "ui/session/glshare.h"

#include <QTimer>

class QPaintDevice;

namespace jetscope {

/// Common part of GL widget and GL window: fetches frames in the view's context, paints, and reports the swap.
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
    /// False if the context could not be made current.
    virtual bool begin() = 0;
    virtual void end() = 0;

    void initialise();
    void releaseGl();
    /// Paints everything; the context must be current. `size` is in device-independent pixels.
    void paint(QPaintDevice *device, QSize size, double pixelRatio);
    void swapped();

private:
    void announce();
    void noteSuperseded(const std::optional<ViewFrame> &frame);

    GlShare m_share;
    GlPicture m_picture;
    FramePort *m_port = nullptr;
    std::unique_ptr<ThreadRecorder> m_recorder;
    std::optional<Error> m_failure; ///< Failure of the GL initialisation.
    QTimer m_retry;                 ///< Retries a frame that was published before its fence signalled.
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
