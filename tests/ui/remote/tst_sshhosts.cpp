// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/remote/sshhosts.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace jetscope;

/// What boards the dialog offers without a word of the user.
class TestSshHosts : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;

    QString write(const QString &name, const QByteArray &text) const
    {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void hostsAreInTheOrderOfTheFile()
    {
        const QString config = write(QStringLiteral("config"),
                                     "# comment\n"
                                     "Host orin-lab-3 orin-lab-4\n"
                                     "    HostName 10.0.0.3\n"
                                     "\thost\t\"xavier bench\"\n"
                                     "HOST=thor-dev-1\n"
                                     "Host orin-lab-3 # once\n"
                                     "Match host secret\n"
                                     "  User host\n");
        QCOMPARE(sshHosts(config),
                 (QStringList{QStringLiteral("orin-lab-3"), QStringLiteral("orin-lab-4"),
                              QStringLiteral("xavier bench"), QStringLiteral("thor-dev-1")}));
    }

    void patternsAreNoHosts()
    {
        const QString config =
            write(QStringLiteral("config"), "Host *\nHost lab-?? !lab-07 gate *.example -oProxy=x\n");
        QCOMPARE(sshHosts(config), QStringList{QStringLiteral("gate")});
    }

    void includedFilesAreRead()
    {
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("config.d")));
        write(QStringLiteral("config.d/b.conf"), "Host b\n");
        write(QStringLiteral("config.d/a.conf"), "Host a\n");
        const QString config = write(QStringLiteral("config"), "Include config.d/*.conf missing\nHost c\n");
        QCOMPARE(sshHosts(config), (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
    }

    /// Each of a hundred files includes all: read once each.
    void filesThatIncludeEachOtherEnd()
    {
        for (int i = 0; i < 100; ++i)
            write(QStringLiteral("c%1").arg(i), QStringLiteral("Include c*\nHost h%1\n").arg(i).toUtf8());
        QCOMPARE(sshHosts(m_folder->filePath(QStringLiteral("c0"))).size(), 100);
    }

    void whatCannotBeReadHasNoHosts()
    {
        QCOMPARE(sshHosts(m_folder->filePath(QStringLiteral("missing"))), QStringList());
        QCOMPARE(sshHosts(m_folder->path()), QStringList());
        const QByteArray pipe = m_folder->filePath(QStringLiteral("pipe")).toUtf8();
        QCOMPARE(mkfifo(pipe.constData(), 0600), 0);
        QCOMPARE(sshHosts(QString::fromUtf8(pipe)), QStringList());
        QByteArray garbage;
        for (int i = 0; i < 4096; ++i)
            garbage += static_cast<char>(i * 31 % 256);
        sshHosts(write(QStringLiteral("garbage"), garbage)); // Whatever it finds, it ends.
        QVERIFY(sshHosts(write(QStringLiteral("many"), "Host" + QByteArray(" x").repeated(100000))).size() == 1);
    }
};

JETSCOPE_TEST(TestSshHosts)
#include "tst_sshhosts.moc"
