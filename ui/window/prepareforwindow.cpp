// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/displayprobe.h"
#include "ui/window/openwindow.h"

#include <QCoreApplication>
#include <QSurfaceFormat>

namespace jetscope {

namespace {

void setUnlessSet(const char *variable, const char *value)
{
    if (!qEnvironmentVariableIsSet(variable))
        qputenv(variable, value);
}

QSurfaceFormat windowFormat()
{
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGLES);
    // Drivers return the highest version that is compatible with this one, usually 3.2.
    format.setVersion(3, 0);
    format.setSwapInterval(0);    // The UI thread must not wait for a swap.
    format.setAlphaBufferSize(0); // A window with an alpha channel would cost an extra composition pass.
    return format;
}

} // namespace

Status prepareForWindow()
{
    JETSCOPE_TRY(probeDisplay());
    setUnlessSet("QT_XCB_GL_INTEGRATION", "xcb_egl");
    setUnlessSet("EGL_LOG_LEVEL", "fatal");
    if (!QCoreApplication::instance()) {
        QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
        QSurfaceFormat::setDefaultFormat(windowFormat());
    }
    return {};
}

} // namespace jetscope
