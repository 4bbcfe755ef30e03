import { describe, expect, test } from "bun:test";
import { lyricsOfTags } from "../../src/media/lyrics/from-tags.ts";
import { looksLikeLrc, readLrc, writeLrc } from "../../src/media/lyrics/lrc.ts";

const linesOf = (text: string) => readLrc(text)?.lines.map(({ text: line, atMs }) => [atMs, line]);

describe("an LRC file", () => {
  test.each<[what: string, text: string, lines: [number | null, string][]]>([
    [
      "hundredths and thousandths",
      "[00:01.50]One\n[00:02.345]Two",
      [
        [1500, "One"],
        [2345, "Two"],
      ],
    ],
    [
      "seconds alone, one digit and a colon",
      "[1:02]One\n[01:03.5]Two\n[01:04:25]Three",
      [
        [62_000, "One"],
        [63_500, "Two"],
        [64_250, "Three"],
      ],
    ],
    [
      "a byte order mark and the line ends of Windows",
      "\ufeff[00:01.00]One\r\n[00:02.00]Two\r\n",
      [
        [1000, "One"],
        [2000, "Two"],
      ],
    ],
    [
      "several stamps of one line",
      "[00:01.00][00:03.00]Chorus\n[00:02.00]Verse",
      [
        [1000, "Chorus"],
        [2000, "Verse"],
        [3000, "Chorus"],
      ],
    ],
    [
      "a positive offset, which is earlier, but not before the beginning",
      "[offset:+500]\n[00:00.20]One\n[00:02.00]Two",
      [
        [0, "One"],
        [1500, "Two"],
      ],
    ],
    ["a negative offset", "[offset: -500]\n[00:02.00]Two", [[2500, "Two"]]],
    [
      "a head, and words in brackets, which are none",
      "[ar:Ines Lind]\n[ti:Dawn]\n[length: 03:05]\n[00:01.00]One\n[Chorus: all]\n[00:02.00]Two",
      [
        [1000, "One"],
        [null, "[Chorus: all]"],
        [2000, "Two"],
      ],
    ],
    [
      "times of words",
      "[00:01.00]<00:01.00>Left <00:01.40>the <00:01.90>harbour",
      [[1000, "Left the harbour"]],
    ],
    ["only times of words", "<00:01.20>Left <00:01.40>it", [[1200, "Left it"]]],
    [
      "lines without a time",
      "Before\n[00:01.00]One\nand so on\n[00:02.00]Two",
      [
        [null, "Before"],
        [1000, "One"],
        [null, "and so on"],
        [2000, "Two"],
      ],
    ],
    [
      "stanzas, and a pause of the singing",
      "[00:01.00]One\n\n\n[00:02.00]Two\n[00:03.00]\n\n[00:09.00]Three\n\n",
      [
        [1000, "One"],
        [null, ""],
        [2000, "Two"],
        [3000, ""],
        [9000, "Three"],
      ],
    ],
    [
      "lines out of order",
      "[00:02.00]Two\n[00:01.00]One",
      [
        [1000, "One"],
        [2000, "Two"],
      ],
    ],
    ["minutes beyond an hour", "[100:00.00]Late", [[6_000_000, "Late"]]],
    [
      "other scripts",
      "[00:01.00]夜明けに港を出た\n[00:02.00]Мы ушли",
      [
        [1000, "夜明けに港を出た"],
        [2000, "Мы ушли"],
      ],
    ],
  ])("is read with %s", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  test("says how many times of words were left out", () => {
    expect(readLrc("[00:01.00]<00:01.00>Left <00:01.40>it")?.wordTimes).toBe(2);
  });

  test.each([
    ["plain words", "One\nTwo [0:30 live]"],
    ["an impossible time", "[9999:00.00]Never"],
    ["more lines than a song has", "[00:01.00]La\n".repeat(3001)],
    ["a line repeated until it fills the memory", `${"[00:01.00]".repeat(2900)}${"la ".repeat(500)}`],
  ])("is none: %s", (_, text) => {
    expect(readLrc(text)).toBeUndefined();
  });

  test("words with a few times in brackets are words", () => {
    expect(looksLikeLrc("[0:45] Chorus\nOne\nTwo\nThree")).toBeFalse();
    expect(looksLikeLrc("[ar:x]\n[00:45.00]One\n\nTwo")).toBeTrue();
  });

  test("is written as it is read", () => {
    const lines = [
      { text: "Left the harbour", atMs: 59_996 },
      { text: "", atMs: null },
      { text: "[Chorus]", atMs: null },
      { text: "Ahoy", atMs: 6_123_450 },
    ];

    const text = writeLrc(lines, { title: "Dawn]\n[offset:9999]", artist: "Ines", album: null });

    expect(text).toBe(
      "[ti:Dawn [offset:9999]\n[ar:Ines]\n[01:00.00]Left the harbour\n\n[Chorus]\n[102:03.45]Ahoy\n",
    );
    expect(linesOf(text)).toEqual([
      [60_000, "Left the harbour"],
      [null, ""],
      [null, "[Chorus]"],
      [6_123_450, "Ahoy"],
    ]);
  });
});

describe("the words in a file's tags", () => {
  const sylt = (syncText: object[], more: object = {}) => ({
    id: "SYLT",
    value: { contentType: 1, timeStampFormat: 2, syncText, ...more },
  });
  const part = (timestamp: number, text: string) => ({ timestamp, text });

  test("are those without times, with the times beside them", () => {
    const uslt = { id: "USLT", value: { language: "eng", descriptor: "", text: "One\n\nTwo" } };

    const read = lyricsOfTags({ "ID3v2.4": [sylt([part(2000, "Two"), part(1000, "One")]), uslt] });

    expect(read).toEqual({
      lyrics: "One\n\nTwo",
      timedLyrics: [
        { text: "One", atMs: 1000 },
        { text: "Two", atMs: 2000 },
      ],
    });
  });

  test("are put together from syllables", () => {
    const syllables = [part(1000, "Har"), part(1200, "bour"), part(2000, "\nDa"), part(2400, "wn")];

    expect(lyricsOfTags({ "ID3v2.3": [sylt(syllables)] })).toEqual({
      lyrics: "Harbour\nDawn",
      timedLyrics: [
        { text: "Harbour", atMs: 1000 },
        { text: "Dawn", atMs: 2000 },
      ],
    });
  });

  test.each([
    ["a Vorbis comment", "vorbis", "LYRICS"],
    ["a Vorbis comment of its own", "vorbis", "SYNCEDLYRICS"],
    ["an atom of MP4", "iTunes", "©lyr"],
    ["APE", "APEv2", "Lyrics"],
    ["a text frame of its own", "ID3v2.4", "TXXX:SYNCEDLYRICS"],
  ])("are an LRC text in %s", (_, type, id) => {
    const value = "[ti:Dawn]\n[00:01.00]One\n[00:02.00]Two";

    expect(lyricsOfTags({ [type]: [{ id, value }] })).toEqual({
      lyrics: "One\nTwo",
      timedLyrics: [
        { text: "One", atMs: 1000 },
        { text: "Two", atMs: 2000 },
      ],
    });
  });

  test.each([
    ["in frames of MPEG", { timeStampFormat: 1 }],
    ["of chords", { contentType: 5 }],
  ])("have no times %s", (_, more) => {
    expect(lyricsOfTags({ "ID3v2.4": [sylt([part(1, "Am")], more)] })).toEqual({});
  });
});
