import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { analyses, jobs, tracks, trackVectors, versions } from "../../db/schema.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import type { WorkResult } from "../../src/modules/library/analysis/elsewhere/shapes.ts";
import { measureFile } from "../../src/modules/library/analysis/measure.ts";
import { encodeOutcome, workVersion } from "../../src/modules/library/analysis/service.ts";
import type { AnalysisOutcome } from "../../src/modules/library/analysis/task.ts";
import { deleteTrack } from "../../src/modules/library/catalog/service.ts";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { startWorkers } from "../../src/workers.ts";
import { addFile } from "../flows/analysis-library.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { onBucket, originalsIn } from "../support/originals.ts";
import { PROGRAM } from "../support/program-command.ts";
import { sine, wavBytes } from "../support/signals.ts";

const RATE_HZ = 8000;
const LEASE_MS = MINUTE_MS;
const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "dubplate-work-"));
/** A tone of two seconds: analysed in a moment. */
const tone = (hertz: number) => wavBytes([sine(RATE_HZ, 2, hertz)], RATE_HZ, 16);

/** What a worker measures in the tone of 440 Hz. */
let result: WorkResult;
let outcome: AnalysisOutcome;
beforeAll(async () => {
  const path = join(folder, "tone.wav");
  await Bun.write(path, tone(440));
  outcome = await measureFile({ path, ffmpegPath: undefined, selfCommand: [...PROGRAM] }, never);
  result = { version: await workVersion(), ...encodeOutcome(outcome) };
});
afterAll(() => rmSync(folder, { recursive: true }));

let app: TestApp;
let owner: string;
beforeEach(async () => {
  app = await createTestApp({ settings: { analysisConcurrency: 0 } });
  owner = app.createAccount().accountId;
  await lookForLost();
});
afterEach(() => app.close());

const workKey = () =>
  createPlatformKey(app.deps, { name: "Worker", scopes: ["platform:work"], days: 30 }).key;
type Job = { id: string; token: string; kind: string; sha256: string; sizeBytes: number };

/** A worker that does one step at a time. */
function workerWith(key: string) {
  const call = app.as(key);
  const about = (job: Job, method: string, what: string, body?: unknown) =>
    call(method, `/platform/work/jobs/${job.id}/${what}`, body, { "x-job-token": job.token });
  return {
    claim: async (wish: object = {}): Promise<Job> =>
      (await call("POST", "/platform/work/claim", { version: result.version, ffmpeg: true, ...wish })).body
        .data.job,
    about,
    send: (job: Job, body: unknown = result) => about(job, "POST", "result", body),
  };
}
const add = (hertz = 440) => addFile(app.deps, owner, tone(hertz));
const trackOf = (id: string) => app.deps.db.select().from(tracks).where(eq(tracks.id, id)).get();
const stored = () => ({
  tracks: app.deps.db.select().from(tracks).all(),
  analyses: app.deps.db.select().from(analyses).all(),
  vectors: app.deps.db.select().from(trackVectors).all(),
  jobs: app.deps.db.select().from(jobs).all(),
});
/** Looks for lost jobs, as a server does every quarter of a minute. */
const lookForLost = () => app.drainJobs();

describe("a worker", () => {
  test("gets the bytes of a file and nothing else, and its result is stored like the server's own", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());

    const job = await worker.claim();
    const audio = await app.request(`/api/v1/platform/work/jobs/${job.id}/audio`, {
      headers: { "x-api-key": workKey(), "x-job-token": job.token },
    });
    const own = await worker.about(job, "GET", "audio");
    const answer = await worker.send(job);

    expect(job).toEqual({
      id: expect.stringMatching(/^job_/),
      token: expect.any(String),
      kind: "analyze",
      sha256: new Bun.CryptoHasher("sha256").update(tone(440)).digest("hex"),
      sizeBytes: tone(440).length,
      ffmpeg: false,
      leaseSec: 60,
    } as Json);
    expect(audio.status).toBe(410);
    expect(own.status).toBe(200);
    expect(own.headers.get("content-disposition")).toBeNull();
    expect(answer).toMatchObject({ status: 200, body: { data: { ok: true } } });
    expect(trackOf(trackId)).toMatchObject({ analysisStatus: "completed", durationSec: 2 });
    expect(stored()).toMatchObject({ analyses: [{ trackId }], vectors: [{}, {}] });
    expect(stored().jobs.filter(({ name }) => name === "analyze")).toEqual([]);
  });

  test("gives the same rows as the server's own thread", async () => {
    const here = await createTestApp({ settings: { analysisConcurrency: 1 } });
    const account = here.createAccount().accountId;
    await addFile(here.deps, account, tone(440));
    await here.drainJobs();
    await add();
    const worker = workerWith(workKey());
    await worker.send(await worker.claim());

    const rowsOf = ({ deps: { db } }: TestApp) => ({
      analyses: db.$client.query("SELECT * FROM analyses").all(),
      vectors: db.$client
        .query("SELECT provider, version, embedding FROM track_vectors ORDER BY provider")
        .all(),
      recordings: db.$client.query("SELECT * FROM recordings").all(),
      tracks: db.$client.query("SELECT bpm, key, duration_sec, analysis_status, cid FROM tracks").all(),
    });
    const withoutIds = (rows: ReturnType<typeof rowsOf>) =>
      JSON.stringify(rows).replaceAll(/"(trk|ver|usr)_[0-9a-f]+"/g, '"id"');

    expect(withoutIds(rowsOf(app))).toBe(withoutIds(rowsOf(here)));
    await here.close();
  });

  test("two workers that race get different jobs, and a third gets none", async () => {
    await add(440);
    await add(450);
    const [one, other] = [workerWith(workKey()), workerWith(workKey())];

    const claimed = await Promise.all([one.claim(), other.claim(), one.claim()]);

    const ids = claimed.map((job) => job?.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.filter((id) => id === undefined)).toHaveLength(1);
  });

  test("a waiting worker gets a job when there is one", async () => {
    const worker = workerWith(workKey());

    const waiting = worker.claim({ waitSec: 10 });
    await add();

    expect(await waiting).toMatchObject({ kind: "analyze" });
  });

  test("keeps its job by renewing it, and loses it without", async () => {
    const trackId = await add();
    const [worker, other] = [workerWith(workKey()), workerWith(workKey())];
    const job = await worker.claim();
    app.clock.advance(LEASE_MS - 1);
    expect((await worker.about(job, "POST", "renew", {})).body.data).toEqual({ leaseSec: 60 });
    app.clock.advance(LEASE_MS - 1);
    await lookForLost();
    expect(trackOf(trackId)?.analysisStatus).toBe("processing");

    app.clock.advance(2);
    const before = stored();
    const late = await worker.send(job);
    expect(late).toMatchObject({ status: 410, body: { messageCode: "job_lost" } });
    expect(stored()).toEqual(before);
    await lookForLost();

    expect(trackOf(trackId)?.analysisStatus).toBe("pending");
    const again = await other.claim();
    expect(again.id).toBe(job.id);
    for (const what of ["renew", "result", "release"])
      expect((await worker.about(job, "POST", what, what === "result" ? result : {})).status).toBe(410);
    expect((await other.send(again)).status).toBe(200);
    expect((await other.send(again)).status).toBe(410);
    expect(stored().analyses).toHaveLength(1);
  });

  test("keeps its job while the server starts again", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());
    const job = await worker.claim();
    app.clock.advance(LEASE_MS + 1);

    await startWorkers(app.deps, { loops: false }).stop();

    expect(trackOf(trackId)?.analysisStatus).toBe("processing");
    expect(stored().jobs).toHaveLength(1);
    expect((await worker.send(job)).status).toBe(200);
    expect(trackOf(trackId)?.analysisStatus).toBe("completed");
  });

  test("gives its job back: without an error it does not count, with three it is final", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());
    const release = async (body: object) => worker.about(await worker.claim(), "POST", "release", body);

    expect((await release({})).status).toBe(200);
    expect(stored().jobs).toMatchObject([{ state: "waiting", attempts: 0, worker: null, subject: null }]);
    expect(trackOf(trackId)?.analysisStatus).toBe("pending");
    for (let attempt = 1; attempt <= 3; attempt++) {
      await release({ error: "no decoder could be started" });
      app.clock.advance(MINUTE_MS);
    }

    expect(trackOf(trackId)).toMatchObject({ analysisStatus: "failed", analysisCode: "analysis_failed" });
    expect(app.logged.at(-1)).toMatchObject({ level: "error", message: "A job failed on another machine" });
  });

  // A bucket is asked for a file when a worker reads it, as in the next test.
  test.skipIf(onBucket)(
    "is not given a file that is missing: its track fails, and the next job follows",
    async () => {
      const lost = await add(440);
      app.deps.db
        .update(versions)
        .set({ sha256: "0".repeat(64) })
        .run();
      await add(450);

      expect(await workerWith(workKey()).claim()).toMatchObject({ kind: "analyze" });
      expect(trackOf(lost)).toMatchObject({ analysisStatus: "failed", analysisCode: "file_missing" });
    },
  );

  test("is told when the file went missing under its job, and the job ends", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());
    const job = await worker.claim();
    const originals = originalsIn(app.deps);
    for (const sha256 of await originals.list()) await originals.lose(sha256);

    const audio = await worker.about(job, "GET", "audio");

    expect(audio).toMatchObject({ status: 500, body: { messageCode: "file_missing" } });
    expect((await worker.send(job)).status).toBe(410);
    expect(trackOf(trackId)).toMatchObject({ analysisStatus: "failed", analysisCode: "file_missing" });
  });

  test("a job whose worker has died ten times is given up", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());
    for (let death = 1; death <= 10; death++) {
      await worker.claim();
      app.clock.advance(LEASE_MS + 1);
      await lookForLost();
    }

    expect(await worker.claim()).toBeNull();
    expect(trackOf(trackId)).toMatchObject({ analysisStatus: "failed", analysisCode: "analysis_failed" });
  });

  test("listens again when nothing is to be analysed", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());
    await worker.send(await worker.claim());
    const { embedding } = stored().vectors.find(({ provider }) => provider === "ears") ?? {};
    app.deps.db.$client.run("UPDATE track_vectors SET version = 'older' WHERE provider = 'ears'");
    await startWorkers(app.deps, { loops: false }).stop();

    const job = await worker.claim();
    const { version } = result;
    const wrong = await worker.send(job, { version, heard: "AAAA" });
    const heard = await worker.send(job, { version, heard: null });

    expect(job).toMatchObject({ kind: "listen" });
    expect(wrong.status).toBe(400);
    expect(heard.status).toBe(200);
    expect(stored().vectors).toContainEqual(
      expect.objectContaining({ trackId, provider: "ears", embedding }),
    );
    expect(await worker.claim()).toBeNull();
  });
});

describe("the result of a worker", () => {
  const changed = (change: (copy: Json) => void): Json => {
    const copy = structuredClone(result);
    change(copy);
    return copy;
  };
  const floats = (value: number) => Buffer.from(new Float32Array(96).fill(value).buffer).toString("base64");

  test.each([
    ["nothing", () => ({ version: result.version })],
    ["a measurement and a failure", () => changed((copy) => (copy.failure = "corrupt"))],
    ["a failure that workers do not know", () => ({ version: result.version, failure: "file_missing" })],
    ["a tempo beyond measure", () => changed((copy) => (copy.measurement.tempo.bpm = 1e9))],
    ["text in the place of a number", () => changed((copy) => (copy.measurement.durationSec = "2"))],
    ["a key that is none", () => changed((copy) => (copy.measurement.key.name = "<b>"))],
    ["a waveform cut short", () => changed((copy) => (copy.measurement.waveform = "AAAA"))],
    ["text that is not base64", () => changed((copy) => (copy.measurement.waveform = "ü".repeat(2668)))],
    [
      "values that are not finite",
      () => changed((copy) => (copy.measurement.descriptors = floats(Number.NaN))),
    ],
    ["another number of values", () => changed((copy) => (copy.measurement.heard = floats(1).slice(0, 8)))],
    ["levels that are not deflated", () => changed((copy) => (copy.measurement.recording.levels = "AAAA"))],
    [
      "peaks that inflate without end",
      () =>
        changed((copy) => {
          const bomb = Bun.deflateSync(new Uint8Array(10 * 1024 * 1024));
          copy.measurement.recording.peaks = Buffer.from(bomb).toString("base64");
        }),
    ],
    ["half a code", () => changed((copy) => (copy.measurement.recording.codes = "AAA="))],
    ["a band too few", () => changed((copy) => copy.measurement.recording.balanceDb.pop())],
    ["a picture that is none", () => changed((copy) => (copy.artwork = "AAAA"))],
    ["tags that are unknown", () => changed((copy) => (copy.info.tags.secret = "x"))],
    ["tags that are too long", () => changed((copy) => (copy.info.tags.title = "x".repeat(501)))],
  ])("a result with %s is refused", async (_, make) => {
    await add();
    const worker = workerWith(workKey());
    const job = await worker.claim();
    const before = stored();

    const answer = await worker.send(job, make());

    expect(answer).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect(stored()).toEqual(before);
    expect((await worker.send(job)).status).toBe(200);
  });

  test("a result with more bytes than a picture and measurements have is refused", async () => {
    await add();
    const worker = workerWith(workKey());
    const job = await worker.claim();

    const answer = await worker.send(job, { ...result, artwork: "A".repeat(25 * 1024 * 1024) });

    expect(answer).toMatchObject({ status: 413, body: { messageCode: "payload_too_large" } });
    expect((await worker.send(job)).status).toBe(200);
  });

  test("a result may be a failure of the file, for which the server has a sentence", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());

    await worker.send(await worker.claim(), { version: result.version, info: null, failure: "no_audio" });

    const { analysisStatus, analysisCode, analysisReason } = trackOf(trackId) ?? {};
    expect([analysisStatus, analysisCode]).toEqual(["failed", "no_audio"]);
    expect(analysisReason).toStartWith("There is no audio in this file");
  });

  test("the tags of a result are cleaned once more", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());

    await worker.send(
      await worker.claim(),
      changed((copy) => (copy.info.tags = { title: " Night\u0000\nBus " })),
    );

    expect(trackOf(trackId)?.title).toBe("Night Bus");
    expect(stored().analyses[0]?.embedded).toEqual({ title: "Night Bus" });
  });

  test("a result for a track that was deleted meanwhile changes nothing", async () => {
    const trackId = await add();
    const worker = workerWith(workKey());
    const job = await worker.claim();
    deleteTrack(app.deps.db, trackId);

    const answer = await worker.send(job);

    expect(answer.status).toBe(200);
    expect(stored()).toMatchObject({ tracks: [], analyses: [], vectors: [] });
    expect(stored().jobs.filter(({ name }) => name === "analyze")).toEqual([]);
  });
});

describe("a worker at the door", () => {
  const wish = () => ({ version: result.version, ffmpeg: true });

  test("only a platform key with the scope may work, and it opens nothing else", async () => {
    await add();
    const key = workKey();
    const partner = createPlatformKey(app.deps, {
      name: "x",
      scopes: ["platform:read:accounts"],
      days: 1,
    }).key;
    const claim = (as: string, headers = {}) => app.as(as)("POST", "/platform/work/claim", wish(), headers);

    expect(await claim("")).toMatchObject({ status: 401, body: { messageCode: "missing_api_key" } });
    for (const other of [app.createKey(owner), app.createKey(owner, ["all"]), partner])
      expect(await claim(other)).toMatchObject({ status: 403, body: { messageCode: "insufficient_scope" } });
    expect((await claim(key, { "x-act-as-user": owner })).status).toBe(403);
    for (const path of ["/tracks", "/platform/accounts", "/platform/file-requests", "/playlists"])
      expect((await app.as(key)("GET", path)).status).toBe(403);
    expect(await claim(key)).toMatchObject({ status: 200, body: { data: { job: { kind: "analyze" } } } });
  });

  test("a result is accepted only with the token of its job, from the key that claimed it", async () => {
    await add(440);
    await add(450);
    const [worker, other] = [workerWith(workKey()), workerWith(workKey())];
    const [first, second] = [await worker.claim(), await worker.claim()];
    const before = stored();

    for (const [by, job] of [
      [worker, { ...first, token: second.token }],
      [worker, { ...first, token: "" }],
      [worker, { ...first, id: "job_unknown" }],
      [other, first],
    ] as const)
      for (const [method, what, body] of [
        ["GET", "audio", undefined],
        ["POST", "renew", {}],
        ["POST", "result", result],
        ["POST", "release", {}],
      ] as const)
        expect(await by.about(job, method, what, body)).toMatchObject({
          status: 410,
          body: { messageCode: "job_lost" },
        });
    expect(stored()).toEqual(before);
  });

  test("the token is stored nowhere", async () => {
    await add();

    const { token } = await workerWith(workKey()).claim();

    expect(Buffer.from(app.deps.db.$client.serialize()).includes(token)).toBe(false);
    expect(JSON.stringify(app.logged)).not.toContain(token);
  });

  test("a revoked key ends its jobs at once", async () => {
    await add();
    const key = workKey();
    const worker = workerWith(key);
    const job = await worker.claim();
    app.deps.db.$client.run("UPDATE api_keys SET revoked_at = 1");

    expect((await worker.send(job)).status).toBe(401);
  });

  test("a worker with other versions gets no job, and its result is refused", async () => {
    await add();
    const call = app.as(workKey());
    const version = `0.0.1 ${result.version.split(" ").slice(1).join(" ")}`;
    const worker = workerWith(workKey());
    const job = await worker.claim();

    const claim = await call("POST", "/platform/work/claim", { ...wish(), version });
    const send = await worker.send(job, { ...result, version });

    for (const { status, body } of [claim, send]) {
      expect([status, body.messageCode]).toEqual([409, "worker_unfit"]);
      expect(body.message).toEndWith("is Dubplate 0.0.1: install the server's on the worker's machine");
    }
  });

  test("a worker without ffmpeg gets no job from a server that has it", async () => {
    const rich = await createTestApp({ ffmpegPath: "/usr/bin/ffmpeg" });
    const key = createPlatformKey(rich.deps, { name: "x", scopes: ["platform:work"], days: 1 }).key;

    const answer = await rich.as(key)("POST", "/platform/work/claim", { ...wish(), ffmpeg: false });

    expect(answer).toMatchObject({ status: 409, body: { messageCode: "worker_unfit" } });
    expect(answer.body.message).toContain("install ffmpeg");
    await rich.close();
  });
});
