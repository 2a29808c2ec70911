/* How much of everything the segment has room for, and how old its heartbeat may be. Part of layout.h. */
#pragma once

enum {
    SEGMENT_POINTS = 256,
    SEGMENT_POINT_NAME = 200,
    SEGMENT_CALL_POINTS = 64,
    SEGMENT_CALL_COUNTERS = 16,
    SEGMENT_SAMPLED_POINTS = 16,
    SEGMENT_MODULES = 1024,
    SEGMENT_MODULE_PATH = 456,
    SEGMENT_MAPPINGS = 4096,
    SEGMENT_QUESTIONS = 64,
    SEGMENT_THREADS = 1 << 16,
    SEGMENT_PROCESSES = 1024, /* that are told apart */
    SEGMENT_PROGRAM = 224,
    SEGMENT_SITES = 1 << 20,
    SEGMENT_CALLSITES = 1 << 14,
    SEGMENT_STACKS = 1 << 12,
    SEGMENT_STACK_FRAMES = 24, /* the innermost ones */
    SEGMENT_THREAD_NAMES = 1 << 12,
    SEGMENT_GROUPS = 64, /* a bit each */
    SEGMENT_PATTERNS = 128,
    SEGMENT_PATTERN = 60,
    SEGMENT_EDGES = 8,
    SEGMENT_RAMPS = 16,
    SEGMENT_SWITCHES = 16, /* of each core, the latest */
    SEGMENT_GROWTH = 4096, /* steps that are remembered */
    GROWTH_STEP_NS = 10000,
    SEGMENT_CORES = 256, /* that are told apart */
    SEGMENT_SPINS = 64,  /* targets that spin, and are told apart */
    SEGMENT_CHANNELS = 1 << 14,
    SEGMENT_WAITS = 1 << 12,  /* of one class at one place */
    SEGMENT_WAKES = 1 << 13,  /* from one place to another */
    SEGMENT_AWAITS = 1 << 13, /* of one site, one place */
    SEGMENT_REGIONS = 256,
    SEGMENT_REGION_NAME = 128,
    SEGMENT_WORDS = 7,
    SEGMENT_MESSAGE = 256,
    SEGMENT_HEARTBEAT_NS = 1000000000,
    SEGMENT_ABANDONED_S = 60,     /* and who cannot ask, in another PID namespace, gives it up then */
    SEGMENT_DOUBT_NS = 100000000, /* when it is older than this it is asked whether there is a controller */
};
