import { describe, expect, test } from "bun:test";
import { artistKey, isNewerLabel, readPath } from "../../src/modules/library/uploads/service.ts";

/** What a path says: the song as it is compared, and the label. */
function said(path: string): string {
  const [first] = readPath(path);
  return `${artistKey(first?.song ?? "")} | ${first?.label ?? ""}`;
}

describe("a file's name says which song it is and which version", () => {
  test.each([
    ["Night Drive.wav", "night drive | "],
    ["Night Drive v2.wav", "night drive | v2"],
    ["Night Drive_v3.wav", "night drive | v3"],
    ["Night Drive-V4.wav", "night drive | v4"],
    ["night drive v5.aif", "night drive | v5"],
    ["Night Drive (v6).wav", "night drive | v6"],
    ["Night Drive [v7].wav", "night drive | v7"],
    ["Night Drive ver 8.wav", "night drive | v8"],
    ["Night Drive version 9.wav", "night drive | v9"],
    ["Night Drive v9.1.wav", "night drive | v9.1"],
    ["Night Drive v10b.wav", "night drive | v10b"],
    ["Night Drive (mix 3).aif", "night drive | mix 3"],
    ["Night Drive mix4.wav", "night drive | mix 4"],
    ["Night Drive - Rough Mix.wav", "night drive | rough mix"],
    ["Night Drive_FINAL.wav", "night drive | final"],
    ["Night Drive final 2.wav", "night drive | final 2"],
    ["Night Drive MASTER.wav", "night drive | master"],
    ["Night Drive (Master 2).wav", "night drive | master 2"],
    ["Night Drive demo 1.wav", "night drive | demo 1"],
    ["Night Drive take 5.wav", "night drive | take 5"],
    ["Night Drive rev2.wav", "night drive | rev 2"],
    ["Night Drive 2026-11-22.wav", "night drive | 2026-11-22"],
    ["Night Drive 20261123.wav", "night drive | 2026-11-23"],
    ["Night Drive-001.wav", "night drive | 001"],
    ["Night Drive (1).wav", "night drive | (1)"],
    ["Night Drive v11 final.wav", "night drive | v11 final"],
    ["Night Drive 2.wav", "night drive 2 | "],
    ["Night Drive Part 2.wav", "night drive part 2 | "],
    ["Vol 3.wav", "vol 3 | "],
    ["808.wav", "808 | "],
    ["Night Drive (Instrumental).wav", "night drive instrumental | "],
    ["Night Drive v12 (Instrumental).wav", "night drive instrumental | v12"],
    ["Night Drive (Instrumental) v13.wav", "night drive instrumental | v13"],
    ["Night Drive (Extended Mix).wav", "night drive extended mix | "],
    ["Night Drive (Remix).wav", "night drive remix | "],
    ["Night Drive (feat. Ana).wav", "night drive feat ana | "],
    ["Night Driver v2.wav", "night driver | v2"],
    ["Été à Zürich.wav", "ete a zurich | "],
    ["Été à Zürich v2.wav".normalize("NFD"), "ete a zurich | v2"],
    ["Blue Hour/v3.wav", "blue hour | v3"],
  ])("%s (the table of the studio)", (path, expected) => {
    expect(said(path)).toBe(expected);
  });

  test.each([
    ["Night.Drive.v3.wav", "night drive | v3"],
    ["night_drive_v3_48k_24bit.wav", "night drive | v3"],
    ["Night Drive 24 bit master.wav", "night drive | master"],
    ["Night Drive 2026-11-22 14-30-05.wav", "night drive | 2026-11-22 14:30"],
    ["Night Drive 22.11.2026.wav", "night drive | 2026-11-22"],
    ["Night Drive finalmix2.wav", "night drive | final mix 2"],
    ["[MASTER] Night Drive.wav", "night drive | master"],
    ["Night Drive - Copy.wav", "night drive | copy"],
    ["Nachtfahrt - Endmix 3.wav", "nachtfahrt | endmix 3"],
    ["Nachtfahrt Kopie.wav", "nachtfahrt | kopie"],
    ["Nuit blanche (mixage 2).wav", "nuit blanche | mixage 2"],
    ["Noche versión 4.wav", "noche | v4"],
    ["Ночь финал 2.wav", "ночь | финал 2"],
    ["夜の道最終版.wav", "夜の道 | 最終版"],
    ["夜の道 v2.wav", "夜の道 | v2"],
    ["Final Countdown.wav", "final countdown | "],
    ["Something New final.wav", "something new | final"],
    ["Boeing-747.wav", "boeing 747 | "],
    ["99 Luftballons.wav", "99 luftballons | "],
    ["Night Drive (2019 Remaster).wav", "night drive 2019 remaster | "],
    ["Blue Hour/Bounces/Rough Mix.wav", "blue hour | rough mix"],
    ["Blue Hour/v3 (Instrumental).wav", "blue hour instrumental | v3"],
    ["v3.wav", " | v3"],
  ])("%s", (path, expected) => {
    expect(said(path)).toBe(expected);
  });

  test("a name that may mean two songs has both readings, the whole name first", () => {
    expect(readPath("Night Drive mix.wav").map(({ song }) => song)).toEqual([
      "Night Drive mix",
      "Night Drive",
    ]);
    expect(readPath("Ford v8 Blues.wav").map(({ song }) => song)).toEqual(["Ford v8 Blues", "Ford Blues"]);
  });
});

test.each([
  ["v10", "v9", true],
  ["v9", "v10", false],
  ["v9.1", "v9", true],
  ["v10b", "v10", true],
  ["mix 2", "mix 3", false],
  ["2026-11-22", "2026-11-23", false],
  ["final", "v9", true],
  ["v2 final", "v3", false],
  ["mix 1", "v3", true],
  ["", "v3", true],
  ["v3", "v3", true],
])("%s is not older than %s: %p", (label, active, expected) => {
  expect(isNewerLabel(label, active)).toBe(expected);
});
