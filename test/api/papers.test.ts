import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { papersFor } from "../../src/modules/delivery/papers/service.ts";
import { inHundredths } from "../../src/modules/library/composers/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let web: ReturnType<TestApp["signedIn"]>;
let call: ReturnType<TestApp["as"]>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  web = app.signedIn(account.token);
  call = app.as(app.createKey(accountId));
});

const composer = async (body: object): Promise<string> =>
  (await web("POST", "/app/composers", body)).body.data.id;
const track = (title: string): string =>
  addTrackRows(app.deps.db, accountId, { name: `${title}.wav`, title }).id;
const credit = (trackId: string, lines: readonly (readonly [id: string, share: number, role?: string])[]) =>
  call("PUT", `/tracks/shareholders?id=${trackId}`, {
    shareholders: lines.map(([shareholderId, share, role = "Composer"]) => ({ shareholderId, share, role })),
  });
const textOf = async (path: string): Promise<string> => {
  const response = await app.request(path, { headers: { "x-api-key": app.createKey(accountId) } });
  expect(response.status).toBe(200);
  return response.text();
};
/** Reads CSV with quotes. */
const rowsOf = (csv: string): string[][] => {
  expect(csv.startsWith("\uFEFF")).toBe(true);
  return csv
    .slice(1)
    .split("\r\n")
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
      ),
    );
};
const SENDER = { name: "Field Music", ipi: "00000000199", senderCode: "fmu", society: "PRS for Music" };

describe("shares", () => {
  test.each([3, 6, 7, 9, 11, 100])("of %i equal writers add up to 100 %%", (count) => {
    const equal = inHundredths(Array(count).fill(100 / count));
    const rounded = inHundredths(Array(count).fill(Math.floor(10_000 / count) / 100));

    expect(equal.reduce((sum, share) => sum + share)).toBe(10_000);
    expect(Math.max(...equal) - Math.min(...equal)).toBeLessThanOrEqual(1);
    if (10_000 % count <= count / 2) expect(rounded).toEqual(equal);
  });

  test("that do not add up stay as they are", () => {
    expect(inHundredths([50, 40])).toEqual([5000, 4000]);
    expect(inHundredths([])).toEqual([]);
  });
});

describe("papers", () => {
  test("say who has which share, with what was written of each", async () => {
    const [ada, ben] = [
      await composer({
        ...{ fullName: "Ada Berg", email: "ada@example.com", pro: "GEMA", ipi: "17798450" },
        ...{ publisher: "field music", artistName: "A. Berg", isni: "0000 0001 2103 2683" },
      }),
      await composer({ fullName: "Ben Öz" }),
    ];
    const [night, silent] = [track("Night, Drive"), track("Silence")];
    await credit(night, [
      [ada, 66.67],
      [ben, 33.33, "Lyricist"],
    ]);
    await call("PATCH", `/tracks/details?id=${night}`, { isrc: "DE-AB1-26-00042" });
    await call("PATCH", `/tracks/${night}/rights`, {
      iswc: "T-034.524.680-1",
      aiUse: [{ part: "vocals", extent: "generated", tool: "Singer 2" }],
    });
    await web("PATCH", "/app/rights-sender", SENDER);
    const { id } = (await call("POST", "/playlists", { name: "Reel", trackIds: [night, silent] })).body.data
      .playlist;

    const sheet = rowsOf(await textOf(`/api/v1/playlists/${id}/papers/split-sheet.csv`));
    expect(sheet[0]).toHaveLength(15);
    expect(sheet.slice(1)).toEqual([
      ...[
        [
          ...[
            "Night, Drive",
            "T0345246801",
            "DEAB12600042",
            sheet[1]?.[3] ?? "",
            "Ada Berg",
            "Composer",
            "GEMA",
          ],
          ...[
            "00017798450",
            "66.67",
            "field music",
            "00000000199",
            "66.67",
            "ada@example.com",
            "2026-01-15",
            "",
          ],
        ],
        [
          ...[
            "Night, Drive",
            "T0345246801",
            "DEAB12600042",
            sheet[1]?.[3] ?? "",
            "Ben Öz",
            "Lyricist",
            "",
            "",
          ],
          ...["33.33", "", "", "", "", "2026-01-15", ""],
        ],
      ],
      ["Silence", "", "", sheet[3]?.[3] ?? "", ...Array(11).fill("")],
    ]);
    const ai = rowsOf(await textOf(`/api/v1/playlists/${id}/papers/ai-use.csv`));
    expect(ai.slice(1).map((row) => row.slice(3, 6))).toEqual([
      ["vocals", "generated", "Singer 2"],
      ["not stated", "", ""],
    ]);
    const cues = rowsOf(await textOf(`/api/v1/playlists/${id}/papers/cue-sheet.csv`));
    expect(cues.map((row) => row[0])).toEqual(["cue", "1", "2"]);
    expect(cues[1]?.[4]).toBe("Ada Berg (Composer, GEMA) 66.67 %; Ben Öz (Lyricist) 33.33 %");
    const who = rowsOf(await textOf(`/api/v1/tracks/${night}/papers/credits.csv`));
    expect(who[1]?.slice(-5)).toEqual(["Ada Berg", "A. Berg", "Composer", "00017798450", "0000000121032683"]);
  });

  test("are no way into a spreadsheet or a page", async () => {
    const evil = '=HYPERLINK("http://x.example","Click")';
    const night = track('<script>alert(1)</script>"');
    await credit(night, [[await composer({ fullName: evil, publisher: "@SUM(A1)" }), 100, "-2+3"]]);

    const [, row = []] = rowsOf(await textOf(`/api/v1/tracks/${night}/papers/split-sheet.csv`));
    expect([row[4], row[5], row[9]]).toEqual([`'${evil}`, "'-2+3", "'@SUM(A1)"]);
    const page = await textOf(`/api/v1/tracks/${night}/papers/split-sheet.html`);
    expect(page).not.toContain("<script");
    expect(page).toContain("&lt;script>alert(1)");
  });

  test("are for those who see splits, and of one's own tracks", async () => {
    const night = track("Night Drive");
    const path = `/app/library/tracks/${night}/papers/credits.csv`;
    const listener = (splits: boolean) => addMember(app, accountId, { role: "listener", splits }).token;
    const statusFor = async (token: string) =>
      (await app.request(path, { headers: { authorization: `Bearer ${token}` } })).status;

    expect([await statusFor(listener(true)), await statusFor(listener(false))]).toEqual([200, 403]);
    expect(await statusFor(app.createAccount().token)).toBe(404);
    expect(
      await web("POST", "/app/papers", { where: { ids: [night, "trk_none"] }, paper: "credits.csv" }),
    ).toMatchObject({
      status: 404,
      body: { messageCode: "track_not_found" },
    });
  });

  test("go along with a package by its profile, the same each time", async () => {
    const night = track("Night Drive");
    const names = (profile: "store" | "sync" | "cd") =>
      papersFor(app.deps.db, accountId, [night], { profile, at: 0 }).map(({ name }) => name);

    expect(names("sync")).toEqual([
      "split-sheet.csv",
      "split-sheet.html",
      "credits.csv",
      "cue-sheet.csv",
      "ai-use.csv",
    ]);
    expect(names("store")).not.toContain("cue-sheet.csv");
  });
});

describe("a registration", () => {
  const register = async (ids: string[], version = "2.1"): Promise<Json> =>
    (await web("POST", "/app/registrations", { where: { ids }, version })).body.data;

  test("is only for a sender with a code, who is told what is missing", async () => {
    await web("PATCH", "/app/rights-sender", { ipi: "00000000198" });

    expect((await web("GET", "/app/rights-sender")).body.data).toMatchObject({
      ipi: "00000000198",
      prShare: 50,
      problems: ["no_name", "bad_ipi", "no_sender_code", "no_society"],
    });
    expect(await register([track("Night Drive")])).toMatchObject({
      filename: null,
      text: null,
      senderProblems: [
        "The sender has no name.",
        "The IPI of the sender has check digits that do not fit.",
        "The sender has no sender code of CISAC.",
        "The sender is in no society.",
      ],
    });
    expect((await web("PATCH", "/app/rights-sender", { senderCode: "TOO LONG" })).status).toBe(400);
  });

  test("has each work once, leaves out what it cannot have with a reason, and has a number of its own", async () => {
    await web("PATCH", "/app/rights-sender", SENDER);
    const ours = await composer({
      fullName: "Zoë van Ærø",
      lastName: "van Ærø",
      pro: "GEMA",
      publisher: "Field Music",
    });
    const other = await composer({ fullName: "Ben", pro: "My uncle" });
    const japanese = await composer({ fullName: "坂本", publisher: "Field Music" });
    const [whole, half, unknown, script, producer] = [
      track("Café"),
      track("Half"),
      track("Uncle"),
      track("Tokyo"),
      track("Produced"),
    ];
    await credit(whole, [[ours, 100, "Songwriter"]]);
    await credit(half, [[ours, 90]]);
    await credit(unknown, [
      [ours, 50],
      [other, 50],
    ]);
    await credit(script, [[japanese, 100]]);
    await credit(producer, [[ours, 100, "Producer"]]);

    const first = await register([whole, half, unknown, script, producer]);
    const second = await register([whole], "2.2");

    expect([first.filename, second.filename]).toEqual(["CW260001FMU_000.V21", "CW260002FMU_000.V22"]);
    expect(first).toMatchObject({ works: 1, senderProblems: [] });
    expect(first.leftOut.map(({ title, field }: Json) => [title, field])).toEqual([
      ["Half", "shares"],
      ["Uncle", "PRO"],
      ["Tokyo", "last name"],
      ["Produced", "role"],
    ]);
    expect(first.text).toContain("VAN AERO".padEnd(45) + "ZOE".padEnd(30));
    expect(first.text.split("\r\n").map((line: string) => line.length)).toEqual([
      ...[101, 28, 260, 183, 58, 180, 52, 110, 24, 24, 0],
    ]);
    const papers = papersFor(app.deps.db, accountId, [whole], { profile: "sync", at: app.clock.now() });
    expect(papers.at(-1)?.name).toBe("CW260003FMU_000.V21");
  });
});
