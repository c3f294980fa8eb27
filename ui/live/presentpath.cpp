// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/presentpath.h"

#include "core/enumtable.h"
#include "ui/style/text.h"

#include <QCoreApplication>

namespace jetscope {

namespace {

constexpr auto kPathNames = enumWords<PresentPath>({"auto", "gl-widget", "gl-window", "read-back"});

} // namespace

QString presentPathName(PresentPath path)
{
    return toQString(kPathNames[static_cast<std::size_t>(path)]);
}

QString presentPathLabel(PresentPath path)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("jetscope::PresentPath", text); };
    switch (path) {
    case PresentPath::Auto:
        return tr("Automatic");
    case PresentPath::GlWidget:
        return tr("Zero-copy in a GL widget");
    case PresentPath::GlWindow:
        return tr("Zero-copy in a GL window");
    case PresentPath::Readback:
        return tr("Read back into an image");
    }
    return {};
}

PresentPath presentPathByName(const QString &name)
{
    for (const PresentPath path : kPresentPaths)
        if (presentPathName(path) == name)
            return path;
    return PresentPath::Auto;
}

PresentPath automaticPath(bool qtIsOnEgl, bool softwareRasteriser)
{
    // With a software rasteriser, composing a window costs many times more than painting an image.
    return qtIsOnEgl && !softwareRasteriser ? PresentPath::GlWidget : PresentPath::Readback;
}

PresentPath nextPath(PresentPath path)
{
    switch (path) {
    case PresentPath::GlWidget:
        return PresentPath::GlWindow;
    case PresentPath::GlWindow:
        return PresentPath::Readback;
    case PresentPath::Auto:
    case PresentPath::Readback:
        return PresentPath::GlWidget;
    }
    return PresentPath::Readback;
}

} // namespace jetscope
