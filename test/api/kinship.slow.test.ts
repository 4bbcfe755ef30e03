import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { enqueue } from "../../src/jobs/queue.ts";
import { requestRelating } from "../../src/modules/library/recordings/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { wavBytes } from "../support/signals.ts";
import { type Mix, tune } from "../support/tune.ts";

const SECONDS = 18;
const RATE_HZ = 22_050;
/** A song of its own for each seed, in a mix. */
const song = (seed: number, mix: Partial<Mix> = {}) => tune(RATE_HZ, SECONDS, seed, mix).map((x) => 0.4 * x);
const wav = (samples: Float32Array) => wavBytes([samples], RATE_HZ, 16) as Uint8Array<ArrayBuffer>;

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let web: ReturnType<TestApp["signedIn"]>;
let stranger: ReturnType<TestApp["signedIn"]>;
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  const other = app.createAccount();
  web = app.signedIn(owner.token);
  stranger = app.signedIn(other.token);
  await upload({ "Halo.wav": song(1), "Tide.wav": song(5) });
  await upload({
    "Halo (Instrumental).wav": song(1, { lead: 0 }),
    "Halo 12s.wav": song(1).slice(3 * RATE_HZ, 15 * RATE_HZ),
    "Tide (Instrumental).wav": song(9),
    "Nothing like it.wav": song(13),
  });
}, 120_000);
afterAll(() => app.close());

async function upload(files: Record<string, Float32Array>): Promise<void> {
  const call = app.as(app.createKey(owner.accountId));
  for (const [name, samples] of Object.entries(files)) {
    const form = new FormData();
    form.append("files", new File([wav(samples)], name));
    const { body } = await call("POST", "/tracks/upload", form);
    ids.set(name, body.data.uploaded[0].id);
    app.clock.advance(1000);
  }
  await app.drainJobs();
}

const idOf = (name: string) => ids.get(name) ?? "";
const kept = async (): Promise<Json[]> => (await web("GET", "/app/families/kept")).body.data;
const questions = async (as = web): Promise<Json> => (await as("GET", "/app/families/questions")).body;

describe("a track whose name and sound agree", () => {
  test("joins its song by itself, as what both say", async () => {
    const rows = await kept();

    expect(rows.map(({ title, kind, editSec, mainTitle }) => [title, kind, editSec, mainTitle])).toEqual([
      ["Halo 12s", "main", 12, "Halo"],
      ["Halo (Instrumental)", "instrumental", null, "Halo"],
    ]);
  });

  test("is not asked about as a mix of its song", async () => {
    const offered: Json[] = (await web("GET", "/app/tracks/mixes")).body.data;

    expect(offered.map(({ title }) => title)).not.toContain("Halo (Instrumental)");
  });
});

describe("a track of which only the name says so", () => {
  test("joins nothing, and is asked about", async () => {
    const { data, total } = await questions();

    expect(total).toBe(1);
    expect(data).toMatchObject([
      {
        ...{ id: idOf("Tide (Instrumental).wav"), title: "Tide (Instrumental)" },
        ...{ otherId: idOf("Tide.wav"), otherTitle: "Tide", kind: "instrumental", editSec: null },
        ...{ isByName: true, isBySound: false, sound: null },
      },
    ]);
  });

  test("is asked about on its own page and on that of the other", async () => {
    for (const name of ["Tide (Instrumental).wav", "Tide.wav"]) {
      const { body } = await web("GET", `/app/families/questions?trackId=${idOf(name)}`);
      expect(body.data).toHaveLength(1);
    }
    expect((await web("GET", `/app/families/questions?trackId=${idOf("Halo.wav")}`)).body.data).toEqual([]);
  });

  test("is nothing that another account sees or answers", async () => {
    const at = `/app/families/questions/${idOf("Tide (Instrumental).wav")}/${idOf("Tide.wav")}`;

    expect((await questions(stranger)).total).toBe(0);
    expect((await stranger("POST", at, { answer: "yes" })).status).toBe(404);
    const asked = await stranger("GET", `/app/families/questions?trackId=${idOf("Tide.wav")}`);
    expect(asked.status).toBe(404);
    expect((await questions()).total).toBe(1);
  });

  test("is never asked about again after a no", async () => {
    const at = `/app/families/questions/${idOf("Tide (Instrumental).wav")}/${idOf("Tide.wav")}`;

    const { status, body } = await web("POST", at, { answer: "no" });

    expect([status, body.data.familyId]).toEqual([200, null]);
    expect((await questions()).total).toBe(0);
    expect((await web("POST", at, { answer: "yes" })).status).toBe(404);
    await web("POST", `/app/tracks/${idOf("Tide (Instrumental).wav")}/reanalyze`);
    await app.drainJobs();
    expect((await questions()).total).toBe(0);
  });
});

test("a track stays new when a crash has its analysis repeated before it was compared", () => {
  const { db } = app.deps;
  const payloads = db.$client.prepare<{ isNew: number }, []>(
    "SELECT payload ->> '$.isNew' AS isNew FROM jobs WHERE name = 'relate'",
  );
  requestRelating(db, idOf("Halo.wav"), { isNew: true }, 0);
  requestRelating(db, idOf("Halo.wav"), { isNew: false }, 0);

  expect(payloads.all()).toEqual([{ isNew: 1 }]);
  db.$client.run("DELETE FROM jobs WHERE name = 'relate'");
});

describe("what was there before", () => {
  test("is asked about once, however sure it is, joins nothing by itself, and is not decoded again", async () => {
    const { db } = app.deps;
    db.$client.run(
      `CREATE TEMP TRIGGER compared_again BEFORE INSERT ON kinship_comparisons
       BEGIN SELECT RAISE(ABORT, 'compared again'); END`,
    );
    db.$client.run("CREATE TEMP TABLE steps (at INTEGER)");
    db.$client.run(
      `CREATE TEMP TRIGGER steps_of_old AFTER INSERT ON jobs WHEN NEW.name = 'relate_old'
       BEGIN INSERT INTO steps VALUES (1); END`,
    );
    db.$client.run("DELETE FROM family_members");
    db.$client.run("DELETE FROM family_signs WHERE state = 'joined'");
    enqueue(
      db,
      { name: "relate_old", payload: { below: Number.MAX_SAFE_INTEGER }, uniqueKey: "relate_old" },
      0,
    );

    await app.drainJobs();

    db.$client.run("DROP TRIGGER compared_again");
    const { steps } = db.$client.query("SELECT count(*) AS steps FROM steps").get() as { steps: number };
    // Tracks of which there is nothing to say write nothing: requests wait for writes.
    expect(steps).toBeLessThanOrEqual(ids.size);
    const { data } = await questions();
    const asked = data.map(({ title, kind, editSec, isBySound }: Json) => [title, kind, editSec, isBySound]);
    expect(asked.toSorted()).toEqual([
      ["Halo (Instrumental)", "instrumental", null, true],
      ["Halo 12s", "main", 12, true],
    ]);
    expect(db.$client.query("SELECT count(*) AS count FROM families").get()).toEqual({ count: 0 });
  });

  test("is not compared again by a job that runs twice, as after a crash", async () => {
    const before = await questions();
    for (const name of ["Halo.wav", "Halo (Instrumental).wav"])
      requestRelating(app.deps.db, idOf(name), { isNew: true }, 0);

    await app.drainJobs();

    expect(await questions()).toEqual(before);
    expect(await kept()).toEqual([]);
  });

  test("joins one set, whichever of its tracks are answered in which order", async () => {
    const { data } = await questions();
    const answers = await Promise.all(
      data.map(({ id, otherId }: Json) =>
        web("POST", `/app/families/questions/${id}/${otherId}`, { answer: "yes" }),
      ),
    );

    const sets = new Set(answers.map(({ body }) => body.data.familyId));
    expect([answers.map(({ status }) => status), sets.size]).toEqual([[200, 200], 1]);
    const { body } = await web("GET", `/app/library/tracks/${idOf("Halo.wav")}/family`);
    expect(body.data.members.map(({ title, kind }: Json) => [title, kind])).toEqual([
      ["Halo", "main"],
      ["Halo (Instrumental)", "instrumental"],
      ["Halo 12s", "main"],
    ]);
    expect(body.data.members.map(({ sound }: Json) => sound && Math.round(sound.offsetMs))).toEqual([
      null,
      0,
      3000,
    ]);
  });
});

describe("the stems of a set", () => {
  const sumOf = async (): Promise<Json> =>
    (await web("GET", `/app/tracks/${idOf("Moss.wav")}/family`)).body.data.stemSum;
  const keep = async (name: string, kind: string, part?: string) => {
    const given = { with: idOf("Moss.wav"), kind, ...(part && { part }) };
    expect((await web("PUT", `/app/tracks/${idOf(name)}/family`, given)).status).toBe(200);
    await app.drainJobs();
  };

  test("say what is missing of the mix until all are there, then how exactly they add up to it", async () => {
    await upload({
      "Moss.wav": song(21),
      "x1.wav": song(21, { hat: 0 }),
      "x2.wav": song(21, { lead: 0, bass: 0 }),
    });
    await keep("x1.wav", "stem", "keys");

    expect(await sumOf()).toMatchObject({ count: 1, missing: { part: "drums", fromHz: 6000, toHz: null } });
    await keep("x2.wav", "stem", "drums");
    const whole = await sumOf();
    expect(whole).toMatchObject({ count: 2, missing: null });
    expect(whole.residualDb).toBeLessThan(-55);
  });
});
