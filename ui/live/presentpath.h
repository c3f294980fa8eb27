// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <array>

namespace jetscope {

/// Way of a frame to the screen.
enum class PresentPath {
    Auto,     ///< Chosen by the capabilities of the machine and the self-test.
    GlWidget, ///< Zero-copy: a texture shared with the pipeline, drawn in a QOpenGLWidget.
    GlWindow, ///< Zero-copy in a native QOpenGLWindow, for drivers that cannot compose GL into widgets.
    Readback, ///< Reads pixels back and paints an image: works everywhere, fastest on a software rasteriser.
};

inline constexpr std::array kPresentPaths = {PresentPath::Auto, PresentPath::GlWidget, PresentPath::GlWindow,
                                             PresentPath::Readback};

/// Name for settings, label for display.
QString presentPathName(PresentPath path);
QString presentPathLabel(PresentPath path);
PresentPath presentPathByName(const QString &name); ///< Auto for unknown names.

/// Path used for Auto before the self-test.
PresentPath automaticPath(bool qtIsOnEgl, bool softwareRasteriser);
/// Path to try if this one shows nothing: GlWidget, GlWindow, Readback, then GlWidget again.
PresentPath nextPath(PresentPath path);

} // namespace jetscope
