// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/filters.h"
#include "gpu/cuda/kernels/chainplan.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

using Passes = std::vector<PassKind>;

/// Empty for a chain that cannot be planned.
Passes planned(std::span<const Filter> filters, bool isWords)
{
    const Result<Passes> passes = planChain(filters, isWords);
    return passes.ok() ? passes.value() : Passes{};
}

class TestChainPlan : public QObject {
    Q_OBJECT

private slots:
    void anEmptyChainConverts();
    void identitiesCostNothing();
    void gaussianAndSobelAreOnePass();
    void theWideGaussianReadsRgba();
    void longChainsKeepTheirOrder();
    void onlyTheWideGaussianLeavesTheHalfSizePictureOut();
    void passesAreNamedAfterTheirFilters();
    void everyFilterForCudaHasAPass();
    void rowsLieAtTheirNumbers();
    void addedFiltersAreReadAsWordsAndConvertedBefore();
    void whatHasNoPassIsAnError();
};

void TestChainPlan::anEmptyChainConverts()
{
    QCOMPARE(planned({}, false), Passes{PassKind::Convert});
    QCOMPARE(planned({}, true), Passes{PassKind::Convert});
}

void TestChainPlan::identitiesCostNothing()
{
    const Filter only[] = {Filter::Identity, Filter::Identity};
    QCOMPARE(planned(only, false), Passes{PassKind::Convert});
    const Filter between[] = {Filter::Identity, Filter::Gaussian5, Filter::Identity, Filter::Sobel};
    QCOMPARE(planned(between, false), Passes{PassKind::Gaussian5Sobel});
}

void TestChainPlan::gaussianAndSobelAreOnePass()
{
    const Filter chain[] = {Filter::Gaussian5, Filter::Gaussian5, Filter::Sobel, Filter::Sobel};
    const Passes wanted{PassKind::Gaussian5, PassKind::Gaussian5Sobel, PassKind::Sobel};
    QCOMPARE(planned(chain, false), wanted);
}

void TestChainPlan::theWideGaussianReadsRgba()
{
    const Filter chain[] = {Filter::Gaussian15};
    const Passes converted{PassKind::Convert, PassKind::Gaussian15};
    QCOMPARE(planned(chain, false), converted);
    QCOMPARE(planned(chain, true), Passes{PassKind::Gaussian15});
    const Filter later[] = {Filter::Invert, Filter::Gaussian15};
    const Passes direct{PassKind::Invert, PassKind::Gaussian15};
    QCOMPARE(planned(later, false), direct);
}

void TestChainPlan::longChainsKeepTheirOrder()
{
    std::vector<Filter> chain;
    Passes wanted;
    for (int i = 0; i < 32; ++i) {
        chain.push_back(Filter::Sharpen);
        chain.push_back(Filter::Threshold);
        wanted.push_back(PassKind::Sharpen);
        wanted.push_back(PassKind::Threshold);
    }
    QCOMPARE(planned(chain, false), wanted);
}

void TestChainPlan::onlyTheWideGaussianLeavesTheHalfSizePictureOut()
{
    for (const PassKind kind : {PassKind::Convert, PassKind::Invert, PassKind::Threshold, PassKind::Gaussian5,
                                PassKind::Sobel, PassKind::Sharpen, PassKind::Gaussian5Sobel})
        QVERIFY(passRow(kind).makesHalfGrey);
    QVERIFY(!passRow(PassKind::Gaussian15).makesHalfGrey);
}

void TestChainPlan::passesAreNamedAfterTheirFilters()
{
    QCOMPARE(nameOf(PassKind::Convert), std::string("convert"));
    QCOMPARE(nameOf(PassKind::Gaussian15), std::string("gaussian15"));
    QCOMPARE(nameOf(PassKind::Gaussian5Sobel), std::string("gaussian5+sobel"));
}

void TestChainPlan::everyFilterForCudaHasAPass()
{
    for (const Choice<Filter> &choice : choices<Filter>()) {
        const Filter chain[] = {choice.value};
        QCOMPARE(planChain(chain, true).ok(), filterRow(choice.value)->onCuda.available);
    }
}

void TestChainPlan::rowsLieAtTheirNumbers()
{
    for (std::size_t number = 0; number < passRows().size(); ++number)
        QCOMPARE(static_cast<std::size_t>(passRows()[number].kind), number);
}

void TestChainPlan::addedFiltersAreReadAsWordsAndConvertedBefore()
{
    const Result<Filter> added = addFilter({{}, "swap", "swap", "Swaps red and blue."});
    QVERIFY(added.ok());
    const Filter chain[] = {added.value(), Filter::Gaussian5, Filter::Sobel};
    QCOMPARE(planChain(chain, true).error().text, std::string("The filter 'swap' has no CUDA kernel."));

    const Result<PassKind> pass = addPass(added.value());
    QVERIFY(pass.ok());
    QCOMPARE(nameOf(pass.value()), std::string("swap"));
    const Passes converted{PassKind::Convert, pass.value(), PassKind::Gaussian5Sobel};
    QCOMPARE(planned(chain, false), converted);
    const Passes direct{pass.value(), PassKind::Gaussian5Sobel};
    QCOMPARE(planned(chain, true), direct);
    QVERIFY(!passRow(pass.value()).makesHalfGrey);
    QCOMPARE(addPass(added.value()).error().text, std::string("The filter 'swap' has its CUDA kernel already."));
}

void TestChainPlan::whatHasNoPassIsAnError()
{
    QCOMPARE(addPass(Filter::Sobel).error().text, std::string("The filter 'sobel' has its CUDA kernel already."));
    QCOMPARE(addPass(Filter::Identity).error().text, std::string("The filter 'identity' has its CUDA kernel already."));
    QCOMPARE(addPass(static_cast<Filter>(200)).error().text,
             std::string("There is no filter number 200; add its row before its CUDA kernel."));
    FilterRow row{{}, "cpu-only", "CPU only", "Needs what only a CPU has."};
    row.onCuda = Capability::no("It needs a CPU.");
    const Result<Filter> cpuOnly = addFilter(row);
    QVERIFY(cpuOnly.ok());
    QCOMPARE(addPass(cpuOnly.value()).error().text,
             std::string("The filter 'cpu-only' is not for CUDA: It needs a CPU."));
}

JETSCOPE_TEST(TestChainPlan)
#include "tst_chainplan.moc"
