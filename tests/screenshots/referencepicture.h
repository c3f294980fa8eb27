// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

/// Compares a picture with its reference. Exact if the text rendering equals that of the reference (rasteriserKey);
/// otherwise scattered differences of glyph edges are tolerated. Returns an empty string on success, else the
/// difference and the path where the pictures were saved. JETSCOPE_KEEP_REFERENCES=1 writes the reference instead;
/// check each picture before committing it.
QString differenceFromReference(const QImage &actual, const QString &name);

/// Why pictures cannot be compared with their references here; null if they can.
const char *whyNoReferences();
/// The same for pictures of a whole window, whose controls are those of a build with a CPU stage.
const char *whyNoWindowReferences();

} // namespace jetscope
