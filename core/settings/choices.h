// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// How a host frame reaches the GPU and how the result buffer reaches the CPU.
enum class MemoryKind : std::uint8_t {
    Pageable,
    Pinned,
    ZeroCopy,
    Unified,
    UnifiedAttach,
    Registered,
    GlTexture,
    NvBuf,
    System,
    UnifiedPrefetch,
    RegisteredIo,
    Pool,
    Dmabuf
};

/// How the processed frame reaches OpenGL ES.
enum class OutputKind : std::uint8_t { EglImage, GlInterop, EglStream, CopyBack };

/// How the hand-overs GL->CUDA, CUDA->GL and CUDA->CPU are synchronized.
enum class SyncMode : std::uint8_t {
    Finish,
    Stream,
    Event,
    Poll,
    Callback,
    EglSync,
    Implicit,
    None,
    Flag,
    Graph,
    External
};

/// What a CPU thread does while it waits for the device (cudaDeviceSchedule* flags).
enum class WaitPolicy : std::uint8_t { Auto, Spin, Yield, Block };

/// Which frame the CPU stage works on, relative to the GPU.
enum class CpuStagePlacement : std::uint8_t { Off, Serial, Pipelined, SameInput };

/// How urgent the device work of the pipeline is beside that of others (cudaStreamCreateWithPriority).
enum class StreamPriority : std::uint8_t { Normal, High, Low };

/// The part of the GPU's multiprocessors that the pipeline may use (green contexts).
enum class GpuShare : std::uint8_t { All, ThreeQuarters, Half, Quarter, Eighth };
/// 0..1
double partOf(GpuShare share);

/// A load that runs beside the pipeline, to see what it costs.
enum class Beside : std::uint8_t { Nothing, Cpu, Copies, Context };

/// Source of the times of device work.
enum class GpuTime : std::uint8_t { Auto, Cupti, Stamped, Bounds, Events };

enum class CpuWork : std::uint8_t { Canny, Contours, Histogram };

/// A filter by its place in the table of core/settings/filters.h. Those that every build has are named here; filters
/// that are added at the start of the program have the numbers behind.
enum class Filter : std::uint16_t { Identity, Gaussian5, Gaussian15, Sobel, Threshold, Sharpen, Invert };

/// One row of a choice's table: the value, its name on the command line and in files, its label in the window, and one
/// sentence with its cost and its use.
template <class T>
struct Choice {
    T value;
    std::string_view name;
    std::string_view label;
    std::string_view help;
};

/// The complete table of a choice in the order in which it is shown. Static storage; that of filters may grow at the
/// start of the program.
template <class T>
std::span<const Choice<T>> choices();

/// The row of a value; one of question marks for a number that is no value.
template <class T>
const Choice<T> &choiceOf(T value)
{
    for (const Choice<T> &choice : choices<T>())
        if (choice.value == value)
            return choice;
    static constexpr Choice<T> kUnknown{{}, "?", "?", "?"};
    return kUnknown;
}

template <class T>
std::string_view nameOf(T value)
{
    return choiceOf(value).name;
}

template <class T>
std::optional<T> choiceByName(std::string_view name)
{
    const auto all = choices<T>();
    for (auto choice = all.rbegin(); choice != all.rend(); ++choice) // Of filters with one name, the newest counts.
        if (choice->name == name)
            return choice->value;
    return std::nullopt;
}

template <>
std::span<const Choice<MemoryKind>> choices<MemoryKind>();
template <>
std::span<const Choice<OutputKind>> choices<OutputKind>();
template <>
std::span<const Choice<SyncMode>> choices<SyncMode>();
template <>
std::span<const Choice<WaitPolicy>> choices<WaitPolicy>();
template <>
std::span<const Choice<CpuStagePlacement>> choices<CpuStagePlacement>();
template <>
std::span<const Choice<GpuTime>> choices<GpuTime>();
template <>
std::span<const Choice<StreamPriority>> choices<StreamPriority>();
template <>
std::span<const Choice<GpuShare>> choices<GpuShare>();
template <>
std::span<const Choice<Beside>> choices<Beside>();
template <>
std::span<const Choice<CpuWork>> choices<CpuWork>();
template <>
std::span<const Choice<Filter>> choices<Filter>();

} // namespace jetscope
