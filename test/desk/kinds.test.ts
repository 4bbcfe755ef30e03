import { describe, expect, test } from "bun:test";
import { readKind, readName } from "../../src/modules/library/uploads/service.ts";

/** Reads a name as `song | kind | length | part`, with `-` for what it does not say. */
function read(name: string): string {
  const { song, kind, isEdit, editSec, part } = readKind(readName(name).song);
  return [song || "-", kind ?? "-", isEdit ? (editSec ?? "shorter") : "-", part ?? "-"].join(" | ");
}

describe("a name says what a file is of its song", () => {
  test.each([
    ["Night Drive.wav", "Night Drive | - | - | -"],
    ["Night Drive (Instrumental).wav", "Night Drive | instrumental | - | -"],
    ["Night Drive v3 instrumental.wav", "Night Drive | instrumental | - | -"],
    ["night_drive_inst_60.wav", "night drive | instrumental | 60 | -"],
    ["NightDriveInstrumental.wav", "NightDrive | instrumental | - | -"],
    ["Night Drive - No Vocals.wav", "Night Drive | instrumental | - | -"],
    ["Night Drive feat. Ana (Instrumental).wav", "Night Drive feat. Ana | instrumental | - | -"],
    ["Night Drive (Mara Remix) Instrumental.wav", "Night Drive (Mara Remix) | instrumental | - | -"],
    ["Night Drive (A Cappella).wav", "Night Drive | acapella | - | -"],
    ["Night Drive (Vocals Only).wav", "Night Drive | acapella | - | -"],
    ["Mara - Night Drive (Clean Radio Edit).wav", "Mara - Night Drive | clean | shorter | -"],
    ["Night Drive (TV Mix).wav", "Night Drive | tv | - | -"],
    ["Night Drive (Performance Track).wav", "Night Drive | tv | - | -"],
    ["Night Drive Main Mix.wav", "Night Drive | main | - | -"],
    ["Night Drive (Underscore).wav", "Night Drive | other | - | -"],
  ])("%s", (name, expected) => {
    expect(read(name)).toBe(expected);
  });
});

describe("a name says how long an edit is", () => {
  test.each([
    ["Night Drive :30", "Night Drive | - | 30 | -"],
    ["Night Drive 30sec.wav", "Night Drive | - | 30 | -"],
    ["Night Drive (60s Instrumental Edit).wav", "Night Drive | instrumental | 60 | -"],
    ["Night Drive 0:15 Bumper.mp3", "Night Drive | - | 15 | -"],
    ["Night Drive Instrumental 30 v2.wav", "Night Drive | instrumental | 30 | -"],
    ["Night Drive (1 min).wav", "Night Drive | - | 60 | -"],
    ["Night Drive Cutdown.wav", "Night Drive | - | shorter | -"],
    ["Highway 61.wav", "Highway 61 | - | - | -"],
    ["Night Drive 2 Instrumental.wav", "Night Drive 2 | instrumental | - | -"],
  ])("%s", (name, expected) => {
    expect(read(name)).toBe(expected);
  });
});

describe("a name says which stem a file is", () => {
  test.each([
    ["01_Drums.wav", "- | stem | - | drums"],
    ["Night Drive - Drums.wav", "Night Drive | stem | - | drums"],
    ["Drums - Night Drive.wav", "Night Drive | stem | - | drums"],
    ["Night Drive (Stem Bass).wav", "Night Drive | stem | - | bass"],
    ["Night Drive_Keys_Stem.wav", "Night Drive | stem | - | keys"],
    ["Night Drive Gtr 2.wav", "Night Drive | stem | - | guitars"],
    ["Night Drive BGV stem.wav", "Night Drive | stem | - | backing"],
    ["Night Drive Stem.wav", "Night Drive | stem | - | other"],
    ["Clean Bandit - Rather Be.wav", "Clean Bandit - Rather Be | - | - | -"],
  ])("%s", (name, expected) => {
    expect(read(name)).toBe(expected);
  });
});

describe("a name says it in other languages", () => {
  test.each([
    ["Nachtbus ohne Gesang.wav", "Nachtbus | instrumental | - | -"],
    ["Nachtbus (Schlagzeug).wav", "Nachtbus | stem | - | drums"],
    ["Bus de nuit (sans voix).wav", "Bus de nuit | instrumental | - | -"],
    ["Autobús (sin voz) 30 segundos.wav", "Autobús | instrumental | 30 | -"],
    ["Notturno (senza voce).wav", "Notturno | instrumental | - | -"],
    ["Ônibus - só voz.wav", "Ônibus | acapella | - | -"],
    ["Autobus bez wokalu.wav", "Autobus | instrumental | - | -"],
    ["Ночной автобус (минус).wav", "Ночной автобус | instrumental | - | -"],
    ["夜のバスインスト.wav", "夜のバス | instrumental | - | -"],
    ["夜のバス(カラオケ).wav", "夜のバス | instrumental | - | -"],
    ["夜のバス 30秒.wav", "夜のバス | - | 30 | -"],
  ])("%s", (name, expected) => {
    expect(read(name)).toBe(expected);
  });
});
