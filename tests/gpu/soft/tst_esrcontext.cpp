// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The records of a signal frame on aarch64, as Linux lays them out, and broken ones.
#include "gpu/soft/esrcontext.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cstring>
#include <random>
#include <vector>

using namespace jetscope;

namespace {

constexpr std::uint32_t kFpsimd = 0x46508001;
constexpr std::uint32_t kEsr = 0x45535201;
constexpr std::uint64_t kDataAbort = std::uint64_t(0x24) << 26;
constexpr std::uint64_t kInstructionAbort = std::uint64_t(0x20) << 26;

class Records {
public:
    Records &add(std::uint32_t magic, std::uint32_t size, std::uint64_t value = 0)
    {
        append(magic);
        append(size);
        append(value);
        if (size > 16)
            m_bytes.resize(m_bytes.size() + size - 16);
        return *this;
    }
    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    template <typename T>
    void append(T value)
    {
        const auto raw = std::as_bytes(std::span(&value, 1));
        m_bytes.insert(m_bytes.end(), raw.begin(), raw.end());
    }
    std::vector<std::byte> m_bytes;
};

} // namespace

class TestEsrContext : public QObject {
    Q_OBJECT

private slots:
    void tellsReadsFromWrites()
    {
        const auto accessOf = [](std::uint64_t esr) {
            return accessFromSignalRecords(Records().add(kFpsimd, 528).add(kEsr, 16, esr).add(0, 0).bytes());
        };
        QCOMPARE(accessOf(kDataAbort), FaultAccess::Read);
        QCOMPARE(accessOf(kDataAbort | 1U << 6), FaultAccess::Write);
        QCOMPARE(accessOf(kDataAbort | 1U << 6 | 1U << 8), FaultAccess::Read); // cache maintenance
        QCOMPARE(accessOf(kInstructionAbort | 1U << 6), FaultAccess::Unknown);
    }
    void framesWithoutTheRecord()
    {
        QCOMPARE(accessFromSignalRecords({}), FaultAccess::Unknown);
        QCOMPARE(accessFromSignalRecords(Records().add(kFpsimd, 528).add(0, 0).bytes()), FaultAccess::Unknown);
        // The record behind the end is no record.
        QCOMPARE(accessFromSignalRecords(Records().add(0, 0).add(kEsr, 16, kDataAbort).bytes()), FaultAccess::Unknown);
    }
    void brokenSizes()
    {
        for (const std::uint32_t size : {1U, 7U, 8U, 12U, 4096U, 0xffffffffU}) {
            Records records;
            records.add(kEsr, 16, kDataAbort);
            std::vector<std::byte> bytes(records.bytes().begin(), records.bytes().end());
            std::memcpy(bytes.data() + 4, &size, sizeof size);
            QCOMPARE(accessFromSignalRecords(bytes), FaultAccess::Unknown);
        }
    }
    void everyLengthAndRandomBytes()
    {
        const Records whole = Records().add(kFpsimd, 64).add(kEsr, 16, kDataAbort | 1U << 6).add(0, 0);
        for (std::size_t length = 0; length < whole.bytes().size(); ++length) {
            // On the heap, so that the address sanitizer sees a read behind the end.
            const std::vector<std::byte> cut(whole.bytes().begin(), whole.bytes().begin() + std::ptrdiff_t(length));
            QCOMPARE(accessFromSignalRecords(cut), length < 80 ? FaultAccess::Unknown : FaultAccess::Write);
        }
        std::mt19937 random(1);
        for (int round = 0; round < 10'000; ++round) {
            std::vector<std::byte> bytes(random() % 96);
            for (std::byte &byte : bytes)
                byte = std::byte(random() % 4 == 0 ? random() : 0);
            QVERIFY(accessFromSignalRecords(bytes) == FaultAccess::Unknown);
        }
    }
};

JETSCOPE_TEST(TestEsrContext)
#include "tst_esrcontext.moc"
