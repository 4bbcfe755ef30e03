import { describe, expect, test } from "bun:test";
import { songOf, spreadVersions } from "../../src/modules/search/search/ranking/diversity.ts";

const row = (title: string, artist: string | null = "Lumen Vale") => ({
  id: title,
  seq: 1,
  name: `${title}.wav`,
  title,
  artist,
  bpm: null,
  key: null,
  durationSec: null,
  cover: null,
  visible: 1 as const,
  isVoiceWritten: 0 as const,
});

describe("versions of a song", () => {
  test.each([
    "Night Bus (Instrumental)",
    "Night Bus [Radio Edit]",
    "night bus - extended mix",
    "Night Bus v2",
    "Night Bus_60s",
    "Night Bus - No Vocals",
    "Night Bus 03",
    "Night Bus (feat. Ana) [Remaster 2020]",
  ])("%s is one of Night Bus", (title) => {
    expect(songOf(row(title))).toBe(songOf(row("Night Bus")));
  });

  test.each(["Night Bus Home", "Nightbus", "Instrumental", "Edit", "99"])("%s is another song", (title) => {
    expect(songOf(row(title))).not.toBe(songOf(row("Night Bus")));
    expect(songOf(row(title)).split("\n")[0]).not.toBe("");
  });

  test("have the same artist", () => {
    expect(songOf(row("Night Bus", "A"))).not.toBe(songOf(row("Night Bus", "B")));
  });

  test("are recognised by the file's name without a title", () => {
    expect(songOf({ ...row("x"), title: null, name: "Night Bus (Instrumental).aiff" })).toBe(
      songOf(row("Night Bus")),
    );
  });
});

test("the best version keeps its place and score, the others move down one after another", () => {
  const scored = ["A", "A v2", "A v3", "B", "C"].map((title, index) => ({
    row: row(title),
    score: 0.9 - index * 0.1,
  }));

  const spread = spreadVersions(scored, new Map());

  expect(spread.map(({ row: { title }, like }) => [title, like])).toEqual([
    ["A", undefined],
    ["B", undefined],
    ["C", undefined],
    ["A v2", "A"],
    ["A v3", "A"],
  ]);
  expect(spread.map(({ score }) => Math.round(score * 1000))).toEqual([900, 600, 500, 480, 252]);
});

test("copies of one recording are versions of it, whatever their titles", () => {
  const results = ["Night Bus", "bounce_final_2", "Night Bus (Radio Edit)", "Harbour"].map(
    (title, index) => ({
      row: row(title),
      score: 0.9 - index * 0.1,
    }),
  );
  const recordings = new Map([
    ["Night Bus", 7],
    ["bounce_final_2", 7],
    ["Night Bus (Radio Edit)", 8],
    ["Harbour", 9],
  ]);

  const spread = spreadVersions(results, recordings);

  expect(spread.map(({ row: { title }, like }) => [title, like])).toEqual([
    ["Night Bus", undefined],
    ["Harbour", undefined],
    ["bounce_final_2", "Night Bus"],
    ["Night Bus (Radio Edit)", "Night Bus"],
  ]);
});
