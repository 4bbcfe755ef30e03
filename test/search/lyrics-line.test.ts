import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

type Found = {
  results: { title: string; reason: string[] }[];
  interpretation: { said: { kind: string; value: string }[]; notUnderstood: string[]; summary: string };
};

describe("a song is found by a line of its words", () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await createTestApp();
    const { accountId } = app.createAccount();
    key = app.createKey(accountId);
    const slow = { tags: { genres: ["Folk"] } };
    addTracks(app, accountId, [
      {
        title: "Tide",
        lyrics: "Salt on the window\nHold me under the water till I breathe\nAnd count the lights",
        tags: { genres: ["Techno"] },
      },
      { title: "Ferry", lyrics: "Hold me tonight\nUnder the stars\nThe water is wide", ...slow },
      {
        title: "Kerze",
        lyrics: "Mach die Lichter aus, bevor du gehst\nund lass die Tür ein Stück weit offen",
      },
      { title: "Matin", lyrics: "Où sont passés les oiseaux de l'été" },
      { title: "夜", lyrics: "夜の港に灯りがともる\n君を待っている", ...slow },
      { title: "Anthem", ...slow },
      { title: "Ballad", lyrics: "walking home alone\ndark and slow techno nights", ...slow },
    ]);
    const { accountId: other } = app.createAccount();
    addTracks(app, other, [{ title: "Theirs", lyrics: "a secret line that nobody else may find" }]);
  });
  afterAll(() => app.close());

  const search = async (query: string): Promise<Found> => {
    const { status, body } = await app.as(key)("POST", "/tracks/search", { query });
    expect(status).toBe(200);
    return body.data;
  };

  test.each([
    ["the one that goes hold me under the water", "Tide"],
    ["The song that goes “hold me under the water till I breathe”, you know", "Tide"],
    ["the one that goes: hold me underwater till I breathe", "Tide"],
    ['"hold me under the water"', "Tide"],
    ["hold me under the water till I breathe", "Tide"],
    ["techno where she sings keep me under the water until I breathe", "Tide"],
    ["it goes like hold me tonight under the stars but slower", "Ferry"],
    ["das geht so: mach die Lichter aus bevor du gehst", "Kerze"],
    ["das Lied mit dem Text „lass die Tür ein Stück weit offen“", "Kerze"],
    ["celle qui fait où sont passés les oiseaux", "Matin"],
    ["「夜の港に灯りがともる」って歌う曲", "夜"],
  ])("“%s”", async (query, title) => {
    const { results, interpretation } = await search(query);

    expect(results[0]?.title).toBe(title);
    expect(results[0]?.reason[0]).toStartWith("goes “");
    expect(interpretation.notUnderstood).toEqual([]);
  });

  test("says which line it is, and reads the rest of the brief beside it", async () => {
    const { results, interpretation } = await search(
      "folk, the one that goes hold me under the water. No drums",
    );

    expect(results[0]).toMatchObject({ title: "Tide" });
    expect(results[0]?.reason[0]).toBe("goes “Hold me under the water till I breathe”");
    expect(results[1]?.title).not.toBe("Tide");
    expect(interpretation.said.map(({ kind, value }) => [kind, value])).toEqual([
      ["genre", "Folk"],
      ["lyrics", "hold me under the water"],
      ["instrument", "Drums"],
    ]);
    expect(interpretation.summary).toStartWith("Folk with the words “hold me under the water”");
  });

  test.each([
    "music that goes from quiet to loud",
    "something that goes with a sunset over the water",
    "the one that goes hold my coat and call a cab",
    "a secret line that nobody else may find",
    "dark and slow techno",
  ])("no line is read from “%s”", async (query) => {
    const { results, interpretation } = await search(query);

    expect(interpretation.said.filter(({ kind }) => kind === "lyrics")).toEqual([]);
    expect(results.filter(({ reason }) => reason.some((each) => each.startsWith("goes")))).toEqual([]);
  });
});
