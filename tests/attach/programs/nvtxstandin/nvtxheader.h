// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of NVTX version 3 that nvtxprogram.c uses, for machines without CUDA's headers: loads the library that
// NVTX_INJECTION64_PATH names and lets it put its functions into the tables, as NVTX does.

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_MESSAGE_TYPE_REGISTERED 3

typedef uint64_t nvtxRangeId_t;
typedef void *nvtxDomainHandle_t;
typedef void *nvtxStringHandle_t;

typedef struct {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    uint64_t payload;
    int32_t messageType;
    union {
        const char *ascii;
        nvtxStringHandle_t registered;
    } message;
} nvtxEventAttributes_t;

typedef void (*standin_function)(void);
enum { kStandinSlots = 16 };
static standin_function s_core[kStandinSlots];
static standin_function s_core2[kStandinSlots];

static int standin_table_of(int module, standin_function ***table, unsigned *size)
{
    static standin_function *core[kStandinSlots];
    static standin_function *core2[kStandinSlots];
    for (int i = 0; i < kStandinSlots; ++i) {
        core[i] = &s_core[i];
        core2[i] = &s_core2[i];
    }
    *table = module == 1 ? core : core2;
    *size = kStandinSlots;
    return module == 1 || module == 5;
}

static const void *standin_export(uint32_t id)
{
    static const struct {
        size_t size;
        int (*table_of)(int module, standin_function ***table, unsigned *size);
    } callbacks = {sizeof callbacks, standin_table_of};
    return id == 1 ? &callbacks : NULL;
}

static inline standin_function standin(standin_function *table, int slot)
{
    static int looked;
    if (!looked) {
        looked = 1;
        const char *file = getenv("NVTX_INJECTION64_PATH");
        void *library = file ? dlopen(file, RTLD_LAZY) : NULL;
        int (*initialize)(const void *(*)(uint32_t)) =
            library ? (int (*)(const void *(*)(uint32_t)))dlsym(library, "InitializeInjectionNvtx2") : NULL;
        if (initialize)
            initialize(standin_export);
    }
    return table[slot];
}

static inline void nvtxMarkA(const char *text)
{
    void (*call)(const char *) = (void (*)(const char *))standin(s_core, 2);
    if (call)
        call(text);
}

static inline nvtxRangeId_t nvtxRangeStartA(const char *text)
{
    nvtxRangeId_t (*call)(const char *) = (nvtxRangeId_t(*)(const char *))standin(s_core, 5);
    return call ? call(text) : 0;
}

static inline void nvtxRangeEnd(nvtxRangeId_t id)
{
    void (*call)(nvtxRangeId_t) = (void (*)(nvtxRangeId_t))standin(s_core, 7);
    if (call)
        call(id);
}

static inline int nvtxRangePushA(const char *text)
{
    int (*call)(const char *) = (int (*)(const char *))standin(s_core, 9);
    return call ? call(text) : -2;
}

static inline int nvtxRangePop(void)
{
    int (*call)(void) = (int (*)(void))standin(s_core, 11);
    return call ? call() : -2;
}

static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    int (*call)(nvtxDomainHandle_t, const nvtxEventAttributes_t *) =
        (int (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t *))standin(s_core2, 4);
    return call ? call(domain, event) : -2;
}

static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
    int (*call)(nvtxDomainHandle_t) = (int (*)(nvtxDomainHandle_t))standin(s_core2, 5);
    return call ? call(domain) : -2;
}

static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text)
{
    nvtxStringHandle_t (*call)(nvtxDomainHandle_t, const char *) =
        (nvtxStringHandle_t(*)(nvtxDomainHandle_t, const char *))standin(s_core2, 10);
    return call ? call(domain, text) : NULL;
}

static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    nvtxDomainHandle_t (*call)(const char *) = (nvtxDomainHandle_t(*)(const char *))standin(s_core2, 12);
    return call ? call(name) : NULL;
}
