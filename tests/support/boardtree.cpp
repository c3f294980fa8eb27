// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/boardtree.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace jetscope::testing {

BoardTree::BoardTree(const BoardExample &example)
{
    for (const auto &[path, content] : example.files)
        write(path, content);
}

void BoardTree::write(const QString &path, const QByteArray &content)
{
    const QString whole = m_folder.filePath(path);
    QDir().mkpath(QFileInfo(whole).path());
    QFile file(whole);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("the tree of the test cannot be written");
}

void BoardTree::remove(const QString &path)
{
    const QString whole = m_folder.filePath(path);
    if (!(QFileInfo(whole).isDir() ? QDir(whole).removeRecursively() : QFile::remove(whole)))
        qFatal("the tree of the test cannot be changed");
}

} // namespace jetscope::testing
