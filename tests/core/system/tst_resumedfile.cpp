// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/resumedfile.h"

#include "core/progress.h"
#include "tests/support/testprogram.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace jetscope;

namespace {

bool always(std::uint64_t)
{
    return true;
}

std::span<const std::byte> bytesOf(const QByteArray &bytes)
{
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace

/// A file that comes in pieces, over several runs of the program.
class TestResumedFile : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path() const { return m_folder->filePath("a.jscope").toStdString(); }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }
    Result<ResumedFile> opened(const char *version) const { return ResumedFile::open(path(), version, always); }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void goesOnWhereItWas()
    {
        const QByteArray bytes(3'000'000, 'x');
        for (const qsizetype end : {qsizetype{1'000'000}, qsizetype{1'000'001}, qsizetype{2'500'000}}) {
            Result<ResumedFile> file = opened("1");
            QVERIFY(file.ok() && !file.value().hasReplaced());
            const auto begin = static_cast<qsizetype>(file.value().size());
            QVERIFY(file.value().append(bytesOf(bytes.mid(begin, end - begin))).ok());
            QCOMPARE(file.value().size(), static_cast<std::uint64_t>(end));
            QCOMPARE(files().size(), 1);
            QVERIFY(files()[0].startsWith("a.jscope.") && files()[0].endsWith(".part"));
        }
        Result<ResumedFile> file = opened("1");
        QVERIFY(file.ok() && file.value().append(bytesOf(bytes.mid(2'500'000))).ok());
        QCOMPARE(QByteArray::fromStdString(file.value().sum()),
                 QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
        QVERIFY(file.value().publish().ok());
        QCOMPARE(files(), QStringList{"a.jscope"});
        QVERIFY(!opened("1").ok()); // It is there.
    }

    void anotherVersionBeginsAnew()
    {
        {
            Result<ResumedFile> file = opened("1");
            QVERIFY(file.ok() && file.value().append(bytesOf("old")).ok());
        }
        QFile kept(m_folder->filePath("a.jscope.other.part")); // Nothing of ours.
        QVERIFY(kept.open(QIODevice::WriteOnly));
        Result<ResumedFile> file = opened("2");
        QVERIFY(file.ok() && file.value().hasReplaced());
        QCOMPARE(file.value().size(), std::uint64_t{0});
        QCOMPARE(files().size(), 2);
        QVERIFY(files().contains("a.jscope.other.part"));
    }

    void oneProgramAtATime()
    {
        const Result<ResumedFile> first = opened("1");
        QVERIFY(first.ok());
        const Result<ResumedFile> second = opened("1");
        QVERIFY(!second.ok() && second.error().text.find("another program") != std::string::npos);
    }

    void cancelsWhileItReadsWhatIsThere()
    {
        {
            Result<ResumedFile> file = opened("1");
            QVERIFY(file.ok() && file.value().append(bytesOf(QByteArray(5'000'000, 'x'))).ok());
        }
        const Result<ResumedFile> cancelled =
            ResumedFile::open(path(), "1", [](std::uint64_t bytes) { return bytes < 2'000'000; });
        QVERIFY(!cancelled.ok() && wasCancelled(cancelled.error()));
        QCOMPARE(files().size(), 1);
    }

    void neverWritesThroughALinkOrIntoWhatIsThere()
    {
        {
            QVERIFY(opened("1").ok());
        }
        const QString part = m_folder->filePath(files()[0]);
        QVERIFY(QFile::remove(part));
        QVERIFY(QFile::link(m_folder->filePath("elsewhere"), part));
        QVERIFY(!opened("1").ok());
        QVERIFY(!QFile::exists(m_folder->filePath("elsewhere")));
        QVERIFY(QFile::remove(part));
        Result<ResumedFile> file = opened("1");
        QVERIFY(file.ok());
        QFile taken(QString::fromStdString(path()));
        QVERIFY(taken.open(QIODevice::WriteOnly) && taken.write("precious") == 8);
        taken.close();
        QVERIFY(!file.value().publish().ok());
        QVERIFY(taken.open(QIODevice::ReadOnly));
        QCOMPARE(taken.readAll(), QByteArray("precious"));
    }

    void aFullDiskKeepsWhatCame()
    {
        rlimit before{};
        QVERIFY(::getrlimit(RLIMIT_FSIZE, &before) == 0);
        const auto handled = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{1 << 20, before.rlim_max};
        Result<ResumedFile> file = opened("1");
        QVERIFY(file.ok());
        QVERIFY(::setrlimit(RLIMIT_FSIZE, &small) == 0);
        const Status full = file.value().append(bytesOf(QByteArray(2 << 20, 'x')));
        QVERIFY(::setrlimit(RLIMIT_FSIZE, &before) == 0);
        std::signal(SIGXFSZ, handled);
        QVERIFY(!full.ok());
        QVERIFY2(full.error().text.find("is kept") != std::string::npos, full.error().text.c_str());
        QCOMPARE(file.value().size(), std::uint64_t{1 << 20});
        QVERIFY(file.value().append(bytesOf(QByteArray(1 << 20, 'x'))).ok());
        QCOMPARE(QByteArray::fromStdString(file.value().sum()),
                 QCryptographicHash::hash(QByteArray(2 << 20, 'x'), QCryptographicHash::Sha256).toHex());
    }
};

JETSCOPE_TEST(TestResumedFile)
#include "tst_resumedfile.moc"
