import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accountChanges, commentPlaces } from "../../db/schema.ts";
import { claimJob } from "../../src/jobs/claim.ts";
import { releaseAll } from "../../src/jobs/settle.ts";
import { requestAnalysis } from "../../src/modules/library/analysis/service.ts";
import { CARRY_JOB, requestCarrying } from "../../src/modules/library/recordings/service.ts";
import { carryMissing } from "../../src/modules/sharing/comments/carry/recover.ts";
import { createRememberingPool } from "../support/analysed-once.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { silence, wavBytes } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 16_000;
const SECONDS = 40;
const SONG = tune(RATE_HZ, SECONDS, 5);
const part = (fromSec: number, toSec: number) => SONG.subarray(fromSec * RATE_HZ, toSec * RATE_HZ);
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((each) => [...each]));

const TRIMMED = part(1.5, SECONDS);
const CUT = joined(part(0, 5), part(15, SECONDS));
const MUTED = joined(part(0, 10), silence(RATE_HZ, 9), part(19, SECONDS));

let app: TestApp;
let call: ReturnType<TestApp["as"]>;
let trackId: string;
let firstId: string;
beforeAll(async () => {
  app = await createTestApp({ analysing: createRememberingPool() });
  call = app.as(app.createKey(app.createAccount().accountId));
});
afterAll(() => app.close());
beforeEach(async () => {
  const form = new FormData();
  form.set("files", new File([wavBytes([SONG], RATE_HZ, 16)], `song ${Math.random()}.wav`));
  trackId = (await call("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await app.drainJobs();
  firstId = (await call("GET", `/tracks/single?id=${trackId}`)).body.data.activeVersionId;
});

async function addVersion(samples: Float32Array, { activate = true } = {}): Promise<string> {
  const form = new FormData();
  form.set("file", new File([wavBytes([Float32Array.from(samples)], RATE_HZ, 16)], "next.wav"));
  form.set("activate", String(activate));
  return (await call("POST", `/tracks/${trackId}/versions`, form)).body.data.id;
}

async function addNote(positionSec: number, more: object = {}): Promise<string> {
  const body = { text: "Too loud", positionSec, ...more };
  return (await call("POST", `/tracks/${trackId}/comments`, body)).body.data.id;
}

type Place = Pick<typeof commentPlaces.$inferSelect, "atSec" | "endSec" | "how">;
function placeOf(commentId: string, versionId: string): Place | undefined {
  const rows = app.deps.db.select().from(commentPlaces).where(eq(commentPlaces.commentId, commentId)).all();
  const row = rows.find((each) => each.versionId === versionId);
  return row && { atSec: row.atSec, endSec: row.endSec, how: row.how };
}
/** Returns a place with what is wanted of it, if it is within 20 ms of that. */
function near(sec: number, place: Place | undefined): Place | undefined {
  const isNear = place?.atSec != null && Math.abs(place.atSec - sec) <= 0.02;
  return isNear ? { ...place, atSec: sec } : place;
}

describe("the times of words", () => {
  const words = "One\nTwo\nThree\nFour";
  const at = (...times: (number | null)[]) =>
    words.split("\n").map((text, index) => ({ text, atMs: times[index] ?? null }));
  const sung = async (versionId: string) => {
    const { lines, origin } = (await call("GET", `/tracks/${trackId}/lyrics?versionId=${versionId}`)).body
      .data;
    return {
      origin,
      times: lines.map(({ atMs }: { atMs: number | null }) => atMs && Math.round(atMs / 20) * 20),
    };
  };

  test("are carried into versions that line up, without the lines that were cut, until somebody times one", async () => {
    await call("PUT", `/tracks/${trackId}/lyrics`, { lines: at(2000, 4000, 10_000, 25_000) });
    const added = async (samples: Float32Array) => {
      const id = await addVersion(samples);
      await app.drainJobs();
      return id;
    };
    const trimmed = await added(TRIMMED);
    const cut = await added(CUT);
    const other = await added(tune(RATE_HZ, SECONDS, 6));

    expect(await sung(trimmed)).toEqual({ origin: "carried", times: [500, 2500, 8500, 23_500] });
    expect(await sung(cut)).toEqual({ origin: "carried", times: [2000, 4000, null, 15_000] });
    expect(await sung(other)).toEqual({ origin: null, times: [null, null, null, null] });

    app.clock.advance(1000);
    await call("PUT", `/tracks/${trackId}/lyrics`, { lines: at(1000), versionId: cut });
    await call("PUT", `/tracks/${trackId}/lyrics`, { lines: at(3000, 4000), versionId: firstId });
    await app.drainJobs();

    expect(await sung(trimmed)).toEqual({ origin: "carried", times: [1500, 2500, null, null] });
    expect(await sung(cut)).toEqual({ origin: "written", times: [1000, null, null, null] });
  });
});

describe("a note on the first version", () => {
  test("is carried into a version without the first second and a half", async () => {
    const note = await addNote(10);
    const second = await addVersion(TRIMMED);
    await app.drainJobs();

    const [there] = (await call("GET", `/tracks/${trackId}/comments?versionId=${second}`)).body.data;
    expect(there.id).toBe(note);
    expect(there.place.how).toBe("carried");
    expect(there.place.positionSec).toBeWithin(8.48, 8.52);
    const [heard] = (await call("GET", `/tracks/${trackId}/comments?versionId=${firstId}`)).body.data;
    expect(heard.place).toEqual({ positionSec: 10, endSec: null, how: "heard" });
  });

  test("is gone from a version without its passage, and carried behind the cut", async () => {
    const [cut, behind] = [await addNote(10), await addNote(25)];
    const second = await addVersion(CUT);
    await app.drainJobs();

    expect(placeOf(cut, second)).toEqual({ atSec: null, endSec: null, how: "gone" });
    expect(near(15, placeOf(behind, second))).toEqual({ atSec: 15, endSec: null, how: "carried" });
  });

  test("keeps its moment where the passage was muted", async () => {
    const note = await addNote(13);
    const second = await addVersion(MUTED);
    await app.drainJobs();

    expect(near(13, placeOf(note, second))).toEqual({ atSec: 13, endSec: null, how: "carried" });
  });

  test("keeps its length where one end of its range was cut", async () => {
    const note = await addNote(3, { endSec: 8 });
    const second = await addVersion(CUT);
    await app.drainJobs();

    expect(near(3, placeOf(note, second))).toEqual({ atSec: 3, endSec: 8, how: "carried" });
  });

  test("is gone from another song", async () => {
    const note = await addNote(10);
    const second = await addVersion(tune(RATE_HZ, SECONDS, 6));
    await app.drainJobs();

    expect(placeOf(note, second)).toEqual({ atSec: null, endSec: null, how: "gone" });
  });

  test("is at about the same second of silence, and no later than its end", async () => {
    const [note, late] = [await addNote(3), await addNote(30)];
    const second = await addVersion(silence(RATE_HZ, 8));
    await app.drainJobs();

    expect(placeOf(note, second)).toEqual({ atSec: 3, endSec: null, how: "about" });
    expect(placeOf(late, second)).toEqual({ atSec: 8, endSec: null, how: "about" });
  });

  test("is carried from there, not from where it was carried to", async () => {
    const note = await addNote(10);
    await addVersion(TRIMMED);
    await app.drainJobs();
    const third = await addVersion(SONG);
    await app.drainJobs();

    expect(placeOf(note, third)).toEqual({ atSec: 10, endSec: null, how: "carried" });
  });

  test("is carried into the versions of the track when it is made later", async () => {
    const second = await addVersion(TRIMMED);
    await app.drainJobs();
    const note = await addNote(20, { versionId: firstId });
    await app.drainJobs();

    expect(near(18.5, placeOf(note, second))).toEqual({ atSec: 18.5, endSec: null, how: "carried" });
  });

  test("has a rough place in a version that was never analysed when it is activated, and its own soon after", async () => {
    const note = await addNote(10);
    const aside = await addVersion(TRIMMED, { activate: false });
    await app.drainJobs();
    expect(placeOf(note, aside)).toBeUndefined();

    await call("POST", `/tracks/${trackId}/versions/${aside}/activate`);
    await app.drainJobs();

    expect(near(8.5, placeOf(note, aside))).toEqual({ atSec: 8.5, endSec: null, how: "carried" });
  });

  test("keeps its place by hand when the version is analysed again", async () => {
    const note = await addNote(10);
    const second = await addVersion(TRIMMED);
    await app.drainJobs();
    const byHand = { atSec: 9, endSec: null, how: "placed" as const };
    app.deps.db.update(commentPlaces).set(byHand).where(eq(commentPlaces.commentId, note)).run();
    analyseAgain();
    await app.drainJobs();

    expect(placeOf(note, second)).toEqual(byHand);
  });

  test("stays where it was carried to when the version in which it was heard is deleted", async () => {
    const note = await addNote(10);
    const second = await addVersion(TRIMMED);
    await app.drainJobs();
    await call("DELETE", `/tracks/${trackId}/versions/${firstId}`);
    analyseAgain();
    await app.drainJobs();

    expect(near(8.5, placeOf(note, second))).toEqual({ atSec: 8.5, endSec: null, how: "carried" });
  });

  test("is carried after an update from a program that carried none", async () => {
    const note = await addNote(10);
    const second = await addVersion(TRIMMED);
    await app.drainJobs();
    app.deps.db.delete(commentPlaces).run();
    await carryMissing(app.deps, new AbortController().signal);
    await app.drainJobs();

    expect(near(8.5, placeOf(note, second))).toEqual({ atSec: 8.5, endSec: null, how: "carried" });
    await carryMissing(app.deps, new AbortController().signal);
    expect(claimJob(app.deps, CARRY_JOB)).toBeUndefined();
  });

  test("is carried once more when the program ended in the middle, to the same place", async () => {
    const note = await addNote(10);
    const second = await addVersion(TRIMMED);
    await app.drainJobs();
    const before = placeOf(note, second);
    const changes = countChanges();
    requestCarrying(app.deps.db, second, { isMissing: false }, app.clock.now());
    expect(claimJob(app.deps, CARRY_JOB)).toBeDefined();
    releaseAll(app.deps);
    await app.drainJobs();

    expect(placeOf(note, second)).toEqual(before);
    // Nothing was written, so nobody is told of a change.
    expect(countChanges()).toBe(changes);
  });
});

const analyseAgain = () => requestAnalysis(app.deps.db, trackId, app.clock.now());
const countChanges = () =>
  app.deps.db.select().from(accountChanges).where(eq(accountChanges.topic, "comments")).all().length;
