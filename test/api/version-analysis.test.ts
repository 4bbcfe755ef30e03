import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { events, jobs, tracks, trackTags, trackVectors } from "../../db/schema.ts";
import { claimJob } from "../../src/jobs/claim.ts";
import { releaseAll } from "../../src/jobs/settle.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { ANALYZE_JOB, recoverAnalyses } from "../../src/modules/library/analysis/service.ts";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { wavBytes } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 16_000;
const SECONDS = 6;
const FIRST = wavBytes([tune(RATE_HZ, SECONDS, 1)], RATE_HZ, 16);
/** Another piece, and louder: whatever of it came into the track would show. */
const second = (gain: number) =>
  wavBytes([tune(RATE_HZ, SECONDS - 1, 2).map((sample) => gain * sample)], RATE_HZ, 16);
const BROKEN = new Uint8Array([...new TextEncoder().encode("fLaC"), ...new Uint8Array(200).fill(7)]);

let app: TestApp;
let account: ReturnType<TestApp["createAccount"]>;
let call: ReturnType<TestApp["as"]>;
let trackId: string;
beforeAll(async () => {
  app = await createTestApp();
  account = app.createAccount();
  call = app.as(app.createKey(account.accountId));
  const form = new FormData();
  form.set("files", new File([FIRST], "first.wav"));
  trackId = (await call("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await app.drainJobs();
});
afterAll(() => app.close());

/** Adds a version that the track does not play. */
async function addAside(bytes: Uint8Array | ArrayBuffer): Promise<{ id: string; downloadUrl: string }> {
  const form = new FormData();
  form.set("file", new File([bytes as ArrayBuffer], "second.wav"));
  form.set("activate", "false");
  return (await call("POST", `/tracks/${trackId}/versions`, form)).body.data;
}

const diff = (versionId: string, as = call) => as("GET", `/tracks/${trackId}/versions/${versionId}/diff`);

async function sheetOf(versionId: string): Promise<Json> {
  const { body } = await app.signedIn(account.token)("GET", `/app/tracks/${trackId}/versions`);
  return body.data.find(({ id }: { id: string }) => id === versionId);
}

const analysesWaiting = () =>
  app.deps.db
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(eq(jobs.name, ANALYZE_JOB))
    .all()
    .map(({ payload }) => payload);

const analysesRunnable = () =>
  app.deps.db.$client.query("SELECT 1 FROM jobs WHERE name = ? AND state <> 'dead'").all(ANALYZE_JOB).length;

/** What somebody hears who opens a link to the track. */
async function heardByLink(): Promise<Uint8Array> {
  const { body } = await app.signedIn(account.token)("POST", "/app/shares", { trackId });
  const { text } = await createVisitor(app).open(new URL(body.data.url).pathname);
  const audio = await app.request(attributesOf(text, "data-src")[0] ?? "");
  return new Uint8Array(await audio.arrayBuffer());
}

/** Everything of the track that a version could change, as the library stores it and as people are told. */
function trackAsItIs() {
  const { db } = app.deps;
  return {
    track: db.select().from(tracks).where(eq(tracks.id, trackId)).get(),
    tags: db.select().from(trackTags).where(eq(trackTags.trackId, trackId)).all(),
    suggestions: db.$client.query("SELECT * FROM tag_suggestions WHERE track_id = ?").all(trackId),
    vectors: db.select().from(trackVectors).where(eq(trackVectors.trackId, trackId)).all(),
    sound: db.$client.query("SELECT * FROM sound_vectors").all(),
    events: db.select().from(events).all(),
  };
}

describe("a version that is compared without being active", () => {
  test("is analysed, and the track keeps what it plays, shows and is found by", async () => {
    const { id } = await addAside(second(0.8));
    const before = trackAsItIs();

    const early = await diff(id);
    await diff(id);
    expect([early.status, early.body.messageCode]).toEqual([409, "version_not_analysed"]);
    expect(early.body.message).toContain("is being analysed");
    expect(analysesWaiting()).toEqual([{ trackId, versionId: id }]);
    expect(await sheetOf(id)).toMatchObject({ isAnalysed: false, analysis: "pending", active: false });
    await app.drainJobs();

    const { status, body } = await diff(id);
    expect(status).toBe(200);
    expect(body.data.durationSec).toMatchObject({ version: SECONDS - 1, against: SECONDS });
    expect(await sheetOf(id)).toMatchObject({
      isAnalysed: true,
      analysis: "completed",
      active: false,
      durationSec: SECONDS - 1,
      integratedLufs: expect.any(Number),
    });
    expect((await call("GET", `/tracks/${trackId}/versions/${id}/waveform`)).status).toBe(200);
    expect(trackAsItIs()).toEqual(before);
    expect(analysesWaiting()).toEqual([]);
    expect(await heardByLink()).toEqual(new Uint8Array(FIRST));
  });

  test("is analysed with the one it is compared with, when that has no analysis either", async () => {
    const [one, other] = [await addAside(second(0.5)), await addAside(second(0.4))];
    const compare = () => call("GET", `/tracks/${trackId}/versions/${one.id}/diff?against=${other.id}`);

    expect((await compare()).status).toBe(409);
    await app.drainJobs();

    expect((await compare()).body.data).toMatchObject({ versionId: one.id, against: other.id });
  });

  test("is asked for by its owner alone", async () => {
    const { id } = await addAside(second(0.3));
    const stranger = app.as(app.createKey(app.createAccount().accountId));

    for (const path of ["diff", "waveform"])
      expect((await stranger("GET", `/tracks/${trackId}/versions/${id}/${path}`)).status).toBe(404);

    expect(analysesWaiting()).toEqual([]);
    expect((await sheetOf(id)).analysis).toBe("none");
  });

  test("is not tried again and again when its file is broken, only once a day", async () => {
    const { id } = await addAside(BROKEN);
    const before = trackAsItIs();
    await diff(id);
    await app.drainJobs();

    const late = await diff(id);

    expect([late.status, late.body.messageCode]).toEqual([409, "version_not_analysed"]);
    expect(late.body.message).toContain("could not be analysed");
    expect(late.body.message).not.toMatch(/active/i);
    expect((await sheetOf(id)).analysis).toBe("failed");
    expect(analysesWaiting()).toEqual([]);
    expect(trackAsItIs()).toEqual(before);
    app.clock.advance(DAY_MS);
    await diff(id);
    expect(analysesWaiting()).toEqual([{ trackId, versionId: id }]);
    await app.drainJobs();
  });

  test("counts as tried when the program ended each time", async () => {
    const { id } = await addAside(second(0.1));
    await diff(id);
    while (analysesRunnable() > 0) {
      claimJob(app.deps, ANALYZE_JOB);
      releaseAll(app.deps);
      recoverAnalyses(app.deps);
    }

    expect((await diff(id)).body.message).toContain("could not be analysed");
    expect((await sheetOf(id)).analysis).toBe("failed");
    expect(analysesWaiting()).toHaveLength(1); // the dead one
    app.deps.db.delete(jobs).run();
  });

  test("keeps the track's hash true when it becomes active before its analysis ends", async () => {
    const { id } = await addAside(second(0.2));
    const first = trackAsItIs().track;
    await diff(id);
    await call("POST", `/tracks/${trackId}/versions/${id}/activate`);
    await app.drainJobs();

    const { bpm, key, durationSec, analysisVersionId, cid } = trackAsItIs().track ?? {};
    expect({ bpm, key, durationSec, analysisVersionId }).toEqual({
      bpm: first?.bpm as number | null,
      key: first?.key as string | null,
      durationSec: first?.durationSec as number | null,
      analysisVersionId: first?.analysisVersionId as string | null,
    });
    expect(cid).toMatch(/^[0-9a-f]{64}$/);
    expect(cid).not.toBe(first?.cid as string);
    await call("POST", `/tracks/${trackId}/versions/${first?.activeVersionId}/activate`);
  });
});

describe("a version that is downloaded without being active", () => {
  const analyseOf = (payload: Json) => payload.versionId;

  test("is analysed, however often it is downloaded, and the track stays as it is", async () => {
    const { id, downloadUrl } = await addAside(second(0.7));
    const before = trackAsItIs().track;

    await app.request(downloadUrl, { method: "HEAD" });
    expect(analysesWaiting()).toEqual([]);
    for (const peer of ["192.0.2.1", "192.0.2.2"])
      expect((await app.request(downloadUrl, { peer })).status).toBe(200);
    expect(analysesWaiting().map(analyseOf)).toEqual([id]);
    await app.drainJobs();

    expect(await sheetOf(id)).toMatchObject({ analysis: "completed", durationSec: SECONDS - 1 });
    expect(trackAsItIs().track).toEqual(before);
    await app.request(downloadUrl, { peer: "192.0.2.3" });
    expect(analysesWaiting()).toEqual([]);
  });

  test("is not queued a second time while it is being analysed", async () => {
    const { id, downloadUrl } = await addAside(second(0.6));
    await app.request(downloadUrl);
    const job = claimJob(app.deps, ANALYZE_JOB);

    await diff(id);

    expect(job?.payload).toEqual({ trackId, versionId: id });
    expect(analysesWaiting()).toHaveLength(1);
  });
});
