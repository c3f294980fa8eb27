// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which X servers a session without DISPLAY finds, as a command that came by ssh.
#include "gpu/lab/x11screen.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <unistd.h>

using namespace jetscope;

class TestX11Displays : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void displayComesFirst();
    void everySocketIsADisplay();
    void aLoginsKeysAreTried();
    void noServerIsNoDisplay();

private:
    QStringList found() const;
    void make(const QString &file) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_display;
    QByteArray m_authority;
};

void TestX11Displays::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_display = qgetenv("DISPLAY");
    m_authority = qgetenv("XAUTHORITY");
    qunsetenv("DISPLAY");
    qunsetenv("XAUTHORITY");
}

void TestX11Displays::cleanup()
{
    if (!m_display.isEmpty())
        qputenv("DISPLAY", m_display);
    if (!m_authority.isEmpty())
        qputenv("XAUTHORITY", m_authority);
}

/// "NAME AUTHORITY" of each, the folder left out.
QStringList TestX11Displays::found() const
{
    QStringList texts;
    for (const X11Display &display :
         x11Displays(m_folder->filePath("sockets").toStdString(), m_folder->filePath("run").toStdString()))
        texts
            << QString::fromStdString(display.name + " " + display.authority).remove(m_folder->path() + "/").trimmed();
    return texts;
}

void TestX11Displays::make(const QString &file) const
{
    const QFileInfo info(m_folder->filePath(file));
    QVERIFY(QDir().mkpath(info.path()));
    QFile written(info.filePath());
    QVERIFY(written.open(QIODevice::WriteOnly));
}

void TestX11Displays::displayComesFirst()
{
    make("sockets/X0");
    qputenv("DISPLAY", ":7");
    qputenv("XAUTHORITY", "/home/key");
    QCOMPARE(found(), QStringList{":7 /home/key"});
}

void TestX11Displays::everySocketIsADisplay()
{
    for (const char *const name : {"X10", "X9", "X0", "X", "X1x", "Y2", "lock"})
        make(QStringLiteral("sockets/") + name);
    QCOMPARE(found(), QStringList({":0", ":9", ":10"}));
    qputenv("XAUTHORITY", "/home/key");
    QCOMPARE(found().first(), QString(":0 /home/key"));
}

void TestX11Displays::aLoginsKeysAreTried()
{
    const QString own = "run/" + QString::number(getuid());
    make("sockets/X0");
    make(own + "/gdm/Xauthority");
    make(own + "/.mutter-Xwaylandauth.Q1W2");
    make(own + "/bus");
    make("run/4711/gdm/Xauthority");
    QCOMPARE(found(), QStringList({":0", ":0 " + own + "/gdm/Xauthority", ":0 " + own + "/.mutter-Xwaylandauth.Q1W2"}));
}

void TestX11Displays::noServerIsNoDisplay()
{
    QCOMPARE(found(), QStringList());
}

JETSCOPE_TEST(TestX11Displays)
#include "tst_x11displays.moc"
