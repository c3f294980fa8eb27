// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/system/newfile.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// Several traces on one time line for Perfetto: a tar of Chrome traces, with a manifest that names the machine of each
/// and how much later than the first it began. Perfetto 58 and newer read it. Traces are placed by the time of day of
/// their machines, and those that met the clock of the same other machine (ClockMeeting) by that, unless the two ways
/// differ by more than a few seconds: then that machine was started anew between them, and its clock with it. An empty
/// trace that begins with the earliest is the time line. One trace after another is in memory. Not thread-safe.
class PerfettoArchive {
public:
    /// The file must not exist. Without `finish` it is removed.
    static Result<PerfettoArchive> create(const std::string &path);

    /// `file` is the name in the archive, without an ending. Files of the same machine, whose name is not empty, are
    /// shown as one. A trace that
    /// does not know the time of day is an error: it has no place among others.
    Status add(const Trace &trace, std::string_view file, const std::string &machine, Progress &progress);
    Status finish();

private:
    explicit PerfettoArchive(OutputFile file) : m_file(std::move(file)) {}
    void beginMember(const std::string &name, std::uint64_t bytes);
    void endMember(std::uint64_t bytes);
    void addText(const std::string &name, std::string_view text);
    void placeByMeetings();
    std::string manifest() const;

    struct Member {
        std::string name;
        std::string machine;
        std::int64_t unixNs = 0; ///< Of its time 0.
        /// The times of other machines' clocks at its time 0, each with its bound.
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> met;
    };
    OutputFile m_file;
    std::vector<Member> m_members;
};

} // namespace jetscope
