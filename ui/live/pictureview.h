// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "ui/live/framepicture.h"

#include <QColor>
#include <QImage>
#include <QSize>

#include <cstdint>
#include <functional>
#include <optional>

class QObject;
class QWidget;

namespace jetscope {

class FramePort;
struct VideoScene;

/// A way to show the output picture. A frame is fetched first and shown later, so that the input picture of the same
/// frame can be prepared in between. UI thread.
class PictureView {
public:
    /// Callbacks on the UI thread.
    struct Listener {
        std::function<void()> available;           ///< A newer frame can be fetched.
        std::function<void(std::uint32_t)> drawn;  ///< The displayed frame is on the screen.
        std::function<void(const Error &)> failed; ///< Frames cannot be shown; called once for each reason.
    };
    struct Fetched {
        std::uint32_t frame = 0;
        std::uint64_t number = 0; ///< Frame number of the source.
        QSize size;
    };

    virtual ~PictureView() = default;
    PictureView(const PictureView &) = delete;
    PictureView &operator=(const PictureView &) = delete;

    virtual QWidget *widget() = 0;
    virtual QObject *inputTarget() = 0; ///< Object that receives mouse events: the widget, or a window inside it.

    /// Starts to take frames from this pipeline. Call `detach` before the pipeline is destroyed.
    virtual Status attach(FramePort &port) = 0;
    virtual void detach() = 0;

    /// The newest frame that is ready; nullopt if there is no newer one.
    virtual std::optional<Fetched> fetch() = 0;
    /// Shows the fetched frame from the next paint on.
    virtual void show() = 0;
    virtual void repaint() = 0;

    /// Colour of a pixel of the displayed picture; nullopt while unknown.
    virtual std::optional<QColor> pixel(QPoint at) = 0;
    /// While set, fills the whole surface with one colour instead of the picture.
    virtual void setTestColor(std::optional<QColor> color) = 0;
    /// The displayed picture if it is in main memory; else null.
    virtual QImage picture() const { return {}; }
    /// A recently displayed frame, scaled to at least `width` pixels unless the frame is smaller. A view on the GPU
    /// returns nullopt first, and the picture in a later call.
    virtual std::optional<FramePicture> copy(int width) = 0;
    /// Content of the surface if QWidget::grab does not capture it; else null.
    virtual QImage grabContent() { return {}; }

    void setListener(Listener listener) { m_listener = std::move(listener); }

protected:
    explicit PictureView(const VideoScene &scene) : m_scene(scene) {}
    const VideoScene &scene() const { return m_scene; }
    const Listener &listener() const { return m_listener; }
    /// False behind another page or in a minimised window; no frame counts as dropped then.
    bool isSeen();

private:
    const VideoScene &m_scene;
    Listener m_listener;
};

} // namespace jetscope
