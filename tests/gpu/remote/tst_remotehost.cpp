// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotepipeline.h"
#include "tests/support/longrun.h"
#include "tests/support/scriptedboard.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>

using namespace jetscope;
using jetscope::testing::socketEnds;
using Board = jetscope::testing::ScriptedBoard;

namespace {

/// What a laptop saw of a pipeline so far.
struct Seen {
    std::vector<std::uint32_t> spans;
    std::vector<std::uint32_t> figures;
    std::vector<std::string> notices;
    TraceUpdate head;

    void take(PipelineUpdate update)
    {
        for (const Span &span : update.spans)
            spans.push_back(span.frame);
        for (const FrameFigures &frame : update.figures)
            figures.push_back(frame.frame);
        for (const PipelineNotice &notice : update.notices)
            notices.push_back(notice.text);
        head.names.insert(head.names.end(), update.names.begin(), update.names.end());
        head.lanes.insert(head.lanes.end(), update.lanes.begin(), update.lanes.end());
        head.counters.insert(head.counters.end(), update.counters.begin(), update.counters.end());
    }
    /// Whether it is 0, 1, 2… to the end.
    static bool isWhole(const std::vector<std::uint32_t> &frames, std::uint32_t count)
    {
        for (std::uint32_t i = 0; i < frames.size(); ++i)
            if (frames[i] != i)
                return false;
        return frames.size() == count;
    }
    bool hasHeadOnce() const { return head.names.size() == 2 && head.lanes.size() == 1 && head.counters.size() == 1; }
};

std::shared_ptr<RemoteHost> connected(Board &board)
{
    auto host = RemoteHost::connect(board.dialer());
    return host.ok() ? host.value() : nullptr;
}

std::unique_ptr<PipelineControl> opened(RemoteHost &host, const std::string &source = "synthetic:")
{
    SessionRequest request;
    request.source = source;
    auto control = host.open(request);
    return control.ok() ? std::move(control).value() : nullptr;
}

} // namespace

class TestRemoteHost : public QObject {
    Q_OBJECT

    bool seesAll(PipelineControl &control, Seen &seen, std::uint32_t count)
    {
        return QTest::qWaitFor(
            [&] {
                seen.take(control.drainUpdates());
                return seen.spans.size() >= count && seen.figures.size() >= count;
            },
            20'000);
    }

private slots:
    void asksTheBoard()
    {
        Board board;
        const auto host = connected(board);
        QVERIFY(host);
        QCOMPARE(host->devices().size(), std::size_t{1});
        QCOMPARE(host->devices()[0].id, std::string("soft:orin"));
        QCOMPARE(host->cameras().size(), std::size_t{2});
        QCOMPARE(host->platform().allocatableReason, std::string("made up"));
        const auto failed = host->open({"none:", {}, {}, {}});
        QVERIFY(!failed.ok());
        QCOMPARE(failed.error().text, std::string("there is no such source"));
        QVERIFY(host->state().isConnected && host->state().givesOrders);
        QCOMPARE(host->state().board.pid, static_cast<std::uint32_t>(getpid()));
        QVERIFY(!host->takeRunning());
    }

    void readsTheMachine()
    {
        Board board;
        const auto host = connected(board);
        QVERIFY(host);
        testing::MachineScript &script = *board.host->machineScript;
        const auto has = [&script](std::vector<double> values) {
            const std::lock_guard lock(script.mutex);
            BoardFacts facts;
            facts.identity.model = std::string("a board");
            script.state.values.assign(values.begin(), values.end());
            for (std::size_t i = 0; i < values.size(); ++i)
                facts.layout.items.push_back({BoardPart::Cpu, BoardQuantity::Load, "load " + std::to_string(i), "%"});
            script.facts = std::make_shared<const BoardFacts>(std::move(facts));
        };
        has({0.5, 0.25});
        script.state.values.emplace_back(Error{"", 0, "the sensor is off"});
        script.facts = [&] {
            BoardFacts facts = *script.facts;
            facts.layout.items.push_back({BoardPart::Power, BoardQuantity::Power, "power VDD_IN", "W"});
            return std::make_shared<const BoardFacts>(std::move(facts));
        }();
        const std::unique_ptr<MachineReader> machine = host->machine();
        const Result<BoardValues> first = machine->read("0000:01:00.0");
        QVERIFY2(first.ok(), first.ok() ? "" : first.error().message().c_str());
        QCOMPARE(first.value().facts->identity.model.value.value_or(""), std::string("a board"));
        QCOMPARE(first.value().facts->layout.items.at(1).name, std::string("load 1"));
        QCOMPARE(first.value().state.values.at(1).value.value_or(0), 0.25);
        QCOMPARE(first.value().state.values.at(2).reason, std::string("the sensor is off"));
        QCOMPARE(script.firstGpu, std::string("0000:01:00.0"));
        const Result<BoardValues> second = machine->read("");
        QVERIFY(second.ok());
        QVERIFY(second.value().facts == first.value().facts);
        QVERIFY(second.value().state.timeNs > first.value().state.timeNs);
        // Another server has other values: they are not taken for those of before.
        has({1});
        QVERIFY(!machine->read("").ok());
        const Result<BoardValues> other = machine->read("");
        QVERIFY(other.ok());
        QCOMPARE(other.value().facts->layout.items.size(), std::size_t{1});
        has({std::numeric_limits<double>::quiet_NaN()}); // Is no value, and ends the connection.
        QVERIFY(!machine->read("").ok());
        QTRY_VERIFY_WITH_TIMEOUT(host->state().cuts == 1 && host->state().isConnected, 20'000);
        board.cut();
        QVERIFY(!machine->read("").ok()); // At once, and again later.
        board.back();
        has({3});
        QTRY_VERIFY_WITH_TIMEOUT(machine->read("").ok(), 20'000);
    }

    void aMachineThatCannotBeReadIsSaid()
    {
        Board board;
        board.host->hasMachine = false;
        const auto host = connected(board);
        const Result<BoardValues> values = host->machine()->read("");
        QVERIFY(!values.ok());
        QCOMPARE(values.error().text, std::string("The values of this board cannot be read"));
    }

    void seesWhatHappensAndGivesOrders()
    {
        Board board;
        const auto host = connected(board);
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        QVERIFY(control->status().state == PipelineState::Running);
        Seen seen;
        for (std::uint32_t count = 100; count <= 1000; count += 100) {
            board.host->script->tell(100);
            board.host->script->notice(std::to_string(count));
            QVERIFY(seesAll(*control, seen, count));
        }
        QVERIFY(Seen::isWhole(seen.spans, 1000) && Seen::isWhole(seen.figures, 1000));
        QVERIFY(seen.hasHeadOnce());
        QCOMPARE(seen.notices.size(), std::size_t{10});
        QTRY_COMPARE(control->status().frames, std::uint64_t{1000});
        control->setPaused(true);
        QTRY_COMPARE(board.host->script->told().size(), std::size_t{1});
        QVERIFY(board.host->script->told()[0].kind == PipelineCommand::Kind::SetPaused);
        {
            const std::lock_guard lock(board.host->script->mutex);
            board.host->script->status.state = PipelineState::Ended;
        }
        control->waitForEnd();
        QVERIFY(control->status().state == PipelineState::Ended);
        control.reset();
        QCOMPARE(board.host->script->ended.load(), 1);
    }

    void aCutEndsNothingAndNothingIsMissing()
    {
        Board board;
        const auto host = connected(board);
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        Seen seen;
        std::uint32_t count = 0;
        for (int cut = 0; cut < 5; ++cut) {
            board.host->script->tell(50);
            count += 50;
            QVERIFY(seesAll(*control, seen, count));
            board.cut();
            QTRY_VERIFY(!host->state().isConnected);
            QVERIFY(host->state().trouble.size() > 10);
            for (int i = 0; i < 20; ++i) {
                board.host->script->tell(50);
                board.host->script->notice("away");
                count += 50;
                QTest::qWait(5);
            }
            control->setPaused(cut % 2 == 0); // Kept until it is back.
            board.back();
            QTRY_VERIFY_WITH_TIMEOUT(host->state().isConnected, 20'000);
            board.host->script->tell(50);
            count += 50;
            QVERIFY(seesAll(*control, seen, count));
            QVERIFY(Seen::isWhole(seen.spans, count));
            QVERIFY(Seen::isWhole(seen.figures, count));
            QTRY_COMPARE(board.host->script->told().size(), static_cast<std::size_t>(cut + 1));
            QCOMPARE(host->state().cuts, static_cast<std::uint32_t>(cut + 1));
            QVERIFY(host->state().away.count() >= 100);
        }
        QTRY_COMPARE((seen.take(control->drainUpdates()), seen.notices.size()), std::size_t{100});
        QVERIFY(seen.hasHeadOnce());
        QVERIFY(board.host->script->runs);
    }

    void aBoardThatIsAwayIsDialledWithPauses()
    {
        JETSCOPE_SKIP_UNLESS_LONG();
        Board board;
        std::atomic<int> dials{0};
        const auto host = RemoteHost::connect([&, dial = board.dialer()] {
            ++dials;
            return dial();
        });
        QVERIFY(host.ok());
        board.cut();
        QTest::qWait(10'000);
        // At once, and after 0.25, 0.5, 1, 2 and 4 seconds more.
        QVERIFY2(dials >= 4 && dials <= 10, qPrintable(QString::number(dials)));
        board.back();
        QTRY_VERIFY_WITH_TIMEOUT(host.value()->state().isConnected, 20'000);
    }

    void anotherLaptopWatchesAndTakesOver()
    {
        Board board;
        const auto first = connected(board);
        QVERIFY(first);
        auto control = opened(*first);
        QVERIFY(control);
        Seen seen;
        board.host->script->tell(10);
        QVERIFY(seesAll(*control, seen, 10));
        const auto second = connected(board);
        QVERIFY(second && !second->state().givesOrders);
        auto watching = second->takeRunning();
        QVERIFY(watching);
        QVERIFY(!opened(*second)); // Only who gives orders opens.
        board.host->script->tell(10);
        QTRY_COMPARE(watching->status().frames, std::uint64_t{20});
        Seen later;
        QVERIFY(seesAll(*watching, later, 10));
        QCOMPARE(later.spans.size(), std::size_t{10});
        QVERIFY(later.hasHeadOnce()); // What was told before it came.
        watching->setPaused(true);
        QVERIFY(second->takeOver().ok());
        QTRY_VERIFY(second->state().givesOrders && !first->state().givesOrders);
        watching->step();
        QTRY_VERIFY(!board.host->script->told().empty());
        QCOMPARE(board.host->script->told().size(), std::size_t{1});
        QVERIFY(board.host->script->told()[0].kind == PipelineCommand::Kind::Step);
        control.reset(); // Who only watches ends nothing.
        QVERIFY(board.host->script->runs);
        watching.reset();
        QVERIFY(!board.host->script->runs);
    }

    void aLaptopThatIsGoneLeavesThePipeline()
    {
        Board board;
        {
            const auto host = connected(board);
            QVERIFY(host);
            auto control = opened(*host);
            QVERIFY(control);
            board.cut();
            QTRY_VERIFY(!host->state().isConnected);
        }
        QTRY_VERIFY(board.server->aloneFor().has_value());
        QVERIFY(board.host->script->runs);
        board.host->script->tell(5);
        board.back();
        const auto host = connected(board);
        QVERIFY(host && host->state().givesOrders);
        QVERIFY(!board.server->aloneFor());
        QCOMPARE(host->runningRequest().source, std::string("synthetic:"));
        auto control = host->takeRunning();
        QVERIFY(control);
        QTRY_COMPARE(control->status().frames, std::uint64_t{5});
    }

    void aServerThatWasStartedAnewIsSaid()
    {
        Board board;
        const auto host = connected(board);
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        board.cut();
        board.restart();
        board.back();
        QTRY_VERIFY_WITH_TIMEOUT(control->status().state == PipelineState::Failed, 20'000);
        const PipelineUpdate update = control->drainUpdates();
        QVERIFY(!update.notices.empty() && update.notices.back().kind == PipelineNotice::Kind::Failed);
        QVERIFY(update.notices.back().text.find("anew") != std::string::npos);
        QTRY_VERIFY(opened(*host));
    }

    /// A far end that says hello and then what cannot be.
    void aHostileBoardIsLeft()
    {
        UpdatePart part{1, 1, {}};
        part.update.spans = {{1, 2, 3, 4, 0, 0, 0}}; // Of a name that nobody said.
        const std::vector<Message> bad{messageOf(MessageKind::SpanUpdate, part),
                                       {MessageKind::State, {std::byte{1}}},
                                       {MessageKind::Answer, {}},
                                       messageOf(Order{}),
                                       messageOf(RunCommand{1, {"run"}, "", {}})};
        for (const Message &message : bad) {
            std::unique_ptr<Link> far;
            std::atomic<int> dials{0};
            std::atomic<bool> isLeft{false};
            const auto host = RemoteHost::connect([&]() -> Result<LinkEnds> {
                if (++dials > 1)
                    return Error{"", 0, "it is not dialled again here"};
                auto ends = socketEnds().value();
                far = std::make_unique<Link>(std::move(ends.second));
                far->start(
                    [&](const Message &came) {
                        if (came.kind == MessageKind::Join)
                            far->send(messageOf(Joined{"session", true, 0, {}}));
                        if (const auto ask = contentOf<Ask>(came); came.kind == MessageKind::Ask && ask) {
                            Answer answer;
                            answer.id = ask->id;
                            far->send(messageOf(answer));
                            far->send(message);
                        }
                    },
                    [&](const std::optional<Error> &) { isLeft = true; });
                return std::move(ends.first);
            });
            QVERIFY(host.ok());
            QTRY_VERIFY(isLeft);
            QTRY_VERIFY(!host.value()->state().isConnected);
            far.reset();
        }
    }

    /// A laptop that sends what cannot be is left; others are served.
    void aHostileLaptopIsLeft()
    {
        Board board;
        const auto good = connected(board);
        QVERIFY(good);
        const std::vector<Message> bad{
            messageOf(Order{}), messageOf(Ask{}), {MessageKind::Join, {std::byte{1}}}, messageOf(Joined{})};
        for (const Message &message : bad) {
            auto ends = socketEnds().value();
            board.server->add(std::move(ends.second));
            std::atomic<bool> isLeft{false};
            Link link(std::move(ends.first));
            link.start([](const Message &) {}, [&](const std::optional<Error> &) { isLeft = true; });
            link.send(message);
            QTRY_VERIFY(isLeft);
        }
        QVERIFY(opened(*good));
    }
};

JETSCOPE_TEST(TestRemoteHost)
#include "tst_remotehost.moc"
