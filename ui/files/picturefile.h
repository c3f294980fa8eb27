// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

class QImage;
class QString;

namespace jetscope {

/// Writes a picture as a new PNG file, whatever the name's suffix. Fails if the file exists.
Status savePicture(const QImage &picture, const QString &path);

} // namespace jetscope
