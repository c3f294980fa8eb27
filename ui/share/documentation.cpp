// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/share/documentation.h"

#include <QDesktopServices>
#include <QDialog>
#include <QFileInfo>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace jetscope {

namespace {

void showOwnPages(QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Documentation"));
    auto *pages = new QTextBrowser(dialog);
    pages->setAccessibleName(dialog->windowTitle());
    pages->setOpenExternalLinks(true);
    pages->setSource(QUrl(QStringLiteral("qrc:/jetscope/docs/README.md")));
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(pages);
    dialog->resize(900, 700);
    dialog->show();
}

} // namespace

QString installedDocumentation(const QString &programFolder)
{
    const QFileInfo index(programFolder + QStringLiteral("/../share/doc/jetscope/reference/README.md"));
    return index.isFile() ? index.canonicalFilePath() : QString();
}

void openDocumentation(const QString &programFolder, QWidget *parent)
{
    const QString index = installedDocumentation(programFolder);
    if (index.isEmpty() || !QDesktopServices::openUrl(QUrl::fromLocalFile(index)))
        showOwnPages(parent);
}

} // namespace jetscope
