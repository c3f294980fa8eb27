// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "ui/video/framepicture.h"

#include <QColor>
#include <QImage>
#include <QSize>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

class QObject;
class QWidget;

namespace jetscope {

class FramePort;
struct VideoScene;

/// One way to show the output picture. A frame is first fetched and then shown, so that the input picture of the same
/// frame can be made ready in between. UI thread.
class PictureView {
public:
    /// Called on the UI thread.
    struct Listener {
        std::function<void()> available;          ///< A newer frame can be fetched.
        std::function<void(std::uint32_t)> drawn; ///< The shown frame is on the screen.
    };
    struct Fetched {
        std::uint32_t frame = 0;
        std::uint64_t number = 0; ///< The source's.
        QSize size;
    };

    virtual ~PictureView() = default;
    PictureView(const PictureView &) = delete;
    PictureView &operator=(const PictureView &) = delete;

    virtual QWidget *widget() = 0;
    virtual QObject *inputTarget() = 0; ///< Receives the mouse: the widget, or a window in it.

    /// Takes frames from this pipeline until `detach`, which must come before the pipeline ends.
    virtual Status attach(FramePort &port) = 0;
    virtual void detach() = 0;

    /// The newest frame that is ready, none when there is no newer one.
    virtual std::optional<Fetched> fetch() = 0;
    /// Shows the fetched frame from the next paint on.
    virtual void show() = 0;
    virtual void repaint() = 0;

    /// The colour of a pixel of the shown picture, if known already.
    virtual std::optional<QColor> pixel(QPoint at) = 0;
    /// Fills the whole surface with one colour instead of the picture while set.
    virtual void setTestColor(std::optional<QColor> color) = 0;
    /// The shown picture where it is in memory; null where it is not.
    virtual QImage picture() const { return {}; }
    /// A picture of a frame shown lately for small uses, at least `width` pixels wide if the frame is. Where it has to
    /// come from the GPU it comes with a later call; none until then.
    virtual std::optional<FramePicture> copy(int width) = 0;
    /// The surface's content where grabbing the widget does not show it; null where it does.
    virtual QImage grabContent() { return {}; }

    void setListener(Listener listener) { m_listener = std::move(listener); }

protected:
    explicit PictureView(const VideoScene &scene) : m_scene(scene) {}
    const VideoScene &scene() const { return m_scene; }
    const Listener &listener() const { return m_listener; }
    /// Whether anybody can see the picture: behind another page, or in a minimised window, no frame is missed.
    bool isSeen();

private:
    const VideoScene &m_scene;
    Listener m_listener;
};

} // namespace jetscope
