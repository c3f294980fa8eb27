// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/referencepicture.h"

#include "tests/screenshots/imagecompare.h"

#include <QDir>

namespace jetscope {

QString differenceFromReference(const QImage &actual, const QString &name)
{
    const QString reference = QStringLiteral(JETSCOPE_REFERENCES "/%1.png").arg(name);
    if (qEnvironmentVariableIsSet("JETSCOPE_KEEP_REFERENCES"))
        return actual.convertToFormat(QImage::Format_RGB888).save(reference)
            ? QString()
            : QStringLiteral("%1 cannot be written").arg(reference);
    const ImageDifference difference = compareImages(actual, QImage(reference));
    if (difference.acceptable())
        return {};
    const QDir kept(QStringLiteral(JETSCOPE_KEPT));
    if (!kept.mkpath(QStringLiteral(".")))
        return QStringLiteral("%1 cannot be made").arg(kept.path());
    actual.save(kept.filePath(name + QStringLiteral(".actual.png")));
    difference.picture.save(kept.filePath(name + QStringLiteral(".difference.png")));
    return QStringLiteral("%1: %2 % of the pixels differ; see %3")
        .arg(name)
        .arg(difference.share * 100, 0, 'f', 2)
        .arg(kept.path());
}

} // namespace jetscope
