// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "preload.h"

#include <stdlib.h>
#include <string.h>

// NVTX version 3 is part of the program (headers only). At its first call it loads the library that
// NVTX_INJECTION64_PATH names and calls InitializeInjectionNvtx2, which puts its own functions into NVTX's tables. The
// layouts below are those of nvToolsExt.h and nvtxDetail/nvtxTypes.h; they are kept compatible by NVIDIA, because
// programs and tools are built apart. They are written down here, because the headers are part of CUDA's toolkit.

enum { kCallbacks = 1, kModuleCore = 1, kModuleCore2 = 5 };
enum { kMarkEx = 1, kMarkA = 2, kStartEx = 4, kStartA, kStartW, kEnd, kPushEx, kPushA, kPushW, kPop };
enum { kDomainMark = 1, kDomainStart, kDomainEnd, kDomainPush, kDomainPop, kRegisterA = 10, kCreateA = 12 };
enum { kTextAscii = 1, kTextRegistered = 3 };

typedef void (*jsa_function)(void);

struct jsa_nvtx_callbacks {
    size_t size;
    int (*table_of)(int module, jsa_function ***table, unsigned *size);
};

struct jsa_nvtx_event {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type;
    int32_t reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message; // Of registered text: what register_text returned.
};

extern void jetscope_mark_v1(uint32_t kind, uint64_t first, uint64_t second, const char *name);

static uint64_t s_ranges;

static const char *text_of(const struct jsa_nvtx_event *event)
{
    const size_t least = offsetof(struct jsa_nvtx_event, message) + sizeof(const char *);
    if (!event || event->size < least || !event->message
        || (event->message_type != kTextAscii && event->message_type != kTextRegistered))
        return NULL;
    return event->message;
}

static void mark_text(const char *text)
{
    jetscope_mark_v1(JSA_MARK_POINT, 0, 0, text);
}

static void mark(const struct jsa_nvtx_event *event)
{
    mark_text(text_of(event));
}

static uint64_t start_text(const char *text)
{
    const uint64_t id = __atomic_add_fetch(&s_ranges, 1, __ATOMIC_RELAXED);
    jetscope_mark_v1(JSA_MARK_RANGE_START, id, 0, text);
    return id;
}

static uint64_t start(const struct jsa_nvtx_event *event)
{
    return start_text(text_of(event));
}

static void end(uint64_t id)
{
    jetscope_mark_v1(JSA_MARK_RANGE_END, id, 0, NULL);
}

static int push_text(const char *text)
{
    jetscope_mark_v1(JSA_MARK_RANGE_PUSH, 0, 0, text);
    return 0;
}

static int push(const struct jsa_nvtx_event *event)
{
    return push_text(text_of(event));
}

static int pop(void)
{
    jetscope_mark_v1(JSA_MARK_RANGE_POP, 0, 0, NULL);
    return 0;
}

// Names of wide characters are not read, but their ranges have ends.

static uint64_t start_wide(const void *text)
{
    (void)text;
    return start_text(NULL);
}

static int push_wide(const void *text)
{
    (void)text;
    return push_text(NULL);
}

// In a domain each function has it as its first argument. Ranges of all domains are taken alike.

static void domain_mark(void *domain, const struct jsa_nvtx_event *event)
{
    (void)domain;
    mark(event);
}

static uint64_t domain_start(void *domain, const struct jsa_nvtx_event *event)
{
    (void)domain;
    return start(event);
}

static void domain_end(void *domain, uint64_t id)
{
    (void)domain;
    end(id);
}

static int domain_push(void *domain, const struct jsa_nvtx_event *event)
{
    (void)domain;
    return push(event);
}

static int domain_pop(void *domain)
{
    (void)domain;
    return pop();
}

// Registered once and used for the rest of the process, so that nothing frees it.
static const char *register_text(void *domain, const char *text)
{
    (void)domain;
    return text ? strdup(text) : NULL;
}

static void *create_domain(const char *name)
{
    static char domain;
    (void)name;
    return &domain;
}

static void put(jsa_function **table, unsigned size, unsigned slot, jsa_function function)
{
    if (slot < size && table[slot])
        *table[slot] = function;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t id))
{
    const struct jsa_nvtx_callbacks *callbacks = export_table(kCallbacks);
    jsa_function **table = NULL;
    unsigned size = 0;
    if (jsa_session->magic != JSA_MAGIC || !callbacks || callbacks->size < sizeof *callbacks)
        return 0; // NVTX's own functions stay, which do nothing.
    if (callbacks->table_of(kModuleCore, &table, &size)) {
        put(table, size, kMarkEx, (jsa_function)mark);
        put(table, size, kMarkA, (jsa_function)mark_text);
        put(table, size, kStartEx, (jsa_function)start);
        put(table, size, kStartA, (jsa_function)start_text);
        put(table, size, kStartW, (jsa_function)start_wide);
        put(table, size, kEnd, (jsa_function)end);
        put(table, size, kPushEx, (jsa_function)push);
        put(table, size, kPushA, (jsa_function)push_text);
        put(table, size, kPushW, (jsa_function)push_wide);
        put(table, size, kPop, (jsa_function)pop);
    }
    if (callbacks->table_of(kModuleCore2, &table, &size)) {
        put(table, size, kDomainMark, (jsa_function)domain_mark);
        put(table, size, kDomainStart, (jsa_function)domain_start);
        put(table, size, kDomainEnd, (jsa_function)domain_end);
        put(table, size, kDomainPush, (jsa_function)domain_push);
        put(table, size, kDomainPop, (jsa_function)domain_pop);
        put(table, size, kRegisterA, (jsa_function)register_text);
        put(table, size, kCreateA, (jsa_function)create_domain);
    }
    return 1;
}
