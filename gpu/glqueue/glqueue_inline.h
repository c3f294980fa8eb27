// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/glqueue/glqueue.h"
#include "gpu/glqueue/gltimer.h"

#include <map>

namespace jetscope {

/// The GL queue for hardware: commands run at once on the pipeline thread and the GPU executes them later.
class InlineGlQueue final : public GlQueue {
public:
    static Result<std::unique_ptr<GlQueue>> create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                   Tracer &tracer);

    Status run(Command command) override;
    bool isThreaded() const override { return false; }
    void timeBy(GpuTime source) override { m_timer.use(source); }
    void completed(std::uint32_t frame, std::int64_t ns) override { m_timer.completed(frame, ns); }
    void collect() override { m_timer.collect(); }
    void *nativeContext() const override { return m_context->native(); }

protected:
    void append(const Turn &turn, Command command) override;
    void appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command) override;
    GlFence appendFence() override;
    void appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame) override;
    Status finishAll() override;

private:
    InlineGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer);
    NameId submitName(NameId name);

    std::unique_ptr<EglContext> m_context;
    GlTimer m_timer;                        ///< Destroyed before the context.
    std::map<NameId, NameId> m_submitNames; ///< Maps a command's name to the name of its CPU submission span.
};

} // namespace jetscope
