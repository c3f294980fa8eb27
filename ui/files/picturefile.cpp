// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/picturefile.h"

#include "core/system/newfile.h"

#include <QBuffer>
#include <QImage>
#include <QString>

namespace jetscope {

Status savePicture(const QImage &picture, const QString &path)
{
    QBuffer encoded;
    if (!encoded.open(QIODevice::WriteOnly) || !picture.save(&encoded, "PNG"))
        return sentence("the picture cannot be made a PNG file: there is not enough memory");
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path.toStdString()));
    file.write({encoded.data().constData(), static_cast<std::size_t>(encoded.size())});
    return file.finish();
}

} // namespace jetscope
