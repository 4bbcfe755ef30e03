import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { transact } from "../../db/client.ts";
import { tracks, versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { claimJob } from "../../src/jobs/claim.ts";
import { startLoop } from "../../src/jobs/loop.ts";
import { newId } from "../../src/kernel/ids.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { type AnalysisPool, analyzeHandler } from "../../src/modules/library/analysis/analyze.ts";
import { ANALYZE_JOB, requestAnalysis } from "../../src/modules/library/analysis/service.ts";
import { createWorkerPool } from "../../src/modules/library/analysis/worker-pool.ts";
import { createAnalysisPool } from "../../src/threads.ts";
import { startWorkers } from "../../src/workers.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, silence, wavBytes } from "../support/signals.ts";
import { addFile, library, RATE_HZ, song, tagged } from "./analysis-library.ts";

const SONG = song();
const SILENCE = wavBytes([silence(RATE_HZ, 2)], RATE_HZ, 16);
const fixture = (name: string) => Bun.file(join(import.meta.dir, "../fixtures", name)).bytes();

let app: TestApp;
let ownerId: string;
beforeEach(async () => {
  app = await createTestApp({ analysing: createAnalysisPool() });
  ownerId = app.createAccount().accountId;
});
afterEach(() => app.close());

const add = (bytes: Uint8Array, profile = {}) => addFile(app.deps, ownerId, bytes, profile);
const see = (trackId: string) => library(app.deps, trackId);
const again = (trackId: string) =>
  transact(app.deps.db, (tx) => requestAnalysis(tx, trackId, app.clock.now()));

describe("a finished analysis", () => {
  test("shows tempo, key, duration and hash, and keeps what was measured", async () => {
    const trackId = await add(SONG);
    expect(see(trackId).track).toMatchObject({ analysisStatus: "pending", cid: "" });

    await app.drainJobs();

    const { track, version, analyses, vectors, jobs } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "completed", key: "A minor", durationSec: 8 });
    expect(track.bpm).toBeCloseTo(120, 0);
    expect(track.cid).toBe(String(version?.sha256));
    expect(track.analysisVersionId).toBe(track.activeVersionId);
    expect(version?.analysedAt).toBe(app.clock.now());
    expect(analyses).toMatchObject([
      {
        versionId: track.activeVersionId,
        sampleRateHz: RATE_HZ,
        channels: 1,
        lossless: true,
        truncated: false,
      },
    ]);
    expect(analyses[0]?.integratedLufs).toBeWithin(-40, 0);
    expect(analyses[0]?.waveform).toHaveLength(2000);
    // A song of eight seconds is too short for the ears.
    expect(vectors).toMatchObject([{ provider: "descriptors" }, { provider: "ears", dimensions: 1 }]);
    const [vector] = vectors;
    expect(vector?.embedding).toHaveLength(4 * Number(vector?.dimensions));
    expect(jobs).toEqual([]);
  });

  test("is announced once, with the version it is about", async () => {
    const trackId = await add(SONG);

    await app.drainJobs();

    const { events, track } = see(trackId);
    expect(events).toMatchObject([
      {
        type: "track.audio_profile_completed",
        ownerId,
        data: { trackId, activeVersionId: track.activeVersionId, analysisStatus: "completed" },
      },
    ]);
  });

  test("fills the profile from the file's own tags", async () => {
    const frames = {
      TIT2: "Nachtbus",
      TPE1: "Someone",
      TALB: "Depot",
      TPE2: "Everyone",
      TCOM: "A. Writer",
      TYER: "2026",
      TSRC: "de-a12-26-00001",
      TRCK: "3/9",
      TPOS: "1/2",
      TCON: "Deep House",
      TBPM: "60",
    };
    const trackId = await add(tagged(SONG, frames));

    await app.drainJobs();

    const { track, tags, analyses } = see(trackId);
    expect(track).toMatchObject({
      title: "Nachtbus",
      titleFold: "nachtbus",
      artist: "Someone",
      album: "Depot",
      albumArtist: "Everyone",
      composer: "A. Writer",
      year: "2026",
      isrc: "DEA122600001",
      trackNumber: "3",
      totalTracksAlbum: "9",
      discNumber: "1",
      totalDiscsAlbum: "2",
      trackGenre: "Deep House",
    });
    // The file's tempo chose the octave of the measured one.
    expect(track.bpm).toBeCloseTo(60, 0);
    expect(tags).toMatchObject([{ category: "genres", name: "Deep House", source: "file" }]);
    expect(analyses[0]?.embedded).toMatchObject({ title: "Nachtbus", bpm: 60 });
    const found = app.deps.db.$client.query("SELECT rowid FROM track_text WHERE track_text MATCH ?");
    expect(found.all('"depot"')).toEqual([{ rowid: track.seq }]);
  });

  test("keeps what the owner wrote", async () => {
    const file = tagged(SONG, { TIT2: "mixdown 7", TPE1: "Someone", TCON: "Deep House" });
    const trackId = await add(file, { title: "Night Bus", bpm: 61, key: "D major", genres: ["Techno"] });

    await app.drainJobs();

    const { track, tags, analyses } = see(trackId);
    expect(track).toMatchObject({ title: "Night Bus", titleFold: "night bus", bpm: 61, key: "D major" });
    expect(track.artist).toBe("Someone");
    expect(tags).toMatchObject([{ name: "Techno", source: "owner" }]);
    expect(analyses).toMatchObject([{ key: "A minor" }]);
  });

  test("an analysis of silence has no tempo, key, loudness or vector", async () => {
    const trackId = await add(SILENCE);

    await app.drainJobs();

    const { track, analyses, vectors } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "completed", bpm: null, key: null, durationSec: 2 });
    expect(analyses).toMatchObject([{ integratedLufs: null, truePeakDbtp: null, bpm: null, key: null }]);
    expect(vectors).toEqual([]);
  });

  test("takes tempo and key from the file's tags if neither can be measured", async () => {
    const trackId = await add(tagged(SILENCE, { TBPM: "92", TKEY: "Gbm" }));

    await app.drainJobs();

    const { track, analyses } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "completed", bpm: 92, key: "F# minor" });
    expect(analyses).toMatchObject([{ bpm: null, key: null }]);
  });

  test("an analysis of a file that ends early says so", async () => {
    const trackId = await add(SONG.slice(0, SONG.length / 2));

    await app.drainJobs();

    const { track, analyses } = see(trackId);
    expect(track.analysisStatus).toBe("completed");
    expect(track.durationSec).toBeCloseTo(4, 1);
    expect(analyses).toMatchObject([{ truncated: true }]);
  });

  test("gives the same result when repeated", async () => {
    const trackId = await add(tagged(SONG, { TIT2: "Nachtbus", TCON: "Deep House" }));
    await app.drainJobs();
    const { events: _, ...first } = see(trackId);

    again(trackId);
    expect(see(trackId).track.analysisStatus).toBe("pending");
    await app.drainJobs();

    const { events, ...second } = see(trackId);
    expect(second).toEqual(first);
    expect(events).toHaveLength(2);
  });

  test.each(["tone.wav", "tone.aiff", "tone.flac", "tone.mp3", "tone.ogg", "tone.opus"])(
    "an analysis of %s needs no other program on the machine",
    async (name) => {
      const trackId = await add(await fixture(name));

      await app.drainJobs();

      const { track } = see(trackId);
      expect(track).toMatchObject({ analysisStatus: "completed", analysisReason: null });
      expect(track.durationSec).toBeGreaterThan(0.5);
    },
  );
});

describe("an analysis that fails", () => {
  test.each([
    ["of a file without sound", () => wavBytes([silence(RATE_HZ, 0)], RATE_HZ, 16), "no_audio"],
    ["of a damaged file", async () => (await fixture("tone.flac")).fill(0x55, 8), "corrupt"],
  ])("an analysis %s fails at once, with a reason and the hash", async (_, bytes, code) => {
    const trackId = await add(await bytes());

    await app.drainJobs();

    const { track, version, analyses, events, jobs } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "failed", analysisCode: code, analysisVersionId: null });
    expect(track.analysisReason).toEndWith(".");
    expect(track.cid).toBe(String(version?.sha256));
    expect({ analyses, events, jobs }).toEqual({ analyses: [], events: [], jobs: [] });
  });

  test("an analysis of a file that needs ffmpeg names ffmpeg, and still shows hash and tags", async () => {
    const trackId = await add(await fixture("tone-aac.m4a"));

    await app.drainJobs();

    const { track } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "failed", analysisCode: "needs_ffmpeg" });
    expect(track.analysisReason).toContain("ffmpeg");
    expect(track.cid).not.toBe("");
  });

  const ffmpeg = findFfmpeg(undefined);
  if (!ffmpeg) console.warn("No ffmpeg here: what becomes possible with it is not tested");
  test.skipIf(!ffmpeg)("a failed analysis is repeated once ffmpeg is installed", async () => {
    const trackId = await add(await fixture("tone-aac.m4a"));
    const brokenId = await add(wavBytes([silence(RATE_HZ, 0)], RATE_HZ, 16));
    await app.drainJobs();

    const workers = startWorkers({ ...app.deps, ffmpegPath: ffmpeg?.path }, { loops: false });
    expect(see(brokenId).track.analysisStatus).toBe("failed");
    await workers.drain();
    await workers.stop();

    expect(see(trackId).track).toMatchObject({
      analysisStatus: "completed",
      analysisCode: null,
      analysisReason: null,
    });
  });

  test("an analysis of a missing file says what to do", async () => {
    const trackId = await add(SONG);
    rmSync(blobPath(app.deps.settings, String(see(trackId).version?.sha256)));

    await app.drainJobs();

    const { track } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "failed", analysisCode: "file_missing", cid: "" });
    expect(track.analysisReason).toContain("backup");
  });

  test("an analysis of a track that is deleted meanwhile ends without a warning", async () => {
    const trackId = await add(SONG);
    const real = createAnalysisPool();
    const said = app.logged.length;

    await drainIn({
      run: async (task, signal) => {
        const outcome = await real.run(task, signal);
        app.deps.db.delete(tracks).where(eq(tracks.id, trackId)).run();
        return outcome;
      },
      close: real.close,
    });

    expect(app.logged.slice(said).filter(({ level }) => level !== "info")).toEqual([]);
  });

  test("an analysis of a deleted track is dropped", async () => {
    const trackId = await add(SONG);
    app.deps.db.delete(tracks).where(eq(tracks.id, trackId)).run();

    await app.drainJobs();

    const anyOther = await add(SILENCE);
    expect(see(anyOther).jobs).toHaveLength(1);
    expect(see(anyOther).events).toEqual([]);
  });
});

/** Runs the analyses that are due in `pool`. */
async function drainIn(pool: AnalysisPool): Promise<void> {
  const loop = startLoop(app.deps, {
    [ANALYZE_JOB]: { run: analyzeHandler(app.deps, pool), concurrency: 1 },
  });
  await loop.idle();
  await loop.stop();
  pool.close();
}

/** Makes a pool whose threads die as soon as they get a task. */
const dyingPool = (): AnalysisPool => {
  const url = new URL("./obedient-worker.ts", import.meta.url).href;
  const pool = createWorkerPool<string, never>(() => new Worker(url));
  return { run: (_, signal) => pool.run("throw", signal), close: pool.close };
};

const canSeeProcesses = existsSync("/proc/self/stat");

/** Returns the running child processes. */
function children(): string[] {
  return readdirSync("/proc").filter((pid) => {
    const [state, parent] = /^\d+$/.test(pid) ? statOf(pid) : [];
    return parent === String(process.pid) && state !== "Z";
  });
}

function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return []; // the process ended meanwhile
  }
}

describe("an interrupted analysis", () => {
  test("an analysis whose thread dies is repeated later", async () => {
    const trackId = await add(SONG);

    await drainIn(dyingPool());
    expect(see(trackId)).toMatchObject({
      track: { analysisStatus: "pending" },
      jobs: [{ state: "waiting", attempts: 1 }],
    });
    app.clock.advance(MINUTE_MS);
    await drainIn(createAnalysisPool());

    // What it may be a version of is looked for afterwards.
    const { track, jobs } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "completed" });
    expect(jobs.filter(({ name }) => name !== "relate")).toEqual([]);
  });

  test("an analysis that is interrupted three times is given up with a reason, and can be requested again", async () => {
    const trackId = await add(SONG);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await drainIn(dyingPool());
      app.clock.advance(DAY_MS);
    }

    const { track, jobs } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "failed", analysisCode: "analysis_failed" });
    expect(track.analysisReason).toContain("three times");
    expect(track.cid).not.toBe("");
    expect(jobs).toMatchObject([{ state: "dead", attempts: 3 }]);
    again(trackId);
    await app.drainJobs();

    expect(see(trackId).track.analysisStatus).toBe("completed");
  });

  test("an analysis that the end of the program interrupts is queued again without a counted try, and no process is left", async () => {
    const trackId = await add(wavBytes([noise(RATE_HZ, 300)], RATE_HZ, 16));
    const workers = startWorkers(app.deps);
    while (see(trackId).track.analysisStatus !== "processing")
      await new Promise((resolve) => setImmediate(resolve));
    while (canSeeProcesses && children().length === 0) await new Promise((resolve) => setImmediate(resolve));

    await workers.stop();

    if (canSeeProcesses) expect(children()).toEqual([]);
    expect(see(trackId)).toMatchObject({
      track: { analysisStatus: "pending" },
      jobs: [{ state: "waiting", attempts: 0 }],
    });
  });

  test("an analysis that a crash interrupts is done after the next start", async () => {
    const trackId = await add(SONG);
    claimJob(app.deps, ANALYZE_JOB);
    app.deps.db.update(tracks).set({ analysisStatus: "processing" }).run();

    await app.drainJobs();

    expect(see(trackId)).toMatchObject({ track: { analysisStatus: "completed" }, jobs: [] });
  });

  test("an analysis whose job was lost in a crash is queued again", async () => {
    const trackId = await add(SONG);
    app.deps.db.$client.run("DELETE FROM jobs");

    await app.drainJobs();

    expect(see(trackId).track.analysisStatus).toBe("completed");
  });

  test("an analysis that the program crashes in ten times fails with a reason", async () => {
    const trackId = await add(SONG);
    app.deps.db.$client.run("UPDATE jobs SET attempts = 9");
    claimJob(app.deps, ANALYZE_JOB);
    app.deps.db.update(tracks).set({ analysisStatus: "processing" }).run();

    await app.drainJobs();

    expect(see(trackId)).toMatchObject({
      track: { analysisStatus: "failed", analysisCode: "analysis_failed" },
      jobs: [{ state: "dead" }],
    });
  });

  test("an analysis that a new active version interrupts is kept for the old version, and the new one is analysed", async () => {
    const trackId = await add(SONG);
    const otherId = await add(SILENCE);
    const { db } = app.deps;
    const first = see(trackId).track.activeVersionId;
    const second = newId("ver");
    const activate = () => {
      const other = see(otherId).version;
      if (!other) throw new Error("No version");
      db.insert(versions)
        .values({ ...other, id: second, trackId, versionOrder: 1 })
        .run();
      db.update(tracks).set({ activeVersionId: second }).where(eq(tracks.id, trackId)).run();
    };
    const real = createAnalysisPool();
    const switching: AnalysisPool = {
      run: async (task, signal) => {
        const outcome = await real.run(task, signal);
        if (see(trackId).track.activeVersionId === first) activate();
        return outcome;
      },
      close: real.close,
    };

    await drainIn(switching);

    const { track, analyses, events } = see(trackId);
    expect(track).toMatchObject({ analysisStatus: "completed", analysisVersionId: second, durationSec: 2 });
    expect(track).toMatchObject({ bpm: null, key: null });
    expect(analyses.map(({ versionId, durationSec }) => [versionId, durationSec]).sort()).toEqual(
      [[first, 8] as [string, number], [second, 2] as [string, number]].sort(),
    );
    expect(events.filter(({ data }) => data.trackId === trackId)).toHaveLength(1);
  });
});
