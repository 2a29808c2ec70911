/*
 * Encodes a moving picture that is made here, as fast as it goes, a progress point after each frame. It is the same
 * picture again and again, so what is printed first, the hash of its first time round, does not depend on how long the
 * program ran.
 *
 *     x264.bin [--seconds N]
 */
#include "driver.h"

#include <coz.h>
#include <math.h>
#include <x264.h>

enum { WIDTH = 640, HEIGHT = 352, FRAMES = 40, THREADS = 2 };

/* Waves that move, each in its own direction, and grain that stays where it is. */
static void draw(uint8_t *plane, int stride, int width, int height, int frame, double scale)
{
    static double across[WIDTH], down[HEIGHT], aslant[WIDTH + HEIGHT];
    uint32_t grain = 2463534242u;

    for (int x = 0; x < width; x++)
        across[x] = sin((x * scale + 3 * frame) / 17.0);
    for (int y = 0; y < height; y++)
        down[y] = sin((y * scale - 2 * frame) / 23.0);
    for (int i = 0; i < width + height; i++)
        aslant[i] = sin((i * scale + frame) / 7.0);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            grain ^= grain << 13, grain ^= grain >> 17, grain ^= grain << 5;
            plane[y * stride + x] = (uint8_t)(128 + 30 * (across[x] + down[y] + aslant[x + y]) + grain % 16);
        }
    }
}

static void draw_all(x264_picture_t *pictures)
{
    for (int i = 0; i < FRAMES; i++) {
        must(x264_picture_alloc(&pictures[i], X264_CSP_I420, WIDTH, HEIGHT) == 0, "a picture");
        for (int plane = 0; plane < 3; plane++) {
            int part = plane == 0 ? 1 : 2;
            draw(pictures[i].img.plane[plane], pictures[i].img.i_stride[plane], WIDTH / part, HEIGHT / part,
                 i, part);
        }
    }
}

static x264_t *encoder(void)
{
    x264_param_t param;

    must(x264_param_default_preset(&param, "ultrafast", NULL) == 0, "the preset");
    param.i_width = WIDTH;
    param.i_height = HEIGHT;
    param.i_csp = X264_CSP_I420;
    param.i_threads = THREADS;
    param.i_log_level = X264_LOG_WARNING;
    param.rc.i_rc_method = X264_RC_CQP;
    param.rc.i_qp_constant = 23;
    param.b_vfr_input = 0;
    return x264_encoder_open(&param);
}

int main(int argc, char **argv)
{
    static x264_picture_t pictures[FRAMES];
    double seconds = seconds_asked(argc, argv);
    x264_t *x264 = encoder();
    uint64_t hash = HASH_OF_NOTHING;
    long frames = 0;

    must(x264 != NULL, "the encoder");
    draw_all(pictures);

    double start = now_seconds();
    for (long i = 0; frames < FRAMES || now_seconds() < start + seconds; i++) {
        x264_picture_t in = pictures[i % FRAMES], out;
        x264_nal_t *nals;
        int count;

        in.i_pts = i;
        int bytes = x264_encoder_encode(x264, &nals, &count, &in, &out);
        must(bytes >= 0, "encoding");
        if (bytes == 0)
            continue;
        if (frames < FRAMES)
            hash = hashed(hash, nals[0].p_payload, bytes);
        frames++;
        COZ_PROGRESS_NAMED("frame");
    }
    printf("frames %016llx\n", (unsigned long long)hash);
    printf("%.0f frames/s\n", (double)frames / (now_seconds() - start));
    x264_encoder_close(x264);
}
