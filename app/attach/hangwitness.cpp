// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/hangwitness.h"

#include "app/commandline/console.h"
#include "app/commandline/recordingwatch.h"
#include "core/time/clock.h"

#include <cstdlib>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::uint64_t kUsualHangSeconds = 10;

} // namespace

Result<std::unique_ptr<HangWitness>> HangWitness::create(const Options &options, TraceFileHeader header)
{
    JETSCOPE_TRY(makeRoomForCapture(*options.attach.hangPath));
    const std::uint64_t seconds = options.attach.hangSeconds.value_or(kUsualHangSeconds);
    std::unique_ptr<HangWitness> witness(
        new HangWitness(options, std::move(header), static_cast<std::int64_t>(seconds) * 1'000'000'000));
    witness->m_report.afterSeconds = static_cast<double>(seconds);
    const std::string library = options.attach.hangLibrary.value_or(InstrumentedDriver::find());
    if (library.empty()) {
        witness->m_report.refusal = "the driver names no kernel: libcuda_instrumentation.so, which CUDA 12.9 and newer "
                                    "have on a Jetson, is not "
                                    "here (--hang-library names one elsewhere)";
        return witness;
    }
    JETSCOPE_TRY_ASSIGN(InstrumentedDriver driver, InstrumentedDriver::prepare(library));
    witness->m_report.library = driver.library();
    witness->m_driver.emplace(std::move(driver));
    return witness;
}

void HangWitness::prepare(ProgramStart &start) const
{
    if (!m_driver)
        return;
    for (std::string &variable : m_driver->variables(std::getenv("LD_LIBRARY_PATH")))
        start.environment.push_back(std::move(variable));
    start.readsOutput = true;
}

void HangWitness::begin(const ProgramRecording &program)
{
    if (program.output() >= 0)
        m_output = std::make_unique<OutputTee>(program.output(), STDOUT_FILENO);
}

void HangWitness::tell(const Hang &hang)
{
    complain(hangWords(hang));
    m_report.hangs.push_back(hang);
    if (!m_foundNs)
        m_foundNs = hang.call.knownNs;
}

void HangWitness::tellKernels()
{
    if (!m_output)
        return;
    const std::vector<TrackedKernel> kernels = m_output->kernels();
    for (std::size_t at = m_report.kernels.size(); at < kernels.size(); ++at)
        complain(kernelWords(kernels[at]));
    m_report.kernels = kernels;
}

void HangWitness::take(const TraceUpdate &update, const ProgramRecording &program)
{
    m_updates.add(update, nowNs());
    for (const Hang &hang : m_watch.look(program.reader()))
        tell(hang);
    tellKernels();
    if (m_foundNs && !m_isWritten && nowNs() - *m_foundNs >= kGraceNs)
        write();
}

void HangWitness::write()
{
    m_isWritten = true;
    const Hang &first = m_report.hangs.front();
    TraceUpdate last = m_updates.since(first.call.startNs - kBeforeNs);
    last.marks.push_back({TraceMark::Kind::Other, first.call.startNs, kNoFrame, hangWords(first), {}, {}});
    last.facts.emplace_back("hang", hangWords(first));
    for (std::size_t at = 0; at < m_report.kernels.size(); ++at) {
        last.marks.push_back(
            {TraceMark::Kind::Other, first.call.startNs, kNoFrame, kernelWords(m_report.kernels[at]), {}, {}});
        last.facts.emplace_back("hang_kernel_" + std::to_string(at + 1), kernelWords(m_report.kernels[at]));
    }
    Result<std::unique_ptr<TraceFileWriter>> writer = TraceFileWriter::create(m_path, m_header);
    Status written = writer.ok() ? Status() : writer.error();
    if (written.ok()) {
        writer.value()->take(last);
        written = writer.value()->stop();
    }
    if (written.ok())
        complain("the seconds before are in " + m_path);
    else
        complain(written.error().text);
    (written.ok() ? m_report.capture : m_report.failure) = written.ok() ? m_path : written.error().text;
}

HangReport HangWitness::finish()
{
    if (m_output)
        m_output->finish();
    tellKernels();
    if (m_foundNs && !m_isWritten)
        write();
    return std::move(m_report);
}

} // namespace jetscope
