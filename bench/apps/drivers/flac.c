/*
 * Encodes music that is made here, by libFLAC's fastest preset: each thread the same piece again and again, a progress
 * point after each frame. What is printed first, the hash of all frames of a piece, does not depend on how long the
 * program ran.
 *
 *     flac.bin [--seconds N]
 */
#include "driver.h"

#include <FLAC/stream_encoder.h>
#include <coz.h>
#include <math.h>

enum { RATE = 44100, CHANNELS = 2, SAMPLES = 2 * RATE, BLOCK = 4410, THREADS = 2, FASTEST = 0 };

static FLAC__int32 music[SAMPLES][CHANNELS];

struct piece {
    unsigned long frames;
    int is_hashed; /* the first one only, for it takes time */
    uint64_t hash;
};

/* Tones that swell and sink, the channels a little out of tune, and noise. */
static void compose(void)
{
    uint32_t noise = 2463534242u;

    for (int i = 0; i < SAMPLES; i++) {
        double t = (double)i / RATE;
        for (int channel = 0; channel < CHANNELS; channel++) {
            double tone = 6000 * sin(2 * M_PI * (440 + 3 * channel) * t) * (1 + sin(5 * t)) +
                          3000 * sin(2 * M_PI * 660 * t + channel) + 1500 * sin(2 * M_PI * 1330 * t);
            noise ^= noise << 13, noise ^= noise >> 17, noise ^= noise << 5;
            music[i][channel] = (FLAC__int32)tone + (FLAC__int32)(noise % 256) - 128;
        }
    }
}

/* The head of a stream comes with no samples, and is not a frame. */
static FLAC__StreamEncoderWriteStatus frame_written(const FLAC__StreamEncoder *encoder,
                                                    const FLAC__byte bytes[], size_t count, uint32_t samples,
                                                    uint32_t number, void *data)
{
    struct piece *piece = data;

    (void)encoder, (void)number;
    if (samples > 0) {
        if (piece->is_hashed)
            piece->hash = hashed(piece->hash, bytes, count);
        piece->frames++;
        COZ_PROGRESS_NAMED("frame");
    }
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

static void encode(struct piece *piece)
{
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();

    must(encoder != NULL, "an encoder");
    must(FLAC__stream_encoder_set_compression_level(encoder, FASTEST), "the preset");
    FLAC__stream_encoder_set_channels(encoder, CHANNELS);
    FLAC__stream_encoder_set_sample_rate(encoder, RATE);
    FLAC__stream_encoder_set_bits_per_sample(encoder, 16);
    must(FLAC__stream_encoder_init_stream(encoder, frame_written, NULL, NULL, NULL, piece) ==
             FLAC__STREAM_ENCODER_INIT_STATUS_OK,
         "the beginning");
    for (int i = 0; i < SAMPLES; i += BLOCK)
        must(FLAC__stream_encoder_process_interleaved(encoder, music[i], BLOCK), "encoding");
    must(FLAC__stream_encoder_finish(encoder), "the end");
    FLAC__stream_encoder_delete(encoder);
}

static void *work(void *argument)
{
    struct worker *self = argument;

    do {
        struct piece piece = {0, self->units == 0, HASH_OF_NOTHING};

        encode(&piece);
        end_round(self, piece.is_hashed ? piece.hash : self->hash, piece.frames);
    } while (now_seconds() < self->end);
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = seconds_asked(argc, argv), start = now_seconds();

    compose();
    unsigned long frames = run_workers(work, THREADS, seconds, "frames");
    printf("%.0f frames/s\n", (double)frames / (now_seconds() - start));
}
