// Profiles for the tests of the page, made up: windows of planted effects with a little noise, always the same.

const SAMPLE_NS = 1e6;

/** Numbers between 0 and 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Lines of a profile. Each target has: location, kind, function, saved (the share of each visit that is saved at full
 * speed), slower (what is lost for each unit that it is made slower; as much as is saved unless said), latency (the same of
 * the latency point, whose units have ids where it says so), kink (a speedup beyond which nothing more is gained), share (of the samples), blocks, noise, and stacks (how many samples came by which frames).
 * `machine` is what the run tells of it, null: nothing, as older profiles do; `stolen` the part that is stolen at a time of
 * the run; `sources` are records of sources.
 */
export function profileLines({ targets, points = [{ name: "request", metric: "throughput" }], speedups = [0.25, 0.5, 0.75, 1], seed = 7, time = 1.7e18,
  windowNs = 100e6, program = "/srv/app/server", machine = null, stolen = () => 0, sources = [] }) {
  const random = randomFrom(seed), lines = [];
  const add = (record) => lines.push(JSON.stringify(record));
  const timeOf = (real) => {
    const began = Math.round(elapsed + 5e6);
    return { began, stolen: Math.round(real * stolen(began)) };
  };
  const wobble = (noise) => 1 + noise * (random() + random() + random() - 1.5);
  add({ type: "startup", time, program, sampler: "timer", ...machine });
  if (machine) add({ type: "remark", text: "Its memory <b>is</b> in swap.", remedy: "Use less of it." });
  let block = 0, elapsed = 0;
  const most = Math.max(...targets.map((target) => target.blocks ?? 6));
  for (let round = 0; round < most; round++) {
    for (const target of targets) {
      if (round >= (target.blocks ?? 6)) continue;
      block++;
      if (machine && block % 9 === 4) {
        add({ type: "discarded", began: Math.round(elapsed), duration: windowNs, stolen: 0.3 * windowNs, why: "stolen" });
        elapsed += windowNs;
      }
      const order = [0, ...speedups.flatMap((speedup) => [speedup, 0])];
      order.forEach((speedup, i) => {
        const isCut = target.slower !== undefined && speedup < 0; // effects on that side are said for themselves
        const counts = Math.min(speedup, target.kink ?? 1), noise = target.noise ?? 0.02;
        add({ type: "experiment", selected: target.location, ...(target.kind && target.kind !== "line" ? { kind: target.kind } : {}), speedup, duration: windowNs, selected_samples: Math.round(((target.share ?? 0.1) * windowNs) / SAMPLE_NS),
          block, window: i + 1, selected_ns: Math.round(windowNs * (target.share ?? 0.1)), sampled_ns: windowNs, delay: Math.round(windowNs * Math.max(0, speedup) * 0.2), paused: 0, settled: 5e6,
          ...(machine ? timeOf(windowNs * (1 + Math.max(0, speedup) * 0.2)) : {}) });
        elapsed += windowNs * (1 + Math.max(0, speedup) * 0.2) + 5e6;
        for (const point of points) {
          const saved = isCut ? target.slower * speedup : ((point.metric === "latency" ? target.latency : target.saved) ?? 0) * counts;
          const length = Math.round(windowNs * (1 - saved) * wobble(noise));
          if (point.metric === "latency") {
            add({ type: "latency-point", name: point.name, arrivals: 1000, departures: 1000, difference: 3 * (1 - saved) * wobble(noise), elapsed: windowNs });
            if (point.hasIds) add({ type: "latency-times", name: point.name, bucket: Math.round(480 + 32 * Math.log2(1 - saved) + 2 * random()), counts: "250 250 200 150 80 40 0 20 10" });
          } else add({ type: "throughput-point", name: point.name, delta: 1000, elapsed: length });
        }
      });
    }
  }
  if (machine) add({ type: "remark", at: Math.round(elapsed / 2), text: "Other programs take its cores." });
  add({ type: "runtime", time: Math.round(elapsed), samples: Math.round(elapsed / SAMPLE_NS), ...(machine ? { others: 0.12, stolen: 0.034 } : {}) });
  for (const target of targets)
    add({ type: "samples", location: target.location, count: Math.round(((target.share ?? 0.1) * elapsed) / SAMPLE_NS), ...(target.kind && target.kind !== "line" ? { kind: target.kind } : {}),
      ...(target.function ? { function: target.function } : {}) });
  for (const { location, kind, stacks = [] } of targets)
    for (const [count, ...frames] of stacks) add({ type: "stack", location, ...(kind ? { kind } : {}), count, frames: frames.map((frame) => `${frame}\n`).join("") });
  sources.forEach(add);
  return lines;
}

/** A program of a few targets, of which each says something else. */
export function fewTargets(source) {
  const line = (number) => `${source}:${number}`;
  return [
    { location: line(88), function: "serve_request", saved: 0.42, latency: 0.55, share: 0.22, blocks: 12, noise: 0.03 },
    { location: line(91), function: "serve_request", saved: 0.40, latency: 0.5, share: 0.18, blocks: 8, noise: 0.05,
      stacks: [[30, `serve_request\t${line(91)}`, `serve\t${line(41)}`, "main\t/srv/app/main.c:12"], [10, `serve_request\t${line(91)}\tinlined`, "<b>retry</b>\t/srv/app/retry.c:7", "\t"]] },
    { location: line(103), function: "parse_header", saved: 0.12, latency: 0.1, share: 0.08, kink: 0.5, blocks: 14 },
    { location: line(41), function: "checksum", saved: 0, slower: 0.4, latency: 0, share: 0.38, blocks: 16, noise: 0.015 },
    { location: line(57), function: "queue_push", saved: -0.18, latency: -0.1, share: 0.05, blocks: 10 },
    { location: line(60), function: "queue_push", saved: 0.06, latency: 0.02, share: 0.02, blocks: 4, noise: 0.3 },
    { location: line(20), function: "start_worker", saved: 0.1, share: 0.01, blocks: 1 },
  ];
}

/** Many targets in many functions and files; few of them matter, as in real programs. */
export function manyTargets(count, folder = "/srv/app/src", blocks = 4) {
  const random = randomFrom(3);
  return Array.from({ length: count }, (_, i) => {
    const file = Math.floor(i / 12), weight = random();
    return { location: `${folder}/module_${file}.c:${20 + (i % 12) * 17}`, function: `module_${file}_step_${Math.floor((i % 12) / 3)}`, saved: i % 9 === 4 ? -0.12 * weight : i % 3 === 0 ? 0.6 * weight ** 6 : 0,
      share: (0.9 / count) * 2 * random(), blocks, noise: i % 7 === 5 ? 0.2 : 0.03 };
  });
}

/** The source that the few targets are in: some functions at certain lines. */
export function workerSource() {
  const pieces = [
    [1, `/* Serves requests: a worker takes them from a queue, parses the header and answers. */
#include <stdint.h>
#include <stdlib.h>`],
    [14, `/* How many there are follows from the machine. */
struct worker {
    int number;
    struct queue *queue; // shared
};
int start_worker(struct worker *worker, const char *name)
{
    return pthread_create(&worker->thread, NULL, serve, worker) == 0 && name[0] != '\\n';
}`],
    [35, `uint32_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        /* hot, but off the path
           that anybody waits for */
        sum = sum * 31 + bytes[i];
    }
    return sum ^ 0xffffffffu;
}`],
    [54, `void queue_push(struct queue *queue, struct item *item)
{
    pthread_mutex_lock(&queue->lock);
    item->next = queue->head;
    queue->head = item;
    queue->count++;
    pthread_mutex_unlock(&queue->lock);
}`],
    [82, `static int serve_request(struct request *request)
{
    struct answer answer = {0};
    if (parse_header(request) < 0)
        return -1;
    for (int i = 0; i < request->rows; i++)
        answer.total += evaluate_row(request, i, "SELECT <a> & \\"b\\"", 3.14e-2);

    for (int i = 0; i < request->rows; i++)
\tencode_row(&answer, i);
    return send_answer(&answer);
}`],
    [99, `int parse_header(struct request *request)
{
    char *at = request->bytes;
    while (*at && *at != '\\r')
        at = parse_field(request, at);
    return at ? 0 : -1;
}`],
  ];
  const lines = Array(140).fill("");
  for (const [first, text] of pieces) text.split("\n").forEach((line, i) => { lines[first - 1 + i] = line; });
  return lines.join("\n") + "\n";
}
