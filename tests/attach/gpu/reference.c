// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A library for CUDA_INJECTION64_PATH that writes what CUPTI itself says about kernels into the new file $REFERENCE, a
// line each: duration in ns and name. With CUPTI's headers and its own clock; shares no code with Jetscope. For
// gpu_check.sh.
#include <cupti.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static FILE *s_file;
static pid_t s_process;

static void CUPTIAPI requested(uint8_t **buffer, size_t *size, size_t *records)
{
    *size = 1 << 20;
    *buffer = aligned_alloc(8, *size);
    *records = 0;
}

// CUpti_ActivityKernel9 has the fields of all releases from 12.2 on.
static void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)context;
    (void)stream;
    (void)size;
    CUpti_Activity *record = NULL;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)record;
            fprintf(s_file, "%llu %s\n", (unsigned long long)(kernel->end - kernel->start), kernel->name);
        }
    free(buffer);
}

static void finish(void)
{
    if (getpid() != s_process)
        return;
    cuptiActivityFlushAll(1);
    fclose(s_file);
}

int InitializeInjection(void)
{
    const char *path = getenv("REFERENCE");
    // The first process with CUDA: others that it starts would write over its file.
    s_file = path ? fopen(path, "wx") : NULL;
    s_process = getpid();
    if (!s_file)
        return 1;
    if (cuptiActivityRegisterCallbacks(requested, completed) != CUPTI_SUCCESS
        || cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
        fprintf(stderr, "the reference cannot use CUPTI\n");
    else
        atexit(finish);
    return 1;
}
