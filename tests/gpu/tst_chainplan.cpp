// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/chainplan.h"

#include <QTest>

using namespace jetscope;

using Passes = std::vector<PassKind>;

class TestChainPlan : public QObject {
    Q_OBJECT

private slots:
    void anEmptyChainConverts();
    void identitiesCostNothing();
    void gaussianAndSobelAreOnePass();
    void theWideGaussianReadsRgba();
    void longChainsKeepTheirOrder();
    void onlyTheWideGaussianLeavesTheHalfSizePictureOut();
};

void TestChainPlan::anEmptyChainConverts()
{
    QCOMPARE(planChain({}, false), Passes{PassKind::Convert});
    QCOMPARE(planChain({}, true), Passes{PassKind::Convert});
}

void TestChainPlan::identitiesCostNothing()
{
    const Filter only[] = {Filter::Identity, Filter::Identity};
    QCOMPARE(planChain(only, false), Passes{PassKind::Convert});
    const Filter between[] = {Filter::Identity, Filter::Gaussian5, Filter::Identity, Filter::Sobel};
    QCOMPARE(planChain(between, false), Passes{PassKind::Gaussian5Sobel});
}

void TestChainPlan::gaussianAndSobelAreOnePass()
{
    const Filter chain[] = {Filter::Gaussian5, Filter::Gaussian5, Filter::Sobel, Filter::Sobel};
    const Passes wanted{PassKind::Gaussian5, PassKind::Gaussian5Sobel, PassKind::Sobel};
    QCOMPARE(planChain(chain, false), wanted);
}

void TestChainPlan::theWideGaussianReadsRgba()
{
    const Filter chain[] = {Filter::Gaussian15};
    const Passes converted{PassKind::Convert, PassKind::Gaussian15};
    QCOMPARE(planChain(chain, false), converted);
    QCOMPARE(planChain(chain, true), Passes{PassKind::Gaussian15});
    const Filter later[] = {Filter::Invert, Filter::Gaussian15};
    const Passes direct{PassKind::Invert, PassKind::Gaussian15};
    QCOMPARE(planChain(later, false), direct);
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
    QCOMPARE(planChain(chain, false), wanted);
}

void TestChainPlan::onlyTheWideGaussianLeavesTheHalfSizePictureOut()
{
    for (const PassKind kind : {PassKind::Convert, PassKind::Invert, PassKind::Threshold, PassKind::Gaussian5,
                                PassKind::Sobel, PassKind::Sharpen, PassKind::Gaussian5Sobel})
        QVERIFY(makesHalfGrey(kind));
    QVERIFY(!makesHalfGrey(PassKind::Gaussian15));
}

QTEST_GUILESS_MAIN(TestChainPlan)
#include "tst_chainplan.moc"
