import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Db, transact } from "../../db/client.ts";
import type { FamilyKind, LibraryId, StemPart } from "../../db/schema.ts";
import { parseBrief } from "../../src/brief/read.ts";
import { deleteTrack, restoreTrack } from "../../src/modules/library/bin/service.ts";
import { join, leave } from "../../src/modules/library/families/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

const read = (query: string) => parseBrief(query, { findArtist: () => undefined });

type Filters = ReturnType<typeof read>["filters"];

describe("what must be available is read", () => {
  test.each<[string, Filters["availableAs"], number[] | undefined]>([
    ["sad piano with instrumental", ["instrumental"], undefined],
    ["instrumental version available", ["instrumental"], undefined],
    ["stems on request", ["stems"], undefined],
    ["techno, instrumental and stems available", ["instrumental", "stems"], undefined],
    ["upbeat pop with clean version and tv mix", ["clean", "tv"], undefined],
    ["acapella included", ["acapella"], undefined],
    ["pop song, must have an instrumental version", ["instrumental"], undefined],
    ["30 second edit available", undefined, [28, 32]],
    ["with a thirty second edit", undefined, [28, 32]],
    ["with 60s and 30s edits", undefined, [56, 64, 28, 32]],
    ["needs a :60 cutdown and :15 cut", undefined, [56, 64, 13, 17]],
    ["90 sec plus :30 cutdown", undefined, [28, 32]],
    ["traurige Lieder mit Instrumentalversion", ["instrumental"], undefined],
    ["30-Sekunden-Schnitt auf Anfrage", undefined, [28, 32]],
    ["version instrumentale disponible", ["instrumental"], undefined],
    ["avec une version de 30 secondes", undefined, [28, 32]],
    ["versión instrumental disponible, con una edición de 30 segundos", ["instrumental"], [28, 32]],
    ["con versione strumentale", ["instrumental"], undefined],
    ["edit di 30 secondi disponibile", undefined, [28, 32]],
    ["versão instrumental disponível", ["instrumental"], undefined],
    ["instrumentale versie beschikbaar", ["instrumental"], undefined],
    ["dostępna wersja instrumentalna", ["instrumental"], undefined],
    ["инструментальная версия доступна", ["instrumental"], undefined],
    ["со стемами", ["stems"], undefined],
    ["明るい曲、インストあり、30秒版あり", ["instrumental"], [28, 32]],
  ])("“%s”", (query, availableAs, editSec) => {
    const { filters, vocalPreference, durationRange } = read(query);

    expect({ availableAs: filters.availableAs, editSec: filters.edits?.flat() }).toEqual({
      availableAs,
      editSec,
    });
    expect(vocalPreference).toBeNull();
    if (!query.startsWith("90")) expect(durationRange).toBeNull();
  });

  test.each([
    ["instrumental", "instrumental", null],
    ["a :30 spot", null, [30, 30]],
    ["techno with instrumental music", "instrumental", null],
    ["music with instrumental breaks", "instrumental", null],
    ["topline-ready instrumentals", "instrumental", null],
  ] as const)("“%s” says how the music is", (query, voice, length) => {
    const { filters, vocalPreference, durationRange } = read(query);

    expect(filters).toEqual({});
    expect([vocalPreference, durationRange]).toEqual([voice, length as [number, number] | null]);
  });

  test.each([
    "no stems available",
    "without stems",
    "ideally with stems",
    "stems available if possible",
    "ohne Stems",
  ])("“%s” asks for nothing", (query) => {
    expect(read(query).filters).toEqual({});
  });
});

type Member = { title: string; kind: FamilyKind; part?: StemPart; editSec?: number };
type Read = { said: { kind: string; value: string }[] };
type Hit = { id: string; title: string; score: number; reason: string[]; also?: { title: string }[] };

describe("a search over families", () => {
  let app: TestApp;
  let key: string;
  let db: Db;
  let ownerId: LibraryId;
  const ids = new Map<string, string>();
  const idOf = (title: string) => ids.get(title) ?? "";

  /** Puts tracks into one family, the first as its main mix. */
  const keepTogether = (main: string, members: readonly Member[]) =>
    transact(db, (tx) => {
      for (const { title, ...member } of members)
        join(tx, {
          ...{ ownerId, trackId: idOf(title), withId: idOf(main), joinedBy: "owner", at: app.clock.now() },
          ...member,
        });
    });

  beforeAll(async () => {
    app = await createTestApp();
    db = app.deps.db;
    const { accountId } = app.createAccount();
    ownerId = accountId as LibraryId;
    key = app.createKey(accountId);
    const techno = { tags: { genres: ["Techno"] } };
    const tracks = [
      { title: "Ash", ...techno, bpm: 120, durationSec: 200 },
      { title: "Ash (Instrumental)", tags: { genres: ["Techno"], moods: ["Dark"] }, durationSec: 200 },
      { title: "Ash 30", ...techno, durationSec: 30 },
      { title: "Ash drums", ...techno, durationSec: 200 },
      { title: "Birch", ...techno, durationSec: 210 },
      { title: "Birch clean", ...techno, durationSec: 210 },
      { title: "Cedar", ...techno, durationSec: 220 },
    ];
    const made = addTracks(app, accountId, tracks);
    tracks.forEach(({ title }, index) => {
      ids.set(title, made[index] ?? "");
    });
    keepTogether("Ash", [
      { title: "Ash (Instrumental)", kind: "instrumental" },
      { title: "Ash 30", kind: "main", editSec: 30 },
      { title: "Ash drums", kind: "stem", part: "drums" },
    ]);
    keepTogether("Birch", [{ title: "Birch clean", kind: "clean" }]);
  });
  afterAll(() => app.close());

  const search = async (query: string, more: object = {}) => {
    const { status, body } = await app.as(key)("POST", "/tracks/search", { query, ...more });
    expect(status).toBe(200);
    return body.data as { results: Hit[]; interpretation: Read };
  };
  const titles = ({ results }: { results: Hit[] }) => results.map(({ title }) => title).toSorted();
  const ASH = ["Ash", "Ash (Instrumental)", "Ash 30", "Ash drums"];

  test("keeps to songs that have what is asked for, themselves or in their family", async () => {
    const has = async (availableAs: string[]) =>
      titles(await search("techno", { constraints: { availableAs } }));

    expect(await has(["instrumental"])).toEqual(ASH);
    expect(await has(["stems", "instrumental"])).toEqual(ASH);
    expect(await has(["clean"])).toEqual(["Birch", "Birch clean"]);
    expect(await has(["clean", "stems"])).toEqual([]);
    expect(await has(["tv"])).toEqual([]);
    expect(titles(await search("techno", { constraints: { editSec: [25, 35] } }))).toEqual(ASH);
    expect(titles(await search("techno", { constraints: { editSec: [40, 60] } }))).toEqual([]);
  });

  test("reads the same from the prose, says so, and counts what it kept out", async () => {
    const { results, interpretation } = await search("techno with stems and a 30 second edit");

    expect(titles({ results })).toEqual(ASH);
    expect(results[0]?.reason).toContain("stems available");
    expect(interpretation).toMatchObject({
      filters: { availableAs: ["stems"], editSec: [28, 32] },
      appliedTuning: { removed: { availableAs: 3, editSec: 3 }, tracks: 7, considered: 4 },
      summary: "Techno with stems and 30 s edit available.",
      notUnderstood: [],
    });
    expect(interpretation.said.map(({ kind, value }) => [kind, value])).toEqual([
      ["genre", "Techno"],
      ["available", "stems"],
      ["available", "30 s edit"],
    ]);
  });

  test("gives one result per song where that is asked for: the member that fits best, with the others", async () => {
    const dark = await search("dark techno", { onePerFamily: true });

    expect(titles(dark)).toEqual(["Ash (Instrumental)", "Birch clean", "Cedar"]);
    expect(dark.results[0]).toMatchObject({
      title: "Ash (Instrumental)",
      also: [
        { trackId: idOf("Ash"), title: "Ash", kind: "main", part: null, editSec: null },
        { trackId: idOf("Ash 30"), title: "Ash 30", kind: "main", part: null, editSec: 30 },
        { trackId: idOf("Ash drums"), title: "Ash drums", kind: "stem", part: "drums", editSec: null },
      ],
    });
    expect(dark.results.find(({ title }) => title === "Cedar")).not.toHaveProperty("also");
    expect(titles(await search("techno, longest first", { onePerFamily: true }))).toHaveLength(3);
    const every = await search("dark techno");
    expect(titles(every)).toHaveLength(7);
    expect(every.results.some((hit) => "also" in hit)).toBe(false);
  });

  test("a set with more members than a page has still leaves room for other songs", async () => {
    const { accountId } = app.createAccount();
    const many = addTracks(
      app,
      accountId,
      Array.from({ length: 64 }, (_, index) => ({ title: `Stem ${index}`, tags: { genres: ["Techno"] } })),
    );
    addTracks(app, accountId, [{ title: "Elm", tags: { genres: ["Techno"] }, createdAt: 1 }]);
    transact(db, (tx) => {
      for (const trackId of many.slice(1))
        join(tx, {
          ...{ ownerId: accountId as LibraryId, trackId, withId: many[0] ?? "", kind: "stem" },
          ...{ joinedBy: "owner", at: app.clock.now() },
        });
    });
    const asked = { query: "techno", limit: 2, onePerFamily: true };
    const { body } = await app.as(app.createKey(accountId))("POST", "/tracks/search", asked);

    expect(body.data.results).toHaveLength(2);
    expect(body.data.results.map(({ title }: Hit) => title)).toContain("Elm");
  });

  test("versions of a song are what is kept together, whatever it is called, and not what somebody said is another", async () => {
    const { accountId } = app.createAccount();
    const techno = { artist: "Lumen Vale", tags: { genres: ["Techno"] } };
    const names = ["Night Bus", "Room tone 7", "Dawn", "Dawn (Live)", "Dusk", "Dusk v2"];
    const [bus = "", tone = "", dawn = "", live = ""] = addTracks(
      app,
      accountId,
      names.map((title) => ({ title, ...techno })),
    );
    const place = { ownerId: accountId as LibraryId, joinedBy: "owner", at: app.clock.now() } as const;
    transact(db, (tx) => {
      join(tx, { ...place, trackId: tone, withId: bus, kind: "other" });
      join(tx, { ...place, trackId: live, withId: dawn, kind: "other" });
      leave(tx, place.ownerId, live, place.at);
    });
    const { body } = await app.as(app.createKey(accountId))("POST", "/tracks/search", { query: "techno" });
    const versions = (body.data.results as Hit[]).flatMap(({ title, reason }) =>
      reason.some((each) => each.startsWith("a version of")) ? [title] : [],
    );

    expect(versions).toHaveLength(2);
    expect(versions.filter((title) => ["Night Bus", "Room tone 7"].includes(title))).toHaveLength(1);
    expect(versions.filter((title) => title.startsWith("Dusk"))).toHaveLength(1);
  });

  test("follows members that join, leave, and go to the bin and back", async () => {
    const asked = { constraints: { availableAs: ["tv"] } };
    keepTogether("Cedar", [{ title: "Birch clean", kind: "tv" }]);
    expect(titles(await search("techno", asked))).toEqual(["Birch clean", "Cedar"]);

    deleteTrack(app.deps, ownerId, idOf("Birch clean"));
    expect(titles(await search("techno", asked))).toEqual([]);
    expect(
      (await search("techno", { onePerFamily: true })).results.some(({ also }) => also?.length === 0),
    ).toBe(false);

    restoreTrack(app.deps, ownerId, idOf("Birch clean"));
    expect(titles(await search("techno", asked))).toEqual(["Birch clean", "Cedar"]);

    transact(db, (tx) => {
      leave(tx, ownerId, idOf("Birch clean"), app.clock.now());
    });
    expect(titles(await search("techno", asked))).toEqual([]);
  });

  test.each([
    [{ availableAs: ["karaoke"] }, "constraints.availableAs"],
    [{ editSec: [60, 30] }, "constraints.editSec"],
    [{ editSec: [60] }, "constraints.editSec"],
  ])("refuses %j", async (constraints, path) => {
    const { status, body } = await app.as(key)("POST", "/tracks/search", { query: "techno", constraints });

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data.errors[0].path).toStartWith(path);
  });
});
