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
  ])("a file name says its song and version: %s", (path, expected) => {
    expect(said(path)).toBe(expected);
  });

  test.each([
    ["Halo v3 FINAL final (2) 48k.wav", "halo | v3 final final (2)"],
    ["Halo v7 (for Jonas).wav", "halo | v7 for Jonas"],
    ["Halo v9 vox up.wav", "halo | v9 vox up"],
    ["Halo_v6_44.1k_16b.wav", "halo | v6"],
    ["Halo premaster -6dB.wav", "halo | premaster -6 dB"],
    ["Halo_MASTER_-14LUFS.wav", "halo | master -14 LUFS"],
    ["Halo mix 3 no limiter.wav", "halo | mix 3 no limiter"],
    ["Halo rev B.wav", "halo | rev b"],
    ["Halo R1.wav", "halo | r1"],
    ["Halo 124bpm Am.wav", "halo | 124 BPM Am"],
    ["Halo - 124,5 BPM - F# minor.wav", "halo | 124.5 BPM F# minor"],
    ["Halo_Mstr_.wav", "halo | mstr"],
    ["Halo_PreMstr_02.wav", "halo | pre mstr 2"],
    ["Halo bounce-3.wav", "halo | bounce 3"],
    ["Halo final-FINAL-use-this-one.wav", "halo | final final use this one"],
    ["Halo mix 3, vox +1.5dB, no clip.wav", "halo | mix 3 vox +1.5 dB no clip"],
    ["Halo (mix 3, vox up, -6dB).wav", "halo | mix 3 vox up -6 dB"],
    ["Halo v3 SNARE LOUDER new bridge.wav", "halo | v3 SNARE LOUDER new bridge"],
    ["Halo MASTER vinyl 24-96.wav", "halo | master vinyl"],
    ["Halo 2nd mix.wav", "halo | mix 2"],
    ["Halo RC1.wav", "halo | rc1"],
    ["Halo Stereo Out.wav", "halo | Stereo Out"],
    ["Halo 22 Nov 2026.wav", "halo | 2026-11-22"],
    ["Halo_261122_v4.wav", "halo | 2026-11-22 v4"],
    ["Halo v3 2026-03-05_1.wav", "halo | v3 2026-03-05 1"],
    ["Halo v4 (für Jonas).wav", "halo | v4 für Jonas"],
    ["Halo Mix 3 ohne Limiter.wav", "halo | mix 3 ohne Limiter"],
    ["Halo v4 sans limiteur.wav", "halo | v4 sans limiteur"],
    ["Halo v4 para Jonas y Ana.wav", "halo | v4 para Jonas y Ana"],
    ["夜の道 ミックス3 ボーカル上げ.wav", "夜の道 | ミックス 3 ボーカル上げ"],
  ])("%s, with what studios add behind a mark", (path, expected) => {
    expect(said(path)).toBe(expected);
  });

  test.each([
    ["Halo v3 instrumental.wav", "halo instrumental | v3"],
    ["Halo_MASTER_inst_48k.wav", "halo inst | master"],
    ["Halo v3 no vocals.wav", "halo no vocals | v3"],
    ["Halo v4 drums.wav", "halo drums | v4"],
    ["Halo v3 Pt. 2.wav", "halo pt 2 | v3"],
    ["Halo radio edit v3.wav", "halo radio edit | v3"],
    ["Halo v3 (feat. Jonas).wav", "halo feat jonas | v3"],
    ["Bounce with Me.wav", "bounce with me | "],
    ["Baby Bounce with Me.wav", "baby bounce with me | "],
    ["My Master for Life.wav", "my master for life | "],
    ["The Final One.wav", "the final one | "],
    ["Final Notes.wav", "final notes | "],
    ["Album/Demo for Mara.wav", "demo for mara | "],
    ["Who I Am.wav", "who i am | "],
    ["Who I Am 124bpm.wav", "who i am | 124 BPM"],
    ["Prelude in E minor v2.wav", "prelude in e minor | v2"],
    ["Prelude 24 in E minor.wav", "prelude 24 in e minor | "],
    ["Turn It Up.wav", "turn it up | "],
    ["Turn It Up v3.wav", "turn it up | v3"],
    ["Drum and Bass v2.wav", "drum and bass | v2"],
    ["Part of Me v3.wav", "part of me | v3"],
    ["Blue 2 stereo.wav", "blue 2 stereo | "],
    ["Vitamin B12.wav", "vitamin b12 | "],
    ["24K Magic.wav", "24k magic | "],
    ["May 22.wav", "may 22 | "],
    ["Misc/Demo.wav", " | demo"],
    ["2026/03 March/Mixdown 2.wav", " | mixdown 2"],
  ])("%s, which another recording or a title is called", (path, expected) => {
    expect(said(path)).toBe(expected);
  });

  test("a label is no longer than a version's label may be", () => {
    const [{ song, label }] = readPath(`Halo v3 for ${"Jonas ".repeat(4)}${"and the label ".repeat(9)}.wav`);
    const [long] = readPath(`Halo v3 without ${"x".repeat(90)}.wav`);

    expect([song.startsWith("Halo"), label.length <= 64, long.label.length]).toEqual([true, true, 10]);
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
