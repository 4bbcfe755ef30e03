import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { transact } from "../../db/client.ts";
import { jobs, tagFeedback, tagLearners, tagModels, tracks } from "../../db/schema.ts";
import { freshSuggestions } from "../../src/modules/library/analysis/learning/refresh.ts";
import { RULES_VERSION } from "../../src/modules/library/analysis/learning/versions.ts";
import { recoverLearning } from "../../src/modules/library/analysis/service.ts";
import { LEARN_JOB, replaceSuggestions } from "../../src/modules/library/tags/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addClips } from "./library.ts";
import { KINDS, type Kind } from "./sounds.ts";

let app: TestApp;
let ownerId: string;
let token: string;
let api: ReturnType<TestApp["as"]>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
/** Signs in an account with an empty library. */
beforeEach(() => {
  ({ accountId: ownerId, token } = app.createAccount());
  api = app.as(app.createKey(ownerId));
});

type Names = Record<string, string[]>;
const add = (kind: Kind, from: number, to: number): string[] =>
  addClips(
    app,
    ownerId,
    kind,
    Array.from({ length: to - from }, (_, i) => from + i),
  );
const patch = (id: string | undefined, tags: Names) => api("PATCH", `/tracks/tags?id=${id}`, tags);
const suggested = async (id: string | undefined) =>
  (await api("GET", `/tracks/suggested-tags?id=${id}`)).body.data;
const genresOf = async (id: string | undefined): Promise<string[]> =>
  (await suggested(id)).suggestedTags.genres ?? [];

/** Runs the jobs that train the models and rate the library again. */
async function learn(): Promise<void> {
  await app.drainJobs();
  app.clock.advance(60_000);
  await app.drainJobs();
}

/** Returns an account's models, to the last bit. */
function modelsOf(id: string): string[] {
  const rows = app.deps.db.select().from(tagModels).where(eq(tagModels.ownerId, id)).all();
  return rows.flatMap(({ category, tagId, parameters }) =>
    parameters ? [`${category} ${tagId} ${parameters.toString("hex")}`] : [],
  );
}
const versionOf = (id: string) =>
  app.deps.db.select().from(tagLearners).where(eq(tagLearners.ownerId, id)).get()?.modelVersion;

describe("more corrections give better suggestions", () => {
  const NAMES: Readonly<Record<Kind, string>> = {
    club: "House",
    bells: "World",
    chords: "Classical",
    weather: "Ambient",
    drone: "Experimental",
  };

  /** Returns how right the genre suggestions of each kind are on uncorrected tracks: F1, 0 to 1. */
  async function f1OfKinds(held: ReadonlyMap<Kind, readonly string[]>): Promise<Map<Kind, number>> {
    const said: { kind: Kind; genres: string[] }[] = [];
    for (const [kind, ids] of held) for (const id of ids) said.push({ kind, genres: await genresOf(id) });
    return new Map(
      KINDS.map((kind) => {
        const isSuggested = (each: (typeof said)[number]) => each.genres.includes(NAMES[kind]);
        const hits = said.filter((each) => each.kind === kind && isSuggested(each)).length;
        const wrong = said.filter((each) => each.kind !== kind && isSuggested(each)).length;
        return [kind, (2 * hits) / ((held.get(kind)?.length ?? 0) + hits + wrong)];
      }),
    );
  }

  test("corrections give uncorrected tracks better suggestions, while other tags stay as good as before", async () => {
    const taught = new Map(KINDS.map((kind) => [kind, add(kind, 0, 10)]));
    const held = new Map(KINDS.map((kind) => [kind, add(kind, 10, 20)]));
    const teach = async (kind: Kind, from: number, to: number) => {
      for (const id of taught.get(kind)?.slice(from, to) ?? []) await patch(id, { genres: [NAMES[kind]] });
    };
    for (const kind of KINDS.slice(1)) await teach(kind, 0, 5);
    await learn();
    const curve = [await f1OfKinds(held)];

    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 5],
      [5, 10],
    ] as const) {
      await teach("club", from, to);
      await learn();
      curve.push(await f1OfKinds(held));
    }

    const club = curve.map((f1) => f1.get("club") ?? 0);
    const others = curve.map((f1) => (sumOf([...f1.values()]) - (f1.get("club") ?? 0)) / (KINDS.length - 1));
    expect(club[0]).toBe(0);
    expect(club).toEqual(club.toSorted());
    expect(club[2]).toBeGreaterThan(club[1] ?? 1);
    expect(club.at(-1)).toBeGreaterThan(0.85);
    expect(Math.min(...others)).toBe(others[0] ?? 0);
    expect(others[0]).toBeGreaterThan(0.75);
  });

  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
});

describe("a house vocabulary", () => {
  test("is learnt from a few tracks, and suggested for similar ones", async () => {
    const [first, second, alike] = add("drone", 0, 3);
    const [loud, louder, loudest, other] = add("club", 3, 7);
    for (const id of [first, second]) await patch(id, { additionalTags: ["Sleep Series"] });
    for (const id of [loud, louder, loudest]) await patch(id, { additionalTags: ["Friday"] });

    await learn();

    const { suggestedTags, suggestions } = await suggested(alike);
    expect(suggestedTags.additionalTags).toEqual(["Sleep Series"]);
    expect(suggestions).toContainEqual(
      expect.objectContaining({ category: "additionalTags", name: "Sleep Series" }),
    );
    expect((await suggested(other)).suggestedTags.additionalTags ?? []).not.toContain("Sleep Series");
  });

  test("adds to the owner's tags when suggestions are accepted", async () => {
    const [first, second, alike] = add("drone", 0, 3);
    for (const id of [first, second]) await patch(id, { additionalTags: ["Sleep Series"] });
    await patch(alike, { additionalTags: ["for Tuesday"] });
    await learn();

    await api("POST", "/tracks/apply-suggested-tags", { trackId: alike });

    const { body } = await patch(alike, {});
    expect(body.data.tags.additionalTags).toEqual(["for Tuesday", "Sleep Series"]);
  });
});

describe("a track's verdicts", () => {
  test("verdicts override every model: a rejected tag is never suggested again, a written one is", async () => {
    const [first, second, third] = add("club", 0, 3);
    await patch(first, { genres: ["House"] });
    await patch(second, { genres: ["House"] });
    await learn();
    expect(await genresOf(third)).toContain("House");

    await patch(third, { genres: ["Techno"] });
    await app.drainJobs();

    expect(await genresOf(third)).toEqual(["Techno"]);
    expect(await genresOf(first)).toContain("House");
  });

  test("verdicts in bulk count less than single ones", async () => {
    const [first, alike] = add("drone", 0, 2);
    app.deps.db.$client
      .query("INSERT INTO tag_suggestions VALUES (?, 'genres', 'tag_genre_ambient', 'Ambient', 0.6, ?)")
      .run(first ?? "", RULES_VERSION);

    await api("POST", "/tracks/apply-suggested-tags", { trackId: first });
    await learn();
    const wholesale = await genresOf(alike);
    await patch(first, { genres: [] });
    await patch(first, { genres: ["Ambient"] });
    await learn();

    expect(wholesale).toEqual([]);
    expect(await genresOf(alike)).toEqual(["Ambient"]);
  });
});

describe("undoing a correction", () => {
  test("restores the earlier models bit for bit, with their name", async () => {
    const [first, second, third] = add("club", 0, 3);
    await patch(first, { genres: ["House"], moods: ["Dark", "Energetic"] });
    await patch(second, { genres: ["Techno"] });
    await learn();
    const [models, version] = [modelsOf(ownerId), versionOf(ownerId)];

    await patch(third, { genres: ["House"], moods: ["Calm"] });
    await patch(third, { genres: ["House", "Deep House"] });
    await learn();
    const [between, nameBetween] = [modelsOf(ownerId), versionOf(ownerId)];
    await patch(third, { genres: [], moods: [] });
    await learn();

    expect(between).not.toEqual(models);
    expect(nameBetween).not.toBe(version);
    expect(modelsOf(ownerId)).toEqual(models);
    expect(versionOf(ownerId)).toBe(version);
  });

  test("undoing a correction withdraws the rejection of suggested tags too", async () => {
    const [track] = add("club", 0, 1);
    app.deps.db.$client
      .query("INSERT INTO tag_suggestions VALUES (?, 'genres', 'tag_genre_electronic', 'Electronic', 0.5, ?)")
      .run(track ?? "", RULES_VERSION);
    await patch(track, { genres: ["House"] });
    await learn();
    expect(modelsOf(ownerId)).toHaveLength(2);

    await patch(track, { genres: [] });
    await learn();

    expect(modelsOf(ownerId)).toEqual([]);
    expect(versionOf(ownerId)).toBe(RULES_VERSION);
  });

  test("a correction that is sent twice is confirmed: a suggested tag left out again is rejected", async () => {
    const [first, second, third] = add("club", 0, 3);
    for (const id of [first, second]) await patch(id, { genres: ["House"] });
    await learn();
    await patch(third, { genres: ["Techno"] });
    await patch(third, { genres: [] });
    await learn();
    expect(await genresOf(third)).toContain("House");

    await patch(third, { genres: [] });
    await learn();

    expect(await genresOf(third)).not.toContain("House");
  });
});

describe("what was undone", () => {
  const bulk = async (what: object, id: string | undefined) =>
    (await app.signedIn(token)("POST", "/app/tracks/bulk", { where: { ids: [id] }, do: what })).body.data;
  const undo = (undoId: string) => app.signedIn(token)("POST", `/app/undo/${undoId}`);
  const suggest = (id: string | undefined, tagId: string, name: string, confidence: number) =>
    app.deps.db.$client
      .query("INSERT INTO tag_suggestions VALUES (?, 'genres', ?, ?, ?, ?)")
      .run(id ?? "", tagId, name, confidence, RULES_VERSION);

  test("an undone tag is suggested no more from that moment, and former suggestions are back", async () => {
    const [track] = add("club", 0, 1);
    suggest(track, "tag_genre_house", "House", 0.6);
    const before = (await suggested(track)).suggestions;
    const { undoId } = await bulk({ addTags: ["House", "Rock"] }, track);
    await learn();
    const taught = await genresOf(track);

    await undo(undoId);

    expect(taught).toEqual(expect.arrayContaining(["House", "Rock"]));
    expect((await suggested(track)).suggestions).toEqual(before);
  });

  test("an undone tag is no longer suggested for other tracks as soon as the models are trained", async () => {
    const [first, alike] = add("club", 0, 2);
    const { undoId } = await bulk({ addTags: ["House"] }, first);
    await learn();
    const taught = await genresOf(alike);

    await undo(undoId);
    await app.drainJobs();

    expect(taught).toContain("House");
    expect(await genresOf(alike)).not.toContain("House");
    expect(modelsOf(ownerId)).toEqual([]);
  });

  test("an undone correction teaches nothing, although the category was changed meanwhile", async () => {
    const [track] = add("club", 0, 1);
    const { undoId } = await bulk({ addTags: ["House"] }, track);
    await patch(track, { genres: ["House", "Disco"] });
    await learn();

    await undo(undoId);

    const said = app.deps.db.select().from(tagFeedback).where(eq(tagFeedback.ownerId, ownerId)).all();
    const last = new Map(said.map(({ name, verdict }) => [name, verdict]));
    expect([last.get("House"), last.get("Disco")]).toEqual(["withdrawn", "added"]);
    expect(await genresOf(track)).not.toContain("House");
  });
});

describe("applying suggestions", () => {
  test("brings back the tags that were heard, and not those the owner wrote since", async () => {
    const [track] = add("club", 0, 1);
    await app.drainJobs();
    const said = freshSuggestions(app.deps.db, ownerId, [track ?? ""]).get(track ?? "") ?? [];
    const { modelVersion } = await suggested(track);
    transact(app.deps.db, (tx) => replaceSuggestions(tx, track ?? "", said, modelVersion));
    const heard = (await suggested(track)).suggestedTags;
    const [category, names] = Object.entries(heard).find(([, each]) => (each as string[]).length > 0) ?? [];
    const others = { moods: ["Sad"], genres: ["Country"], instruments: ["Harp"], characters: ["Epic"] };
    await patch(track, { ...others, [category ?? ""]: [] });
    await learn();

    await api("POST", "/tracks/apply-suggested-tags", { trackId: track });

    const { tags } = (await patch(track, {})).body.data;
    expect(names).not.toEqual([]);
    expect(tags[category ?? ""]).toEqual(names);
    expect(Object.entries(heard).filter(([of, each]) => String(tags[of]) !== String(each))).toEqual([]);
  });
});

describe("an account's learning", () => {
  test("is separate from other accounts: models, suggestions and versions", async () => {
    const mine = ownerId;
    for (const id of add("club", 0, 4)) await patch(id, { genres: ["House"] });
    await learn();
    const models = modelsOf(mine);
    const theirs = app.createAccount().accountId;
    ownerId = theirs;
    api = app.as(app.createKey(theirs));
    const [stranger, ...taught] = add("club", 4, 9).toReversed();

    await learn();
    const before = await suggested(stranger);
    for (const id of taught) await patch(id, { genres: ["Techno"] });
    await learn();
    const after = await suggested(stranger);

    expect(before.suggestedTags.genres ?? []).not.toContain("House");
    expect(before.modelVersion).toBe(RULES_VERSION);
    expect(after.suggestedTags.genres).toContain("Techno");
    expect(after.suggestedTags.genres).not.toContain("House");
    expect(modelsOf(mine)).toEqual(models);
  });

  test("does not depend on what other accounts have learnt", async () => {
    for (const id of add("bells", 0, 3)) await patch(id, { genres: ["Rock"] });
    await learn();
    const alone = modelsOf(ownerId);
    const other = app.createAccount().accountId;
    [ownerId, api] = [other, app.as(app.createKey(other))];
    for (const id of add("bells", 0, 3)) await patch(id, { genres: ["Rock"] });

    await learn();

    expect(modelsOf(other)).toEqual(alone);
  });
});

describe("the work of learning when", () => {
  const jobsOf = (name: string) =>
    app.deps.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.name, name), eq(jobs.uniqueKey, ownerId), eq(jobs.state, "waiting")))
      .all();

  test("corrections are each acknowledged before any training, and many are one job", async () => {
    for (const id of add("club", 0, 3)) await patch(id, { genres: ["House"] });

    expect(modelsOf(ownerId)).toEqual([]);
    expect(jobsOf(LEARN_JOB)).toHaveLength(1);
  });

  test("changed models ask for retagging only where suggestions would change, until these tracks are rated again", async () => {
    const [first, second, alike] = add("club", 0, 3);
    const [calm, calmer, other] = add("weather", 0, 3);
    for (const id of [calm, calmer]) await patch(id, { genres: ["Ambient"] });
    await learn();
    for (const id of [first, second]) await patch(id, { genres: ["House"] });

    await app.drainJobs();
    const waiting = [await suggested(alike), await suggested(other), await suggested(first)];
    app.clock.advance(60_000);
    await app.drainJobs();
    const done = await suggested(alike);

    expect(waiting.map(({ needsRetagging }) => needsRetagging)).toEqual([true, false, false]);
    expect([done.needsRetagging, done.suggestedTags.genres]).toEqual([false, ["House"]]);
    expect(done.modelVersion).toStartWith(`${RULES_VERSION}+`);
  });

  test("a library that is rated again writes only changes", async () => {
    const [first, second] = add("club", 0, 2);
    const [other = "", ...calm] = add("weather", 0, 9);
    for (const id of calm) await patch(id, { genres: ["Ambient"] });
    await learn();
    const { db } = app.deps;
    const modelOn = (id: string) => db.select().from(tracks).where(eq(tracks.id, id)).get()?.suggestionModel;
    const before = modelOn(other);
    for (const id of [first, second]) await patch(id, { genres: ["House"] });

    await learn();

    expect(before).not.toBe(versionOf(ownerId));
    expect(modelOn(other)).toBe(before);
    expect(modelOn(first ?? "")).toBe(versionOf(ownerId));
    expect(db.select().from(tagLearners).where(eq(tagLearners.ownerId, ownerId)).get()).toMatchObject({
      modelVersion: versionOf(ownerId),
      refreshedVersion: versionOf(ownerId),
    });
  });

  test("a start repairs what a crash or an older program left", async () => {
    const [first, second, alike] = add("club", 0, 3);
    for (const id of [first, second]) await patch(id, { genres: ["House"] });
    await learn();
    const models = modelsOf(ownerId);
    app.deps.db.update(tagModels).set({ basis: "older" }).where(eq(tagModels.ownerId, ownerId)).run();

    recoverLearning(app.deps);
    await learn();

    expect(modelsOf(ownerId)).toEqual(models);
    expect(await genresOf(alike)).toContain("House");
    recoverLearning(app.deps);
    expect(jobsOf(LEARN_JOB)).toEqual([]);
  });

  test("a start reads an account's tracks for suggestions by older rules only once", async () => {
    const [first] = add("club", 0, 1);
    const statements: string[] = [];
    const { query } = app.deps.db.$client;
    const looks = () => {
      statements.length = 0;
      app.deps.db.$client.query = ((sql: string) => {
        statements.push(sql);
        return query.call(app.deps.db.$client, sql);
      }) as typeof query;
      recoverLearning(app.deps);
      app.deps.db.$client.query = query;
      return statements.filter((sql) => /suggestion_model <>/.test(sql)).length;
    };

    app.deps.db
      .update(tracks)
      .set({ suggestionModel: "older" })
      .where(eq(tracks.id, first ?? ""))
      .run();
    expect([looks() > 0, jobsOf(LEARN_JOB).length]).toEqual([true, 1]);
    await learn();
    expect([looks(), jobsOf(LEARN_JOB).length]).toEqual([0, 0]);
  });

  test("a deleted track takes along what it taught", async () => {
    const [first, second] = add("club", 0, 2);
    await patch(first, { genres: ["House"] });
    await learn();
    const models = modelsOf(ownerId);
    await patch(second, { genres: ["House"] });
    await learn();

    app.deps.db
      .delete(tracks)
      .where(eq(tracks.id, second ?? ""))
      .run();
    recoverLearning(app.deps);
    await learn();

    expect(modelsOf(ownerId)).toEqual(models);
    const said = app.deps.db.select().from(tagFeedback).where(eq(tagFeedback.ownerId, ownerId)).all();
    expect(said.map(({ trackId }) => trackId)).toEqual([first ?? ""]);
  });
});
