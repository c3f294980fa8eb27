// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/programmodel.h"

#include <cstdint>
#include <memory>
#include <utility>

/// A judge of calls with a model of its own, which gets each call first, as AttachRecorder does it. `takesAll`: also
/// calls that give back what another thread got again.
template <class Judge, bool takesAll = false>
class Judged : public Judge {
public:
    Judged() : Judged(std::make_shared<jetscope::ProgramModel>()) {}

    template <class... More>
    void take(const jetscope::AttachEvent &event, std::int32_t pid, std::int32_t tid, More &&...more)
    {
        if (m_model->take(event, pid, tid) || takesAll)
            Judge::take(event, pid, tid, std::forward<More>(more)...);
    }
    void interrupt()
    {
        m_model->interrupt();
        Judge::interrupt();
    }
    const jetscope::ProgramModel &model() const { return *m_model; }

private:
    explicit Judged(std::shared_ptr<jetscope::ProgramModel> model) : Judge(*model), m_model(std::move(model)) {}

    std::shared_ptr<jetscope::ProgramModel> m_model;
};
