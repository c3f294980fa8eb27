// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What copies and sets of rows touch, and where they go, by their calls.
#include "core/attach/judge/wastefinder.h"
#include "core/attach/read/copyrows.h"

#include "madeledger.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

class CopyRowsTest : public QObject {
    Q_OBJECT

private slots:
    void followsRows_data();
    void followsRows();
    void survivesImpossibleRows();
    void findsRoundTripsOfRows();
    void tellsDirections();
    void saysWhichAccessesAreNotSeen_data();
    void saysWhichAccessesAreNotSeen();
};

namespace {

/// A copy from a picture of the host, 128 bytes wide, to a part of the device memory.
AttachEvent copyRows(std::uint64_t stream, std::uint64_t offset, AttachOperation rows)
{
    AttachEvent event =
        madeCall(JSA_CALL_cuMemcpy2DAsync_v2, 400, {stream, 0x10000 + offset, 0x90000, rows[0] * rows[1], rows[4]});
    event.operations = {rows};
    return event;
}

AttachOperation rowsToDevice(std::uint64_t bytes, std::uint64_t rows, std::uint64_t pitch)
{
    return {bytes, rows, pitch, 128, JSA_COPY_TO_DEVICE};
}

} // namespace

void CopyRowsTest::followsRows_data()
{
    QTest::addColumn<quint64>("offset");
    QTest::addColumn<std::array<std::uint64_t, 3>>("rows");
    QTest::addColumn<bool>("conflicts");
    using Rows = std::array<std::uint64_t, 3>; // Bytes, rows, pitch.
    // The other copy is to the left half of 16 rows of 128 bytes.
    QTest::newRow("the other half") << quint64{64} << Rows{64, 16, 128} << false;
    QTest::newRow("a byte too early") << quint64{63} << Rows{64, 16, 128} << true;
    QTest::newRow("a byte too late") << quint64{64} << Rows{65, 15, 128} << true; // Of the row below.
    QTest::newRow("below") << quint64{16 * 128} << Rows{64, 1, 128} << false;
    QTest::newRow("the last row") << quint64{15 * 128 + 60} << Rows{4, 1, 0} << true;
    QTest::newRow("a gap") << quint64{15 * 128 + 64} << Rows{64, 1, 0} << false;
    QTest::newRow("another pitch") << quint64{64} << Rows{32, 8, 256} << false;
    QTest::newRow("one that meets late") << quint64{64} << Rows{16, 16, 120} << true;
    QTest::newRow("one that meets in the last row") << quint64{15 * 128 + 63} << Rows{1, 8, 100} << true;
    QTest::newRow("nothing") << quint64{10} << Rows{0, 16, 128} << false;
    QTest::newRow("no rows") << quint64{10} << Rows{64, 0, 128} << false;
    QTest::newRow("without gaps") << quint64{64} << Rows{64, 2, 64} << true;
}

/// Two copies without an order conflict only if they have bytes in common.
void CopyRowsTest::followsRows()
{
    QFETCH(quint64, offset);
    QFETCH(bool, conflicts);
    using Rows = std::array<std::uint64_t, 3>;
    QFETCH(Rows, rows);
    for (const bool isFirst : {true, false}) {
        MadeLedger ledger = twoStreams();
        const AttachEvent half = copyRows(kFree, 0, rowsToDevice(64, 16, 128));
        const AttachEvent other = copyRows(kBlocking, offset, rowsToDevice(rows[0], rows[1], rows[2]));
        ledger.take(isFirst ? other : half, 1, 1, 0);
        ledger.take(isFirst ? half : other, 1, 1, 0);
        QCOMPARE(ledger.findings(1).size(), conflicts ? 1u : 0u);
        for (const WasteCheck &check : ledger.checks())
            if (check.what == "hazard-B5")
                QCOMPARE(check.reason, std::string());
    }
    // A set says the same by its arguments.
    MadeLedger ledger = twoStreams();
    ledger.take(copyRows(kFree, 0, rowsToDevice(64, 16, 128)), 1, 1, 0);
    ledger.take(
        madeCall(JSA_CALL_cuMemsetD2D8Async, 400, {kBlocking, 0x10000 + offset, rows[0], rows[1] | rows[2] << 32}), 1,
        1, 0);
    QCOMPARE(ledger.findings(1).size(), conflicts ? 1u : 0u);
}

void CopyRowsTest::survivesImpossibleRows()
{
    constexpr std::uint64_t kMax = UINT64_MAX;
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, kMax / 2, kMax})
        for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, kMax / 2, kMax})
            for (const std::uint64_t pitch : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, kMax / 2, kMax}) {
                MadeLedger ledger = twoStreams();
                ledger.take(madeCall(JSA_CALL_cuMemAlloc_v2, 350, {0x20000, kMax - 0x20000}), 1, 1, 0);
                for (const std::uint64_t offset : {std::uint64_t{4095}, std::uint64_t{0x10000}, std::uint64_t{0x10001}})
                    for (const std::uint64_t stream : {kFree, kBlocking}) {
                        ledger.take(copyRows(stream, offset, rowsToDevice(bytes, rows, pitch)), 1, 1, 0);
                        ledger.take(copyRows(stream, offset, {bytes, rows, kMax, pitch, kMax}), 1, 1, 0);
                    }
                QVERIFY(ledger.findings(1).size() <= 2); // It ends, and soon.
            }
}

/// A result that goes back to the GPU: only if the copies have bytes of the host's memory in common.
void CopyRowsTest::findsRoundTripsOfRows()
{
    constexpr std::uint64_t kHost = 0x90000;
    const auto isFound = [](std::uint64_t from, std::uint64_t bytes, std::uint64_t rows) {
        Judged<WasteFinder> waste;
        // The left half of 16 rows of 128 bytes comes from the device.
        AttachEvent out = madeCall(JSA_CALL_cuMemcpy2DAsync_v2, 400, {kFree, kHost, 0x10000, 1024, JSA_COPY_TO_HOST});
        out.operations = {{64, 16, 128, 128, JSA_COPY_TO_HOST}};
        AttachEvent in = madeCall(JSA_CALL_cuMemcpy2DAsync_v2, 500,
                                  {kFree, 0x10000, kHost + from, bytes * rows, JSA_COPY_TO_DEVICE});
        in.operations = {{bytes, rows, 128, 128, JSA_COPY_TO_DEVICE}};
        for (std::uint32_t frame = 0; frame < 50; ++frame) {
            waste.take(out, 1, 1, frame);
            waste.take(in, 1, 1, frame);
        }
        for (const WasteFinding &finding : waste.findings(50, 50'000))
            if (finding.what == "host-round-trip")
                return true;
        return false;
    };
    QVERIFY(isFound(0, 64, 16));
    QVERIFY(isFound(15 * 128, 128, 1));
    QVERIFY(!isFound(64, 64, 16));
    QVERIFY(!isFound(16 * 128, 64, 1));
    QVERIFY(!isFound(0, 64, 0));
}

/// Where the function does not say it, the memory does, if both sides are known.
void CopyRowsTest::tellsDirections()
{
    MadeLedger ledger = twoStreams();
    ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, 350, {0x50000, 4096}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuMemAllocManaged, 350, {0x60000, 4096, 1}), 1, 1, 0);
    const auto direction = [&](std::uint64_t to, std::uint64_t from, std::int32_t pid = 1,
                               std::uint64_t said = JSA_COPY_UNKNOWN) {
        return ledger.model().directionSeen(madeCall(JSA_CALL_cuMemcpyAsync, 400, {kFree, to, from, 64, said}), pid);
    };
    QCOMPARE(direction(0x10000, 0x50010), std::uint64_t{JSA_COPY_TO_DEVICE});
    QCOMPARE(direction(0x50010, 0x10000), std::uint64_t{JSA_COPY_TO_HOST});
    QCOMPARE(direction(0x50000, 0x60000), std::uint64_t{JSA_COPY_TO_HOST});
    QCOMPARE(direction(0x10000, 0x10800), std::uint64_t{JSA_COPY_ON_DEVICE});
    QCOMPARE(direction(0x50000, 0), std::uint64_t{JSA_COPY_TO_HOST}); // From a CUDA array.
    QCOMPARE(direction(0x50000, 0x50800), std::uint64_t{JSA_COPY_ON_HOST});
    QCOMPARE(direction(0x10000, 0x90000), std::uint64_t{JSA_COPY_UNKNOWN});
    QCOMPARE(direction(0x10000, 0x50000, 2), std::uint64_t{JSA_COPY_UNKNOWN});
    QCOMPARE(direction(0x10000, 0x90000, 1, JSA_COPY_TO_DEVICE), std::uint64_t{JSA_COPY_TO_DEVICE});
}

namespace {

std::string reasonOf(const std::vector<WasteCheck> &checks, const std::string &what)
{
    for (const WasteCheck &check : checks)
        if (check.what == what)
            return check.reason;
    return "there is no such check";
}

} // namespace

void CopyRowsTest::saysWhichAccessesAreNotSeen_data()
{
    QTest::addColumn<int>("function");
    QTest::addColumn<std::array<std::uint64_t, 2>>("addresses");
    QTest::addColumn<quint64>("rows");
    QTest::addColumn<QString>("ofOrder");
    QTest::addColumn<QString>("ofWaste");
    using Addresses = std::array<std::uint64_t, 2>;
    const Addresses both{0x10000, 0x90000};
    const auto row = [](const char *name, jsa_call function, Addresses addresses, quint64 rows, const char *ofOrder,
                        const char *ofWaste) {
        QTest::newRow(name) << int(function) << addresses << rows << QString(ofOrder) << QString(ofWaste);
    };
    row("rows", JSA_CALL_cuMemcpy2DAsync_v2, both, 4, "", "");
    row("slices", JSA_CALL_cuMemcpy3DAsync_v2, both, 4, "", "");
    row("to an array", JSA_CALL_cuMemcpy2DAsync_v2, {0, 0x90000}, 4, "CUDA arrays", "");
    row("a box", JSA_CALL_cuMemcpy3DAsync_v2, both, JSA_UNEVEN_ROWS, "not equally far apart", "");
    row("from an array", JSA_CALL_cuMemcpyAtoHAsync_v2, {0x90000, 0}, 4, "CUDA arrays", "");
    row("one row", JSA_CALL_cuMemcpyHtoDAsync_v2, both, 4, "", "");
    row("without a direction", JSA_CALL_cuMemcpyAsync, both, 4, "", "cudaMemcpyDefault");
    row("a graph", JSA_CALL_cuGraphLaunch, {0, 0}, 4, "graphs", "graphs");
}

/// What is not in the calls was not looked at.
void CopyRowsTest::saysWhichAccessesAreNotSeen()
{
    QFETCH(int, function);
    using Addresses = std::array<std::uint64_t, 2>;
    QFETCH(Addresses, addresses);
    QFETCH(quint64, rows);
    QFETCH(QString, ofOrder);
    QFETCH(QString, ofWaste);
    MadeLedger ledger = twoStreams();
    Judged<WasteFinder> waste;
    const bool isDirected = function != JSA_CALL_cuMemcpyAsync;
    AttachEvent event = madeCall(static_cast<jsa_call>(function), 400,
                                 {kFree, addresses[0], addresses[1], 256, isDirected ? JSA_COPY_TO_DEVICE : 0ULL});
    event.operations = {rowsToDevice(64, rows, 128)};
    for (std::uint32_t frame = 0; frame < 50; ++frame) {
        ledger.take(event, 1, 1, frame);
        waste.take(event, 1, 1, frame);
    }
    const auto says = [](const std::vector<WasteCheck> &checks, const char *what, const QString &words) {
        const QString reason = QString::fromStdString(reasonOf(checks, what));
        return words.isEmpty() ? reason.isEmpty() : reason.contains(words);
    };
    for (const char *what : {"hazard-O1", "hazard-B5", "hazard-A11"})
        QVERIFY2(says(ledger.checks(), what, ofOrder), what);
    QVERIFY(reasonOf(ledger.checks(), "hazard-A6").empty());
    for (const char *what : {"pageable-async-copy", "managed-copy", "host-round-trip"})
        QVERIFY2(says(waste.checks(50), what, ofWaste), what);
    QVERIFY(reasonOf(waste.checks(50), "device-sync-per-frame").empty());
    ledger.take(madeCall(JSA_CALL_cuStreamWaitValue32_v2, 500, {kFree, 0x20000, 1, 0}), 1, 1, 50);
    ledger.take(copyOut(kFree), 1, 1, 50);
    QVERIFY(reasonOf(ledger.checks(), "hazard-B5").find("waited for values") != std::string::npos);
    QVERIFY(ofOrder.isEmpty() || says(ledger.checks(), "hazard-B5", ofOrder));
}

JETSCOPE_TEST(CopyRowsTest)
#include "tst_copyrows.moc"
