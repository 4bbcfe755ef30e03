import { describe, expect, test } from "bun:test";
import { parseBrief } from "../../src/brief/read.ts";
import { saidIn } from "../../src/modules/search/search/answer/said.ts";

/** Pieces as "kind value: its words in the query", with a minus before what is ruled out. */
const pieces = (query: string) =>
  saidIn(parseBrief(query, { findArtist: () => undefined })).map(
    ({ kind, value, ruledOut, spans }) =>
      `${ruledOut ? "-" : ""}${kind} ${value}: ${spans.map(({ start, end }) => query.slice(start, end)).join(" + ")}`,
  );

describe("the pieces of a brief that were understood", () => {
  test.each([
    [
      "dark techno, 120-130 bpm",
      ["mood Dark: dark", "genre Techno: techno", "tempo 120-130 BPM: 120-130 bpm"],
    ],
    [
      "warm piano without drums",
      ["mood Warm: warm", "instrument Piano: piano", "-instrument Drums: without drums"],
    ],
    ["F# minor, 2:30", ["key F# minor: F# minor", "length 2:30: 2:30"]],
    ["melancoly paino, please", ["mood Melancholic: melancoly", "instrument Piano: paino"]],
    ["sans batterie", ["-instrument Drums: sans batterie"]],
    ["in the vein of Burial", ["reference Burial: Burial"]],
    ["instrumental only, slow", ["vocals Instrumental: instrumental", "tempo Slow: slow"]],
    ["dark, very dark house", ["mood Dark: dark + dark", "genre House: house"]],
    ["no drums or bass", ["-instrument Drums: drums", "-instrument Bass: bass"]],
    ["1980s, in Spanish", ["era 1980s: 1980s", "language Spanish: Spanish"]],
    ["high energy with vocals", ["mood Energetic: high energy", "vocals Lead Vocals: vocals"]],
    ["techno, no vocals", ["genre Techno: techno", "vocals instrumental: no vocals"]],
    [
      "切ないバラード、男性ボーカル、3分以内",
      [
        "mood Bittersweet: 切ないバラード",
        "genre Ballad: 切ないバラード",
        "vocals Male Vocals: 男性ボーカル",
        "length up to 3:00: 3分以内",
      ],
    ],
    ["music please", []],
  ])("the pieces are found in: %s", (query, expected) => {
    expect(pieces(query)).toEqual(expected);
  });

  test("an accent that is written as two characters moves no place", () => {
    const query = "cafe\u0301 jazz, dark";
    expect(pieces(query).at(-1)).toBe("mood Dark: dark");
  });

  test("a piece that the brief insists on weighs 1, and an unknown artist is marked", () => {
    const said = saidIn(
      parseBrief("must have piano, in the style of Qwxyz Plorf", { findArtist: () => undefined }),
    );
    expect(said.map(({ weight, known }) => [weight, known])).toEqual([
      [1, true],
      [0.8, false],
    ]);
  });
});
