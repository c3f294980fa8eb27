// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/figureswork.h"

#include <utility>

namespace jetscope {

namespace {

constexpr double kLeastStep = 0.02; ///< Smaller steps are not visible.

} // namespace

/// Called on the thread of the work.
class FiguresWork::Listener : public Progress {
public:
    Listener(FiguresWork &work, std::shared_ptr<std::atomic<bool>> cancelled, Worker::Reply reply)
        : m_work(work), m_cancelled(std::move(cancelled)), m_reply(std::move(reply))
    {
    }

    bool advance(double fraction) override
    {
        if (fraction >= m_told + kLeastStep) {
            m_told = fraction;
            m_reply.post([&work = m_work, cancelled = m_cancelled, fraction] {
                if (!*cancelled)
                    emit work.progressed(fraction);
            });
        }
        return !*m_cancelled;
    }

private:
    FiguresWork &m_work; ///< May be gone: only for replies.
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    Worker::Reply m_reply;
    double m_told = 0;
};

void FiguresWork::cancel()
{
    *m_cancelled = true;
    m_worker.clear();
    m_running = false;
}

void FiguresWork::start(std::shared_ptr<const Trace> trace, Work work)
{
    cancel();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_running = true;
    m_worker.start(
        [this, cancelled = m_cancelled, trace = std::move(trace), work = std::move(work)](const Worker::Reply &reply) {
            if (*cancelled)
                return;
            Listener listener(*this, cancelled, reply);
            auto finish = work(trace, listener);
            reply.post([this, cancelled, finish] {
                if (*cancelled)
                    return;
                m_running = false;
                if (finish)
                    finish();
                emit ended();
            });
        });
}

void FiguresWork::ask(DistantSpans &spans, FigureSeat seat, const FigureWish &wish,
                      std::function<void(const FigureAnswer &)> take)
{
    cancel();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_running = true;
    spans.ask(seat, wish,
              [this, &spans, seat, cancelled = m_cancelled, take = std::move(take)](double fraction,
                                                                                    const FigureAnswer *answer) {
                  if (*cancelled && !answer) // Nobody waits for it: the board need not go on.
                      spans.ask(seat, {}, nullptr);
                  if (*cancelled)
                      return;
                  if (!answer) {
                      emit progressed(fraction);
                      return;
                  }
                  m_running = false;
                  take(*answer);
                  emit ended();
              });
}

} // namespace jetscope
