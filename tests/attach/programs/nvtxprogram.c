// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtxprogram WAY FRAMES : names its frames by NVTX, in one of several ways, with other ranges in and around them.
#include "nvtxheader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void linked_frames(int frames);

static void by_push(int frames)
{
    for (int i = 0; i < frames; ++i) {
        nvtxRangePushA("frame");
        nvtxRangePushA("part");
        nvtxRangePushA("frame"); // The same frame.
        linked_frames(1);
        nvtxRangePop();
        nvtxRangePop();
        nvtxRangePop();
    }
}

static void by_number(int frames)
{
    char name[32];
    for (int i = 0; i < frames; ++i) {
        snprintf(name, sizeof name, "frame %d", i);
        nvtxRangePushA(name);
        nvtxRangePushA("frames");
        linked_frames(1);
        nvtxRangePop();
        nvtxRangePop();
    }
}

static void by_domain(int frames)
{
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("a domain");
    nvtxEventAttributes_t event;
    memset(&event, 0, sizeof event);
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, "frame");
    for (int i = 0; i < frames; ++i) {
        nvtxDomainRangePushEx(domain, &event);
        linked_frames(1);
        nvtxDomainRangePop(domain);
    }
}

static void by_start(int frames)
{
    nvtxRangeId_t before = 0;
    for (int i = 0; i < frames; ++i) { // Overlapping, as with frames in flight.
        const nvtxRangeId_t range = nvtxRangeStartA("frame");
        linked_frames(1);
        if (i > 0)
            nvtxRangeEnd(before);
        before = range;
    }
    nvtxRangeEnd(before);
}

static void by_mark(int frames)
{
    for (int i = 0; i < frames; ++i) {
        nvtxMarkA("frame");
        nvtxMarkA("something else");
        linked_frames(1);
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "push";
    const int frames = argc > 2 ? atoi(argv[2]) : 10;
    if (strcmp(way, "push") == 0)
        by_push(frames);
    else if (strcmp(way, "numbered") == 0)
        by_number(frames);
    else if (strcmp(way, "domain") == 0)
        by_domain(frames);
    else if (strcmp(way, "start") == 0)
        by_start(frames);
    else
        by_mark(frames);
    printf("frames %d\n", frames);
    return 7;
}
