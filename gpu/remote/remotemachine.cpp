// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotemachine.h"

#include "gpu/remote/boardlink.h"

#include <utility>

namespace jetscope {

namespace {

class RemoteMachine final : public MachineReader {
public:
    explicit RemoteMachine(std::shared_ptr<BoardLink> board) : m_board(std::move(board)) {}

    Result<BoardValues> read(const std::string &firstGpu) override
    {
        Ask ask;
        ask.question = Ask::Question::Machine;
        ask.firstGpu = firstGpu;
        ask.wantsFacts = !m_facts;
        JETSCOPE_TRY_ASSIGN(Answer answer, m_board->ask(std::move(ask)));
        if (answer.boardFacts) {
            m_facts = std::make_shared<const BoardFacts>(*std::move(answer.boardFacts));
            m_newestNs = answer.boardState ? answer.boardState->timeNs - 1 : 0;
        }
        if (!m_facts || !answer.boardState)
            return Error{"", 0, "The board does not tell its values"};
        const BoardState &state = *answer.boardState;
        if (state.values.size() != m_facts->layout.items.size() || state.timeNs <= m_newestNs) {
            m_facts.reset(); // Another server than before, or another start of the board.
            return Error{"", 0, "The values of the board are not of what it said to have"};
        }
        m_newestNs = state.timeNs;
        return BoardValues{m_facts, *std::move(answer.boardState)};
    }

private:
    const std::shared_ptr<BoardLink> m_board;
    std::shared_ptr<const BoardFacts> m_facts;
    std::int64_t m_newestNs = 0;
};

} // namespace

std::unique_ptr<MachineReader> remoteMachine(std::shared_ptr<BoardLink> board)
{
    return std::make_unique<RemoteMachine>(std::move(board));
}

} // namespace jetscope
