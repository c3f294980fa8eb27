// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/scheduleraccess.h"

#include "core/attach/kernel/tracedevents.h"
#include "core/attach/read/pidnamespace.h"
#include "core/system/module.h"
#include "core/text/shellword.h"
#include "core/text/shorttext.h"
#include "gpu/attach/sched/nvgpu.h"
#include "gpu/attach/sched/tracefs.h"

#include <array>
#include <filesystem>
#include <sys/vfs.h>
#include <unistd.h>

namespace jetscope {

namespace {

struct EventPath {
    const char *group;
    const char *event;
};

#define JETSCOPE_EVENT_PATH(group, event, use) EventPath{#group, #event},
constexpr std::array kEventPaths = {JSA_TRACED_EVENTS(JETSCOPE_EVENT_PATH)};
#undef JETSCOPE_EVENT_PATH

} // namespace

Result<std::string> findSchedulerProgram()
{
    const std::string path = findOwnLibrary("jetscope-sched");
    if (path.empty())
        return sentence("the program jetscope-sched is missing in " + quotedWords(programFolder())
                        + " and where it is installed: install Jetscope again");
    return path;
}

Result<std::string> schedulerUse()
{
    JETSCOPE_TRY_ASSIGN(const std::string program, findSchedulerProgram());
    return "sudo -v && " + shellWord(programFolder() + "/jetscope") + " attach --scheduler <(sudo " + shellWord(program)
        + ") -- PROGRAM";
}

Result<std::string> schedulerCommand(const std::string &pipe)
{
    JETSCOPE_TRY_ASSIGN(const std::string program, findSchedulerProgram());
    std::error_code unknown;
    const std::string path = shellWord(std::filesystem::absolute(pipe, unknown).string());
    return "test -e " + path + " || mkfifo -m 600 " + path + "; sudo " + shellWord(program) + " > " + path;
}

std::string schedulerRefusal()
{
    const Result<std::string> use = schedulerUse();
    if (!use.ok())
        return use.error().text;
    if (const std::uint32_t own = pidNamespace(); own != 0 && own != JSA_TRACED_NAMESPACE)
        return kCountsElsewhere;
    if (geteuid() != 0)
        return "only root may see it: " + use.value();
    return tracefsFolder().empty() ? JSA_TRACEFS_MISSING : "";
}

std::string contextsRefusal()
{
    bool found = false;
#define JETSCOPE_DEVICE_ROW(switches, gpu) found = found || access(switches, F_OK) == 0;
    JSA_NVGPU_DEVICES(JETSCOPE_DEVICE_ROW)
#undef JETSCOPE_DEVICE_ROW
    if (!found)
        return JSA_NVGPU_MISSING;
    return geteuid() == 0 ? "" : "only root may see them, in the same way as the scheduler";
}

std::string tracefsFolder()
{
    struct statfs system {};
    for (const char *folder : {JSA_TRACEFS_FOLDERS})
        if (statfs(folder, &system) == 0 && system.f_type == JSA_TRACEFS_MAGIC
            && access((std::string(folder) + "/instances").c_str(), F_OK) == 0)
            return folder;
    return {};
}

std::optional<std::vector<TracedGroup>> tracedGroups(const std::string &tracefs)
{
    const std::string events = tracefs + "/events/";
    if (tracefs.empty() || access(events.c_str(), R_OK | X_OK) != 0)
        return std::nullopt;
    std::vector<TracedGroup> groups;
    for (const EventPath &path : kEventPaths) {
        if (groups.empty() || groups.back().name != path.group)
            groups.push_back({path.group, 0, 0});
        ++groups.back().of;
        groups.back().has += access((events + path.group + "/" + path.event).c_str(), F_OK) == 0 ? 1 : 0;
    }
    return groups;
}

} // namespace jetscope
