// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

using namespace jetscope;
using namespace jetscope::test;

namespace {

QByteArray inGzip(const QByteArray &bytes)
{
    QByteArray packed(bytes.size() + 1024, '\0');
    z_stream stream = {};
    constexpr int kGzip = 15 + 16;
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

/// A field of a protobuf: tag, length, content.
QByteArray protoField(char tag, const QByteArray &content)
{
    return QByteArray(1, tag) + static_cast<char>(content.size()) + content;
}

} // namespace

class TestForeignFormats : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathWith(const QByteArray &bytes)
    {
        const QString path = m_folder.filePath("foreign.json");
        writeFile(path, bytes);
        return path;
    }

private slots:
    void namesWhatItRefuses_data();
    void namesWhatItRefuses();
    void refusesNoTrace_data();
    void refusesNoTrace();
};

void TestForeignFormats::namesWhatItRefuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("remedy");
    const auto row = [](const char *what, const QByteArray &bytes, const char *name, const char *remedy) {
        QTest::newRow(what) << bytes << name << remedy;
    };
    row("layers", R"({"Layers": ["conv0", "conv1"], "Bindings": ["images"]})", "--exportLayerInfo", "--exportTimes");
    row("profile",
        R"([{"count": 60},{"name": "conv0", "timeMs": 17.2, "averageMs": 0.287, "medianMs": 0.28, "percentage": 8.3}])",
        "--exportProfile", "--exportTimes");
    row("speedscope", R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]})", "speedscope",
        "nsys export");
    row("cpuprofile", R"({"nodes":[{"id":1,"callFrame":{"functionName":"main"}}],"samples":[1]})", "V8", "Chrome");
    row("firefox", R"({"meta":{"interval":1,"processType":0},"threads":[]})", "Firefox", "nsys export");
    row("systrace", "<!DOCTYPE html>\n<html><head><title>Android System Trace</title><script src=trace-viewer>",
        "Android (systrace)", "traceconv json");
    row("html", "\n<html><body>404 Not Found</body></html>", "a page of HTML", "give the trace itself");
    row("ftrace", "# tracer: nop\n#\n# entries-in-buffer/entries-written: 30624/30624   #P:4\n", "ftrace",
        "traceconv json");
    row("atrace", "TRACE:\n# tracer: nop\n", "ftrace", "traceconv json");
    row("perf script", "prog  4711 12345.678901:     250000 cpu-clock:u: \n\tffffffff81 do_idle ([kernel.kallsyms])\n",
        "perf script", "nsys export");
    row("perf.data", QByteArray("PERFILE2\x68\0\0\0", 12), "a recording of perf", "nsys export");
    row("trace.dat", QByteArray("\x17\x08\x44tracing6\0\0", 13), "trace-cmd", "traceconv json");
    row("Tracy", QByteArray("tlZ\x04\x10\0\0\0", 8), "Tracy", "nsys export");
    row("zip", QByteArray("PK\x03\x04\x14\0\0\0", 8), "an archive (zip)", "unpack it");
    const QByteArray pprof =
        protoField('\x0a', QByteArray("\x08\x01\x10\x02", 4)) + protoField('\x12', QByteArray("\x0a\x01\x01", 3));
    row("pprof", pprof, "pprof", "nsys export");
    row("pprof, packed", inGzip(pprof), "pprof", "nsys export");
    const QByteArray packet = QByteArray("\x50\x01\x40\x85\x02", 5);
    row("Perfetto", protoField('\x0a', packet) + protoField('\x0a', packet), "Perfetto (protobuf)",
        "traceconv json IN OUT.json");
    row("Perfetto with clocks first",
        protoField('\x0a', protoField('\x32', "\x0a\x04\x08\x06\x10\x01")) + protoField('\x0a', packet),
        "Perfetto (protobuf)", "traceconv json");
    const char *const sqlite = "nsys export --type sqlite";
    row("nsys-rep", "NVIDIA Tegra Profiler Report 2025@1@3@140-251335\n\x0bLocal (CLI)", "a report of Nsight Systems",
        sqlite);
    row("qdrep", "NVIDIA Tegra Profiler Report 1.\n", "a report of Nsight Systems", sqlite);
    row("qdstrm", "U3w[END]NVIDIA Nsight Systems Stream 2025.3.1.90-253135822126v0!\n", "qdstrm", sqlite);
    row("nsys, JSON", R"({"Type":80,"CudaEvent":{"startNs":"0","endNs":"500","kernel":{"shortName":"5"}}})",
        "Nsight Systems as JSON", sqlite);
    row("nsys, lines with tables",
        "{\"TableName\": \"StringIds\", \"id\": 1, \"value\": \"cudaLaunchKernel\"}\n{\"Type\": 80, \"CudaEvent\": "
        "{}}\n",
        "Nsight Systems as JSON", sqlite);
    row("nsys, HDF5", "\x89HDF\r\n\x1a\n....", "HDF5", sqlite);
    row("nsys, Arrow", "ARROW1..", "Arrow", sqlite);
    row("nsys, Parquet", "PAR1....", "Parquet", sqlite);
    row("nsys stats", "Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n90.1,12345,3,4115,cudaMalloc\n", "nsys stats",
        sqlite);
    row("docker", R"({"log":"RAM 1/2MB\n","stream":"stdout","time":"2026-03-01T10:00:00Z"})", "docker",
        "docker logs -t");
    row("journald", R"({"__REALTIME_TIMESTAMP":"1772359200000000","MESSAGE":"RAM 1/2MB"})", "journald",
        "short-iso-precise");
    row("dmon", "# gpu    pwr  gtemp     sm\n# Idx      W      C      %\n    0     43     35      0\n", "dmon",
        "tegrastats --logfile");
    row("nvidia-smi", "Sun Mar  1 10:00:00 2026\n+-----+\n| NVIDIA-SMI 535.1  Driver Version: 535.1  |\n",
        "nvidia-smi prints", "--query-gpu=timestamp");
    row("top", "top - 10:00:00 up 1 day,  1 user\nTasks: 200 total\n", "top, vmstat", "tegrastats --logfile");
    row("vmstat", "procs -----------memory---------- ---swap--\n r  b   swpd   free\n", "top, vmstat",
        "tegrastats --logfile");
    row("mpstat", "Linux 5.15.0 (orin) \t03/01/2026 \t_aarch64_\t(12 CPU)\n", "mpstat", "tegrastats --logfile");
    row("free", "               total        used        free      shared\nMem:  1 2 3 4\n", "free prints",
        "tegrastats --logfile");
    row("XSpace", protoField('\x0a', QByteArray("\x08\x01\x12\x09/host:CPU", 13)), "XSpace", ".trace.json.gz");
}

void TestForeignFormats::namesWhatItRefuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, name);
    QFETCH(QString, remedy);
    Watcher watcher;
    const Result<OpenedTrace> result = openTrace(pathWith(bytes).toStdString(), watcher);
    QVERIFY(!result.ok());
    const QString text = QString::fromStdString(result.error().text);
    QVERIFY2(isOneSentence(result.error().text), qPrintable(text));
    QVERIFY2(text.contains(name) && text.contains(remedy) && text.contains("foreign.json"), qPrintable(text));
}

void TestForeignFormats::refusesNoTrace_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isLog");
    // Each holds the signs of a kind that is refused.
    const QByteArray event = R"({"ph":"X","ts":1,"dur":1,"pid":1,"name":")";
    QTest::newRow("array") << "[" + event + "Layers\"}]" << false;
    QTest::newRow("an empty line first") << "\n[" + event + "/device:GPU:0\"}]" << false;
    QTest::newRow("object") << R"({"Layers":[],"Bindings":[],"traceEvents":[)" + event + "a\"}]}" << false;
    QTest::newRow("names of JSON") << "[" + event + R"(startComputeMs endComputeMs averageMs percentage"}])" << false;
    QTest::newRow("HTML in a name") << "[" + event + "<html> tracing\"}]" << false;
    QTest::newRow("packed") << inGzip("[" + event + "a\"}]") << false;
    QTest::newRow("log after other output")
        << QByteArray("\nP\x40 host: \nRAM 2448/7620MB (lfb 2x4MB) CPU [1%@1190] GR3D_FREQ 0%\n") << true;
    QTest::newRow("names of other formats")
        << "[" + event + "CudaEvent TableName | NVIDIA-SMI Driver Version: total used free Time (%) Total Time (ns)\"}]"
        << false;
    QTest::newRow("log among what nvidia-smi prints") << QByteArray(
        "| NVIDIA-SMI 535 Driver Version: 535 |\nRAM 2448/7620MB (lfb 2x4MB) CPU [1%@1190] GR3D_FREQ 0%\n")
                                                      << true;
}

void TestForeignFormats::refusesNoTrace()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isLog);
    const Result<FileKind> kind = fileKindOf(pathWith(bytes).toStdString());
    QVERIFY2(kind.ok(), kind.ok() ? "" : kind.error().text.c_str());
    QCOMPARE(kind.value(), isLog ? FileKind::Tegrastats : FileKind::Json);
}

JETSCOPE_TEST(TestForeignFormats)
#include "tst_foreignformats.moc"
