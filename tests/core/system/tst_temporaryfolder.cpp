// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/temporaryfolder.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace jetscope;

/// Folders for temporary files, and those that killed programs left.
class TestTemporaryFolder : public QObject {
    Q_OBJECT
private slots:
    void whatAKilledProgramLeftIsRemoved();
};

void TestTemporaryFolder::whatAKilledProgramLeftIsRemoved()
{
    const QTemporaryDir where;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", where.path().toLocal8Bit());
    const auto back = qScopeGuard([&] { before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
    const auto makeOld = [](const std::string &path) {
        constexpr timespec kLongAgo[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
        return utimensat(AT_FDCWD, path.c_str(), kLongAgo, AT_SYMLINK_NOFOLLOW) == 0;
    };
    const auto make = [&](const char *name, bool old) {
        const QString path = where.filePath(name);
        QFile file(path + "/sample.jscope");
        return QDir().mkpath(path) && file.open(QIODevice::WriteOnly) && file.write("x") == 1
            && (file.close(), !old || makeOld(path.toStdString()));
    };
    QVERIFY(make("jetscope-killed", true) && make("jetscope-young", false) && make("other-program", true));
    QVERIFY(QFile::link(where.filePath("other-program"), where.filePath("jetscope-link")));
    std::string gone;
    {
        const Result<TemporaryFolder> used = TemporaryFolder::create();
        QVERIFY(used.ok() && makeOld(used.value().path()));
        gone = used.value().path();
        const Result<TemporaryFolder> next = TemporaryFolder::create();
        QVERIFY(next.ok() && QFile::exists(QString::fromStdString(gone)));
    }
    QVERIFY(!QFile::exists(QString::fromStdString(gone)));
    QCOMPARE(QDir(where.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name),
             (QStringList{"jetscope-link", "jetscope-young", "other-program"}));
    QVERIFY(QFile::exists(where.filePath("other-program/sample.jscope")));
}

JETSCOPE_TEST(TestTemporaryFolder)
#include "tst_temporaryfolder.moc"
