// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "preload.h"

#include <stddef.h>

// CUDA_MEMCPY2D and CUDA_MEMCPY3D of cuda.h 10.2 to 13.0. CUmemorytype has 32 bits.
struct side_2d {
    uint64_t x, y, type, host, device, array, pitch;
};
struct copy_2d {
    struct side_2d from, to;
    uint64_t width, height;
};
struct side_3d {
    uint64_t x, y, z, level, type, host, device, array, reserved, pitch, height;
};
struct copy_3d {
    struct side_3d from, to;
    uint64_t width, height, depth;
};
_Static_assert(sizeof(struct copy_2d) == 128 && sizeof(struct copy_3d) == 200, "the layout of cuda.h");

enum { kHost = 1, kDevice = 2, kArray = 3, kUnified = 4 }; // CUmemorytype

static struct side_3d flat(const struct side_2d *side)
{
    return (struct side_3d){.x = side->x,
                            .y = side->y,
                            .type = side->type,
                            .host = side->host,
                            .device = side->device,
                            .pitch = side->pitch};
}

static struct copy_3d read_copy(const void *copy, int dimensions)
{
    if (dimensions == 3)
        return *(const struct copy_3d *)copy;
    const struct copy_2d *two = copy;
    return (struct copy_3d){flat(&two->from), flat(&two->to), two->width, two->height, 1};
}

static uint32_t type_of(const struct side_3d *side)
{
    return (uint32_t)side->type;
}

static uint64_t address_of(const struct side_3d *side)
{
    if (type_of(side) == kArray)
        return 0;
    const uint64_t base = type_of(side) == kHost ? side->host : side->device;
    return base + (side->z * side->height + side->y) * side->pitch + side->x;
}

// Whether the rows of all slices are equally far apart, those between slices, too.
static int is_even(const struct side_3d *side, uint64_t rows, uint64_t depth)
{
    return type_of(side) == kArray || depth <= 1 || side->height == rows;
}

static uint64_t direction_of(const struct copy_3d *copy)
{
    const uint32_t from = type_of(&copy->from), to = type_of(&copy->to);
    if (from == kUnified || to == kUnified)
        return JSA_COPY_UNKNOWN;
    if (from == kHost)
        return to == kHost ? JSA_COPY_ON_HOST : JSA_COPY_TO_DEVICE;
    return to == kHost ? JSA_COPY_TO_HOST : JSA_COPY_ON_DEVICE;
}

uint64_t jsa_copied(const void *copy, int dimensions, enum jsa_copied part)
{
    if (!copy)
        return 0;
    const struct copy_3d all = read_copy(copy, dimensions);
    if (part != JSA_COPIED_BYTES)
        return address_of(part == JSA_COPIED_TO ? &all.to : &all.from);
    const int even = is_even(&all.to, all.height, all.depth) && is_even(&all.from, all.height, all.depth);
    const uint64_t rows = all.height * all.depth;
    const uint64_t data[JSA_ARGUMENTS] = {all.width, even ? rows : JSA_UNEVEN_ROWS, all.to.pitch, all.from.pitch,
                                          direction_of(&all)};
    jsa_write_data(data);
    jsa_self.to_host = data[4] == JSA_COPY_TO_HOST;
    return all.width * rows;
}
