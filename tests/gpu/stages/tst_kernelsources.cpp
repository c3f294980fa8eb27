// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What an own kernel includes: which files decide its machine code, and which changes are seen.
#include "tests/gpu/kernelfixture.h"

#include <filesystem>

using namespace jetscope;
using namespace jetscope::testing;

class TestKernelSources : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void includedFilesCount();
    void foldersAreNoIncludedFiles();
    void angledNamesAreOfTheKernelsFolder();
    void computedNamesAreNotCached_data();
    void computedNamesAreNotCached();
    void tooManyFilesAreRefused();
    void searchedPlacesAreNoFiles();
    void linksOfFoldersAreFollowed();
    void unreadableFilesAreRefused();

private:
    std::string write(const char *name, const std::string &text) { return m_folder.write(name, text); }

    KernelFolder m_folder;
};

void TestKernelSources::initTestCase()
{
    if (const Result<NvrtcFile> nvrtc = findNvrtc(); !nvrtc.ok())
        QSKIP(nvrtc.error().text.c_str());
    kernelTools().isTried = false;
}

void TestKernelSources::init()
{
    kernelTools().cache = KernelCache(m_folder.filePath("cache").toStdString());
}

void TestKernelSources::includedFilesCount()
{
    std::filesystem::create_directory(m_folder.filePath("sub").toStdString());
    write("sub/deep.cuh", "#include \"deeper.cuh\"\n#if 0\n#include \"../tops.cu\"\n#endif\n"); // A circle.
    write("sub/deeper.cuh", "constexpr int kOne = 1;\n");
    const std::string top = "#pragma once\n  #  include \"sub/deep.cuh\"\n" + rgbaKernel("out[kOne] = in[0];");
    const std::string path = write("tops.cu", top);
    const Result<KernelSource> before = KernelSource::read({path, {}});
    QVERIFY(before.ok());
    const Result<BuiltKernel> built = buildKernel(before.value(), "tops.cu", kArchitecture);
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().text.c_str());
    QVERIFY(!before.value().stamp().isOutdated());
    write("sub/deeper.cuh", "constexpr int kOne = 01;\n");
    QVERIFY(before.value().stamp().isOutdated());
    const Result<KernelSource> after = KernelSource::read({path, {}});
    QVERIFY(after.ok() && after.value().identity() != before.value().identity());
    // The compiler finds this one beside the kernel, too; and one that comes later is a change.
    write("angled.cu",
          "#include <sub/deeper.cuh>\n#if __has_include(\"later.cuh\")\n#include \"later.cuh\"\n#endif\n"
              + rgbaKernel("out[kOne] = in[0];"));
    const Result<KernelSource> angled = KernelSource::read({m_folder.filePath("angled.cu").toStdString(), {}});
    QVERIFY(angled.ok() && !angled.value().stamp().isOutdated());
    write("later.cuh", "\n");
    QVERIFY(angled.value().stamp().isOutdated());
    const Result<KernelSource> later = KernelSource::read({m_folder.filePath("angled.cu").toStdString(), {}});
    QVERIFY(later.ok() && !later.value().stamp().isOutdated());
    write("sub/deeper.cuh", "constexpr int kOne = 1;\n");
    QVERIFY(later.value().stamp().isOutdated());
}

void TestKernelSources::foldersAreNoIncludedFiles()
{
    std::filesystem::create_directory(m_folder.filePath("complex").toStdString());
    const StageAddress address{write("folders.cu", "#include <complex>\n#include \"\"\n#include \"complex\"\n"), {}};
    const Result<KernelSource> source = KernelSource::read(address);
    QVERIFY(source.ok() && !source.value().stamp().isOutdated());
    std::filesystem::remove(m_folder.filePath("complex").toStdString());
    QVERIFY(!source.value().stamp().isOutdated());
    write("complex", "\n");
    QVERIFY(source.value().stamp().isOutdated());
    std::filesystem::remove(m_folder.filePath("complex").toStdString());
}

/// As the compiler finds them.
void TestKernelSources::angledNamesAreOfTheKernelsFolder()
{
    std::filesystem::create_directory(m_folder.filePath("inner").toStdString());
    write("both.cuh", "constexpr int kIndex = 5;\n");
    write("inner/both.cuh", "#error this one is not meant\n");
    write("inner/angled.cuh", "#include <both.cuh>\n");
    const std::string path = write("finds.cu", "#include \"inner/angled.cuh\"\n" + rgbaKernel("out[kIndex] = in[0];"));
    const Result<KernelSource> before = KernelSource::read({path, {}});
    QVERIFY(before.ok());
    const Result<BuiltKernel> built = buildKernel(before.value(), path, kArchitecture);
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().text.c_str());
    write("both.cuh", "constexpr int kIndex = 15;\n");
    QVERIFY(before.value().stamp().isOutdated());
    const Result<KernelSource> after = KernelSource::read({path, {}});
    QVERIFY(after.ok() && after.value().identity() != before.value().identity());
}

void TestKernelSources::computedNamesAreNotCached_data()
{
    QTest::addColumn<QString>("head");
    QTest::addColumn<bool>("isIdentified");
    const auto row = [](const char *head, bool isIdentified) { QTest::newRow(head) << head << isIdentified; };
    row("#define HEADER \"index.cuh\"\n#include HEADER\n", false);
    row("#define HEADER \"index.cuh\"\n # \\\n include \\\n HEADER\n", false);
    row("#if __has_include(\"index.cuh\")\n#include \"index.cuh\"\n#endif\n", false);
    row("#include \"index.cuh\" // in it: # and HEADER\n", true);
    row("/* index */ # /* it */ include /* is */ \"index.cuh\"\n", true);
    row("#include \\\n \"index.cuh\" // include guard\n", true);
    row("%:include \"index.cuh\"\n", true);
    row("#include \"index.cuh\" // %: of it\n", true);
    row("#define HEADER \"index.cuh\"\n%: include HEADER\n", false);
}

void TestKernelSources::computedNamesAreNotCached()
{
    QFETCH(QString, head);
    QFETCH(bool, isIdentified);
    write("index.cuh", "constexpr int kIndex = 3;\n");
    const StageAddress address{write("computed.cu", head.toStdString() + rgbaKernel("out[kIndex] = in[0];")), {}};
    const Result<KernelSource> before = KernelSource::read(address);
    QVERIFY(before.ok());
    const Result<std::string> code = triedKernel(before.value(), address, kernelDevice());
    QVERIFY2(code.ok(), code.ok() ? "" : code.error().message().c_str());
    QCOMPARE(buildKernel(before.value(), address.path, kArchitecture).value().isCached, isIdentified);
    write("index.cuh", "constexpr int kIndex = 14;\n");
    const Result<KernelSource> after = KernelSource::read(address);
    const Result<std::string> other = triedKernel(after.value(), address, kernelDevice());
    QVERIFY(other.ok() && other.value() != code.value());
    QCOMPARE(before.value().stamp().isOutdated() || !isIdentified, true);
}

void TestKernelSources::tooManyFilesAreRefused()
{
    std::string all;
    for (int i = 0; i < 300; ++i) {
        const std::string name = "header" + std::to_string(i) + ".cuh";
        write(name.c_str(), "\n");
        all += "#include \"" + name + "\"\n";
    }
    QVERIFY(m_folder.errorOf(all + rgbaKernel()).contains("it includes more than 256 files"));
}

/// Places where no file is are no files.
void TestKernelSources::searchedPlacesAreNoFiles()
{
    std::filesystem::create_directory(m_folder.filePath("rest").toStdString());
    write("rest/all.cuh", "#pragma once\n");
    std::string top;
    for (int i = 0; i < 200; ++i) {
        const std::string name = "found" + std::to_string(i) + ".cuh";
        write(name.c_str(), "\n");
        top += "#include \"" + name + "\"\n"; // Searched beside all.cuh first.
    }
    write("rest/all.cuh", top);
    const StageAddress address{write("searches.cu", "#include \"rest/all.cuh\"\n" + rgbaKernel()), {}};
    const Result<KernelSource> source = KernelSource::read(address);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text.c_str());
    QVERIFY(source.value().isIdentified() && !source.value().stamp().isOutdated());
    write("rest/found7.cuh", "\n");
    QVERIFY(source.value().stamp().isOutdated());
    // Beyond a limit they are not followed, so the machine code is not kept.
    std::string many;
    for (int i = 0; i < 2000; ++i)
        many += "#include \"absent" + std::to_string(i) + ".cuh\"\n";
    const Result<KernelSource> beyond = KernelSource::read({write("beyond.cu", many + rgbaKernel()), {}});
    QVERIFY(beyond.ok() && !beyond.value().isIdentified());
}

/// "link/.." is not the folder of the link.
void TestKernelSources::linksOfFoldersAreFollowed()
{
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::filesystem::create_directories(folder / "far" / "deep");
    std::filesystem::create_directory_symlink(folder / "far" / "deep", folder / "link");
    write("far/size.cuh", "constexpr int kIndex = 7;\n");
    write("size.cuh", "#error this one is not meant\n");
    const std::string path = write("linked.cu", "#include \"link/../size.cuh\"\n" + rgbaKernel("out[kIndex] = in[0];"));
    const Result<KernelSource> before = KernelSource::read({path, {}});
    QVERIFY(before.ok());
    const Result<BuiltKernel> built = buildKernel(before.value(), path, kArchitecture);
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().text.c_str());
    write("far/size.cuh", "constexpr int kIndex = 17;\n");
    QVERIFY(before.value().stamp().isOutdated());
    const Result<KernelSource> after = KernelSource::read({path, {}});
    QVERIFY(after.ok() && after.value().identity() != before.value().identity());
    // Another folder behind the link is a change, too.
    std::filesystem::create_directories(folder / "near" / "deep");
    write("near/size.cuh", "constexpr int kIndex = 27;\n");
    std::filesystem::remove(folder / "link");
    std::filesystem::create_directory_symlink(folder / "near" / "deep", folder / "link");
    QVERIFY(after.value().stamp().isOutdated());
}

void TestKernelSources::unreadableFilesAreRefused()
{
    // Its reads fail, also those of root.
    const QString unreadable = m_folder.errorOf("#include \"/proc/self/mem\"\n" + rgbaKernel());
    QVERIFY2(unreadable.contains("'/proc/self/mem' cannot be read"), qPrintable(unreadable));
    const std::string sparse = write("sparse.cuh", "\n");
    std::filesystem::resize_file(sparse, std::uintmax_t{50} << 30); // Larger than memory, and takes none of the disk.
    const QString large = m_folder.errorOf("#include \"sparse.cuh\"\n" + rgbaKernel());
    QVERIFY2(large.contains("sparse.cuh' is larger than 1 MiB"), qPrintable(large));
}

QTEST_GUILESS_MAIN(TestKernelSources)
#include "tst_kernelsources.moc"
