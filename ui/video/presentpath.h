// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <array>

namespace jetscope {

/// How a frame reaches the screen.
enum class PresentPath {
    Auto,     ///< One of the others, by what the machine has and the self-test finds.
    GlWidget, ///< Zero-copy: a texture shared with the pipeline, drawn in a QOpenGLWidget.
    GlWindow, ///< Zero-copy in a native QOpenGLWindow: helps where a driver cannot compose widgets.
    Readback, ///< Pixels are read back and painted as an image: works everywhere, cheapest on a software rasteriser.
};

inline constexpr std::array kPresentPaths = {PresentPath::Auto, PresentPath::GlWidget, PresentPath::GlWindow,
                                             PresentPath::Readback};

/// For settings, and for people.
QString presentPathName(PresentPath path);
QString presentPathLabel(PresentPath path);
PresentPath presentPathByName(const QString &name); ///< Auto for an unknown name.

/// What Auto stands for before the self-test.
PresentPath automaticPath(bool qtIsOnEgl, bool softwareRasteriser);
/// The next one to try when a path shows nothing: GlWidget, GlWindow, Readback, and round again.
PresentPath nextPath(PresentPath path);

} // namespace jetscope
