// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

/// Holds a picture against the reference of that name. Empty when it is the same, to the pixel where text looks here as
/// it did where the reference was made (rasteriserKey) and but for scattered glyph edges elsewhere; else what differs
/// and where the difference was kept. JETSCOPE_KEEP_REFERENCES=1 writes the reference instead; look at each before
/// keeping it.
QString differenceFromReference(const QImage &actual, const QString &name);

} // namespace jetscope
