// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/callsites.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <future>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace jetscope;

/// What may lie in the place of a program's file by the time that it is read.
class CallSitesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void namesPlacesOfALibrary();
    void doesNotWaitForAPipe();
    void doesNotWaitForAPipeWithDebugInformation();
    void unpacksNothing();
    void unpacksNoEndlessSection();

private:
    QString pathOf(const char *name) const { return m_folder.filePath(name); }
    static QString describe(const QString &path);

    QTemporaryDir m_folder;
};

namespace {

/// Of the ELF section that has this name.
std::uint64_t sectionHeaderOf(const QByteArray &file, const QByteArray &name)
{
    const auto at = [&](std::uint64_t offset) { return file.constData() + offset; };
    const auto &head = *reinterpret_cast<const Elf64_Ehdr *>(at(0));
    const auto *const sections = reinterpret_cast<const Elf64_Shdr *>(at(head.e_shoff));
    for (int i = 0; i < head.e_shnum; ++i)
        if (name == at(sections[head.e_shstrndx].sh_offset + sections[i].sh_name))
            return head.e_shoff + static_cast<std::uint64_t>(i) * sizeof(Elf64_Shdr);
    return 0;
}

/// A place within the code of linked_frames.
CodePlace placeOfFrames(const QString &path)
{
    QFile file(PROGRAM_DEBUG);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll();
    const auto section = [&](const char *name) {
        return *reinterpret_cast<const Elf64_Shdr *>(bytes.constData() + sectionHeaderOf(bytes, name));
    };
    const Elf64_Shdr symbols = section(".symtab");
    const Elf64_Shdr names = section(".strtab");
    const Elf64_Shdr code = section(".text");
    for (std::uint64_t at = 0; at < symbols.sh_size; at += sizeof(Elf64_Sym)) {
        const auto &symbol = *reinterpret_cast<const Elf64_Sym *>(bytes.constData() + symbols.sh_offset + at);
        if (QByteArray("linked_frames") == bytes.constData() + names.sh_offset + symbol.st_name)
            return {path.toStdString(), symbol.st_value - code.sh_addr + code.sh_offset + symbol.st_size / 2};
    }
    return {};
}

} // namespace

/// "did not end" if it had to be let go: a thread that opens a pipe to read waits for a writer.
QString CallSitesTest::describe(const QString &path)
{
    std::future<std::string> text = std::async(std::launch::async, [place = placeOfFrames(path)] {
        CallSites sites;
        return sites.describe(place);
    });
    if (text.wait_for(std::chrono::seconds(60)) == std::future_status::ready)
        return QString::fromStdString(text.get());
    while (text.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
        ::close(::open(path.toUtf8().constData(), O_RDWR | O_NONBLOCK));
    return "did not end";
}

void CallSitesTest::namesPlacesOfALibrary()
{
    QVERIFY(placeOfFrames(PROGRAM_DEBUG).offset > 0);
    const QString text = describe(PROGRAM_DEBUG);
    QVERIFY2(text.startsWith(HAS_SYMBOLS ? "linked_frames (" : "jetscope_debugprogram+0x"), qPrintable(text));
}

void CallSitesTest::doesNotWaitForAPipe()
{
    const QString path = pathOf("pipe");
    QCOMPARE(mkfifo(path.toUtf8().constData(), 0600), 0);
    QVERIFY2(describe(path).startsWith("pipe+0x"), qPrintable(describe(path)));
    QVERIFY(describe(m_folder.path()).contains("+0x"));                                       // Nor reads a folder,
    QVERIFY2(describe("/dev/zero").startsWith("zero+0x"), qPrintable(describe("/dev/zero"))); // or a device.
}

void CallSitesTest::doesNotWaitForAPipeWithDebugInformation()
{
    const QString objcopy = QStandardPaths::findExecutable("objcopy");
    if (!HAS_SYMBOLS || objcopy.isEmpty())
        QSKIP("This build reads no symbols, or there is no objcopy.");
    const QString program = pathOf("stripped");
    const QString debug = pathOf("stripped.debug");
    QVERIFY(QFile::copy(PROGRAM_DEBUG, debug));
    QCOMPARE(QProcess::execute(objcopy,
                               {"--strip-debug", "--remove-section=.note.gnu.build-id", "--add-gnu-debuglink=" + debug,
                                PROGRAM_DEBUG, program}),
             0);
    QVERIFY2(describe(program).startsWith("linked_frames ("), qPrintable(describe(program)));
    QVERIFY(QFile::remove(debug));
    QCOMPARE(mkfifo(debug.toUtf8().constData(), 0600), 0);
    QVERIFY2(describe(program).startsWith("linked_frames+0x"), qPrintable(describe(program)));
}

/// libdw would: what looks packed need not be a library.
void CallSitesTest::unpacksNothing()
{
    constexpr qint64 kBytes = qint64{1} << 29;
    const QString path = pathOf("zeros");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(kBytes));
    file.close();
    if (QProcess::execute("gzip", {"-1", path}) != 0)
        QSKIP("There is no gzip.");
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    QVERIFY2(describe(path + ".gz").startsWith("zeros.gz+0x"), qPrintable(describe(path + ".gz")));
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    QVERIFY2((after.ru_maxrss - before.ru_maxrss) * 1024 < kBytes / 4, qPrintable(QString::number(after.ru_maxrss)));
}

/// A section that says of itself that it is very much when it is unpacked.
void CallSitesTest::unpacksNoEndlessSection()
{
    QFile file(PROGRAM_DEBUG);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    const std::uint64_t header = sectionHeaderOf(bytes, ".debug_info");
    QVERIFY(header > 0);
    auto &section = *reinterpret_cast<Elf64_Shdr *>(bytes.data() + header);
    section.sh_flags |= SHF_COMPRESSED;
    const Elf64_Chdr endless{ELFCOMPRESS_ZLIB, 0, std::uint64_t{1} << 40, 1};
    std::memcpy(bytes.data() + section.sh_offset, &endless, sizeof endless); // Not aligned in the file.
    QFile changed(pathOf("endless"));
    QVERIFY(changed.open(QIODevice::WriteOnly) && changed.write(bytes) == bytes.size());
    changed.close();
    QVERIFY2(describe(changed.fileName()).startsWith("endless+0x"), qPrintable(describe(changed.fileName())));
}

JETSCOPE_TEST(CallSitesTest)
#include "tst_callsites.moc"
