// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// Why a range or a mark of another program's trace is taken for a frame; the first of these that a trace has is taken.
enum class FrameSign : std::uint8_t {
    Asked,        ///< It has the name that was asked for.
    Ours,         ///< "frame 12" in NVTX domain "jetscope".
    ProfilerStep, ///< "ProfilerStep#12", PyTorch's.
    SaysFrame,    ///< "frame", "Frame #12", "process frame 3".
    Outermost,    ///< Nothing says so: it is the outermost range that repeats most.
};

/// The text without the number at its end, and what separates the two.
std::string_view withoutNumber(std::string_view text);

/// Tells frames by their names: by the conventions of the common producers, or by one name alone that was asked for.
class FrameNames {
public:
    /// Empty: by convention. "step" stands for "step", "step 12" and "step#12".
    explicit FrameNames(std::string asked = {});

    /// None where the text names no frame.
    std::optional<FrameSign> signOf(std::string_view text) const;
    const std::string &asked() const { return m_asked; }

private:
    std::string m_asked;
};

} // namespace jetscope
