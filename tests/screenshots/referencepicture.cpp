// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/referencepicture.h"

#include "gpu/cpustage/cpuanalysis.h"
#include "tests/screenshots/imagecompare.h"

#include <QDir>
#include <QFontDatabase>

namespace jetscope {

namespace {

/// Stored in the metadata of the PNG file.
constexpr auto kMadeWith = "made with";

bool keep(QImage picture, const QString &file)
{
    picture.convertTo(QImage::Format_RGB888);
    picture.setText(QString::fromLatin1(kMadeWith), rasteriserKey());
    return picture.save(file);
}

} // namespace

const char *whyNoReferences()
{
    return QFontDatabase::hasFamily(QStringLiteral("DejaVu Sans"))
        ? nullptr
        : "The font DejaVu Sans, with which the references were made, is not installed (package fonts-dejavu-core).";
}

const char *whyNoWindowReferences()
{
    return cpuStageCapability().available ? whyNoReferences()
                                          : "This build has no CPU stage, and the references have its controls.";
}

QString differenceFromReference(const QImage &actual, const QString &name)
{
    const QString file = QStringLiteral(JETSCOPE_REFERENCES "/%1.png").arg(name);
    if (qEnvironmentVariableIsSet("JETSCOPE_KEEP_REFERENCES"))
        return keep(actual, file) ? QString() : QStringLiteral("%1 cannot be written").arg(file);
    const QImage reference(file);
    const ImageDifference difference = compareImages(actual, reference);
    const bool isExact = reference.text(QString::fromLatin1(kMadeWith)) == rasteriserKey();
    if (isExact ? difference.isSame() : difference.isAlike())
        return {};
    const QDir kept(QStringLiteral(JETSCOPE_KEPT));
    if (!kept.mkpath(QStringLiteral(".")))
        return QStringLiteral("%1 cannot be made").arg(kept.path());
    actual.save(kept.filePath(name + QStringLiteral(".actual.png")));
    difference.picture.save(kept.filePath(name + QStringLiteral(".difference.png")));
    return QStringLiteral("%1: %2 pixels differ, %3 % visibly%4; see %5")
        .arg(name)
        .arg(difference.pixels)
        .arg(difference.visible * 100, 0, 'f', 2)
        .arg(difference.hasShape ? QStringLiteral(", with lines or boxes among them") : QString(), kept.path());
}

} // namespace jetscope
