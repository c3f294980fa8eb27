// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"

#include <functional>
#include <memory>
#include <utility>

namespace jetscope {

/// Points of a stage whose reads are told of before they are made, on the reading thread.
class ObservedPoints final : public StagePoints {
public:
    using BeforeRead = std::function<void(bool isSynchronized)>;

    /// Null for null.
    static std::shared_ptr<StagePoints> of(std::shared_ptr<StagePoints> points, BeforeRead beforeRead)
    {
        return points ? std::make_shared<ObservedPoints>(std::move(points), std::move(beforeRead)) : nullptr;
    }
    ObservedPoints(std::shared_ptr<StagePoints> points, BeforeRead beforeRead)
        : m_points(std::move(points)), m_beforeRead(std::move(beforeRead))
    {
    }
    bool isSynchronized(std::uint64_t frame) override { return m_points->isSynchronized(frame); }
    Result<std::vector<StagePoint>> read(std::uint64_t frame) override
    {
        m_beforeRead(m_points->isSynchronized(frame));
        return m_points->read(frame);
    }

private:
    const std::shared_ptr<StagePoints> m_points;
    const BeforeRead m_beforeRead;
};

} // namespace jetscope
