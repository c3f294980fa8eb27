// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Chrome traces compressed with gzip and zstd: complete, truncated, damaged and made to exhaust memory. A trace of
// Jetscope truncated at every position.
#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/exchange/unpacker.h"
#include "tests/core/accounts.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

using namespace jetscope;
using namespace jetscope::test;

namespace {

QByteArray gzipped(const QByteArray &bytes, int level = 6)
{
    z_stream stream{};
    deflateInit2(&stream, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))), '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.constData()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

/// A zstd frame with uncompressed blocks, which can be written without a library (RFC 8878, raw blocks).
QByteArray zstdFrame(const QByteArray &bytes)
{
    QByteArray frame("\x28\xb5\x2f\xfd\x00\x58", 6); // No checksum, no content size, a window of 2 MB.
    constexpr qsizetype kBlock = 1 << 16;
    for (qsizetype at = 0; at < bytes.size(); at += kBlock) {
        const QByteArray block = bytes.mid(at, kBlock);
        const bool last = at + kBlock >= bytes.size();
        const auto header = static_cast<std::uint32_t>(block.size()) << 3U | (last ? 1U : 0U);
        for (int i = 0; i < 3; ++i)
            frame += static_cast<char>(header >> (8 * i) & 0xffU);
        frame += block;
    }
    return frame;
}

QByteArray manyEvents(int count)
{
    QByteArray json = "{\"traceEvents\":[\n";
    for (int i = 0; i < count; ++i)
        json += R"({"ph":"X","ts":)" + QByteArray::number(i * 7) + R"(,"dur":)" + QByteArray::number(i % 7)
            + R"(,"name":"work )" + QByteArray::number(i * 2654435761U % 1000) + "\"},\n";
    return json + "{}]}";
}

} // namespace

class TestPackedTraces : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &bytes)
    {
        const QString path = m_folder.filePath("trace.json.gz");
        writeFile(path, bytes);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher);
    }

private slots:
    void readsWhatIsPacked_data();
    void readsWhatIsPacked();
    void readsWhatIsLeft_data();
    void readsWhatIsLeft();
    void refusesWhatIsNoTrace();
    void refusesWhatFillsMemory();
    void survivesChangedBytes();
    void ourOwnTraceCutShort();
    void piecesFitTogether();
};

void TestPackedTraces::readsWhatIsPacked_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray json = manyEvents(100'000); // More than one piece.
    QTest::newRow("gzip") << gzipped(json);
    QTest::newRow("stored") << gzipped(json, 0);
    QTest::newRow("two members") << gzipped(json.left(1'000'000)) + gzipped(json.mid(1'000'000));
    QTest::newRow("padded") << gzipped(json) + QByteArray(1000, '\0');
    QTest::newRow("zstd") << zstdFrame(json);
    QTest::newRow("two frames") << zstdFrame(json.left(1'000'000)) + zstdFrame(json.mid(1'000'000));
}

void TestPackedTraces::readsWhatIsPacked()
{
    QFETCH(QByteArray, bytes);
    if (!readsZstd() && bytes.startsWith("\x28\xb5")) {
        const Result<OpenedTrace> refused = opened(bytes);
        QVERIFY(!refused.ok() && isOneSentence(refused.error().text));
        QVERIFY(refused.error().text.find("unzstd") != std::string::npos);
        QSKIP("this build reads no zstd, and says so");
    }
    const Result<OpenedTrace> result = opened(bytes);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(result.value().trace.spanCount(), std::uint64_t{100'000});
    QCOMPARE(result.value().notes.size(), std::size_t{1}); // Only the note about frames.
}

void TestPackedTraces::readsWhatIsLeft_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray json = manyEvents(100'000);
    const QByteArray packed = gzipped(json);
    QTest::newRow("cut in half") << packed.left(packed.size() / 2);
    QTest::newRow("without its checksum") << packed.left(packed.size() - 8);
    QTest::newRow("wrong checksum") << packed.left(packed.size() - 8) + QByteArray(8, 'x');
    QByteArray damaged = packed;
    damaged.replace(packed.size() / 2, 64, QByteArray(64, '\xff'));
    QTest::newRow("damaged in the middle") << damaged;
    QTest::newRow("second member cut") << gzipped(json.left(1'000'000)) + gzipped(json.mid(1'000'000)).left(5000);
    if (readsZstd())
        QTest::newRow("zstd cut in half") << zstdFrame(json).left(json.size() / 2);
}

void TestPackedTraces::readsWhatIsLeft()
{
    QFETCH(QByteArray, bytes);
    const Result<OpenedTrace> result = opened(bytes);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QVERIFY(result.value().trace.spanCount() > 10'000);
    QVERIFY(result.value().trace.spanCount() <= 100'000);
    QVERIFY(result.value().notes.at(0).find("ends in the middle") != std::string::npos);
}

void TestPackedTraces::refusesWhatIsNoTrace()
{
    for (const QByteArray &bytes :
         {gzipped("hello"), gzipped({}), QByteArray("\x1f\x8b"), QByteArray("\x1f\x8b\x08\x00", 4), zstdFrame("hello"),
          QByteArray("\x28\xb5\x2f\xfd"), gzipped(gzipped(manyEvents(3))), gzipped("SQLite format 3")}) {
        const Result<OpenedTrace> result = opened(bytes);
        QVERIFY(!result.ok());
        QVERIFY2(isOneSentence(result.error().text), result.error().text.c_str());
    }
}

void TestPackedTraces::refusesWhatFillsMemory()
{
    // A hundred million equal events, and as many blanks, compressed to 100 to 200 kB.
    QByteArray head = "[" + QByteArray("{\"ph\":\"X\",\"ts\":1},").repeated(1 << 20);
    z_stream stream{};
    QCOMPARE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    for (const QByteArray &block : {head, QByteArray(head.size(), ' ')}) {
        deflateReset(&stream);
        QByteArray packed(4 << 20, '\0');
        stream.next_out = reinterpret_cast<Bytef *>(packed.data());
        stream.avail_out = static_cast<uInt>(packed.size());
        for (int i = 0; i < 12; ++i) {
            stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(block.constData())) + (i > 0 ? 1 : 0);
            stream.avail_in = static_cast<uInt>(block.size() - (i > 0 ? 1 : 0));
            QCOMPARE(deflate(&stream, i == 11 ? Z_FINISH : Z_NO_FLUSH), i == 11 ? Z_STREAM_END : Z_OK);
        }
        packed.resize(static_cast<qsizetype>(stream.total_out));
        const Result<OpenedTrace> result = opened((block.startsWith(' ') ? gzipped("[") : QByteArray()) + packed);
        QVERIFY(!result.ok());
        QVERIFY2(isOneSentence(result.error().text)
                     && result.error().text.find("200 times as large") != std::string::npos,
                 result.error().text.c_str());
    }
    deflateEnd(&stream);
}

void TestPackedTraces::survivesChangedBytes()
{
    const QByteArray good[] = {gzipped(manyEvents(500)), zstdFrame(manyEvents(500))};
    std::uint32_t seed = 5;
    for (int round = 0; round < 400; ++round) {
        const Result<OpenedTrace> result = opened(withChangedBytes(good[round % 2], seed));
        QVERIFY(result.ok() ? result.value().trace.spanCount() <= 5000 : isOneSentence(result.error().text));
    }
}

void TestPackedTraces::ourOwnTraceCutShort()
{
    const QString path = m_folder.filePath("own.json");
    Watcher nobody;
    QVERIFY(exportChrome(sampleTrace(), path.toStdString(), std::nullopt, nobody).ok());
    const QByteArray whole = readFile(path);
    const qsizetype events = whole.indexOf("\"traceEvents\":[") + 15;
    std::uint64_t last = 0;
    for (qsizetype cut = events; cut < whole.size() - 3; cut += 97) {
        const Result<OpenedTrace> result = opened(whole.left(cut));
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
        QVERIFY(result.value().notes.at(0).find("ends in the middle") != std::string::npos);
        QVERIFY(result.value().trace.spanCount() >= last); // A longer file never has fewer spans.
        last = result.value().trace.spanCount();
        QCOMPARE(result.value().trace.origin().device, sampleTrace().origin().device);
    }
    QVERIFY(last > 200);
    for (qsizetype cut = 1; cut < events; cut += 7) {
        const Result<OpenedTrace> result = opened(whole.left(cut));
        QVERIFY(!result.ok() && isOneSentence(result.error().text));
    }
}

/// Events of any length around the boundaries of pieces.
void TestPackedTraces::piecesFitTogether()
{
    const qsizetype kPiece = 2 << 20;
    for (const qsizetype before : {kPiece - 150, kPiece - 100, kPiece - 60, kPiece - 1, kPiece, 3 * kPiece})
        for (const bool object : {false, true}) {
            QByteArray json = object ? "{\"a\":[],\"traceEvents\":[" : "[";
            json +=
                R"({"ph":"X","ts":1,"dur":1,"name":"long","args":{"x":")" + QByteArray(before - 100, 'x') + R"("}})";
            for (int i = 0; i < 40; ++i)
                json += R"(, {"ph":"X","ts":)" + QByteArray::number(i * 10 + 10) + R"(,"dur":5,"name":"s]}\",{"})";
            json += object ? "],\"z\":{\"traceEvents\":3}}" : "]";
            const Result<OpenedTrace> result = opened(json);
            QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
            QCOMPARE(result.value().trace.spanCount(), std::uint64_t{41});
            QCOMPARE(result.value().notes.size(), std::size_t{1});
        }
    // An event that is too large does not affect others.
    const QByteArray huge = R"([{"ph":"X","ts":1,"name":"a"},{"ph":"X","ts":2,"name":")" + QByteArray(140 << 20, 'x')
        + R"("},{"ph":"X","ts":3,"name":"b"}])";
    const Result<OpenedTrace> result = opened(huge);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(result.value().trace.spanCount(), std::uint64_t{2});
    QCOMPARE(leftOutOf(result.value(), "take more than 64 MB"), std::uint64_t{1});
    QVERIFY(result.value().account.balances());
}

JETSCOPE_TEST(TestPackedTraces)
#include "tst_packedtraces.moc"
