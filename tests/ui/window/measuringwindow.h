// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakewindow.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace jetscope {

/// The script waits for a file that the test makes.
inline QString waitFor(const QString &file)
{
    return QStringLiteral("while [ ! -e '%1' ]; do sleep 0.02; done\n").arg(file);
}

inline void make(const QString &file)
{
    QFile made(file);
    QVERIFY(made.open(QIODevice::WriteOnly));
}

/// A window whose measurements are a script that says what the program would say.
class MeasuringWindow {
protected:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        openWindow();
        QVERIFY(m_fake->open());
    }
    void cleanup() { m_fake.reset(); }

    void openWindow(const QString &program = {})
    {
        m_fake =
            std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Ignore, std::vector<CameraInfo>(), program);
        window().resize(1500, 950);
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
    }
    /// A new window whose measurements run this script; "$out" is the file of a sweep.
    void childDoes(const QString &script)
    {
        QFile file(path("child"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "#!/bin/sh\necho \"$@\" > '" + path("arguments").toUtf8()
            + "'\nout=; before=\nfor word in \"$@\"; do [ \"$before\" = --out ] && out=$word; before=$word; done\n"
            + script.toUtf8() + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        openWindow(path("child"));
        QVERIFY(m_fake->open());
    }
    QString argumentsOfChild() const
    {
        QFile file(path("arguments"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
    }
    void open(const QString &file)
    {
        m_fake->chosenPath = file;
        QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!window().trace().opener().job().isRunning());
    }

    MainWindow &window() { return m_fake->window(); }
    bool isOpen() { return window().session().phase() == Session::Phase::Open; }
    QString path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

} // namespace jetscope
