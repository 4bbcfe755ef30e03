import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Midi } from "@tonejs/midi";
import { WaveFile } from "wavefile";
import {
  audacityList,
  auditionList,
  noteTable,
  reaperList,
  scriptList,
} from "../../src/media/markers/lists.ts";
import { type Marker, markerName } from "../../src/media/markers/marker.ts";
import { midiMarkers } from "../../src/media/markers/midi.ts";
import { markedWav } from "../../src/media/markers/wav.ts";
import type { FileWindow } from "../../src/media/view/file-window.ts";
import { ascii, concat, tone, wavBytes } from "./wave-bytes.ts";

const RATE = 8000;
const MARKERS: Marker[] = [
  {
    number: 1,
    atSec: 0.5,
    endSec: null,
    name: 'Ana: kick, "too" loud',
    text: 'Ana: kick, "too" loud, and more',
  },
  { number: 2, atSec: 0.75, endSec: 0.9, name: "Zoë: früher, bitte", text: "Zoë: früher, bitte" },
];

describe("lists of markers", () => {
  const late: Marker = { number: 3, atSec: 3661.9996, endSec: 3662.0004, name: "Bo: odd", text: "Bo: odd" };

  test("REAPER's list has minutes, never hours, and quotes what it must", () => {
    expect(reaperList([...MARKERS, late])).toBe(
      [
        "#,Name,Start,End,Length,Color",
        'M1,"Ana: kick, ""too"" loud",0:00.500,,,',
        'R2,"Zoë: früher, bitte",0:00.750,0:00.900,0:00.150,',
        "R3,Bo: odd,61:02.000,61:02.000,0:00.000,",
        "",
      ].join("\r\n"),
    );
  });

  test("Audacity's labels have seconds with a point, and a moment ends where it begins", () => {
    expect(audacityList(MARKERS)).toBe(
      '0.500000\t0.500000\tAna: kick, "too" loud\n0.750000\t0.900000\tZoë: früher, bitte\n',
    );
  });

  test("Audition's list has tabs, hours where there are any, and the whole text", () => {
    expect(auditionList([...MARKERS, late])).toBe(
      [
        "Name\tStart\tDuration\tTime Format\tType\tDescription",
        'Ana: kick, "too" loud\t0:00.500\t0:00.000\tdecimal\tCue\tAna: kick, "too" loud, and more',
        "Zoë: früher, bitte\t0:00.750\t0:00.150\tdecimal\tCue\tZoë: früher, bitte",
        "Bo: odd\t1:01:02.000\t0:00.000\tdecimal\tCue\tBo: odd",
        "",
      ].join("\r\n"),
    );
  });

  test("the list for scripts names the note, and a moment has no end", () => {
    expect(scriptList(MARKERS.map((marker) => ({ ...marker, id: `cmt_${marker.number}` })))).toBe(
      'cmt_1\t0.500000\t\tAna: kick, "too" loud\ncmt_2\t0.750000\t0.900000\tZoë: früher, bitte\n',
    );
  });

  test("the table disarms what a spreadsheet would calculate, in every cell", () => {
    const row = {
      atSec: 61.5,
      endSec: null,
      isAbout: true,
      state: "open",
      text: '-2+3, "x"',
      replies: 2,
    } as const;

    const table = noteTable([
      { ...row, version: "=v1", author: "@Ana" },
      {
        ...row,
        version: "v1",
        author: "+Bo",
        atSec: null,
        isAbout: false,
        state: "answered",
        text: '=HYPERLINK("http://x")',
      },
    ]);

    expect(table).toBe(
      [
        "version,start,end,author,state,text,replies",
        `'=v1,about 1:01.500,,'@Ana,open,"'-2+3, ""x""",2`,
        `v1,,,'+Bo,answered,"'=HYPERLINK(""http://x"")",2`,
        "",
      ].join("\r\n"),
    );
  });
});

test("a marker's name is one line of at most 120 characters", () => {
  const long = markerName(`Ana: ${"😀".repeat(200)}`);

  expect(markerName("Ana:\tkick\r\n\u2028too\u202e loud\u0000 ")).toBe("Ana: kick too loud");
  expect(Array.from(long)).toHaveLength(120);
  expect(long.isWellFormed()).toBe(true);
  expect(long.endsWith("😀…")).toBe(true);
});

describe("markers as MIDI", () => {
  test("another reader finds their times, by the tempo of the file, and their names in ASCII", () => {
    const midi = new Midi(midiMarkers(MARKERS, 123.4));

    const found = midi.header.meta.map(({ ticks, text }) => [midi.header.ticksToSeconds(ticks), text]);
    expect(midi.header.ppq).toBe(960);
    expect(midi.header.tempos[0]?.bpm).toBeCloseTo(123.4, 3);
    expect(found.map(([, text]) => text)).toEqual([
      'Ana: kick, "too" loud',
      "[ Zoe: fruher, bitte",
      "] Zoe: fruher, bitte",
    ]);
    for (const [index, sec] of [0.5, 0.75, 0.9].entries())
      expect(Math.abs(Number(found[index]?.[0]) - sec)).toBeLessThan(0.0003);
  });

  test("names without a letter in ASCII, times of weeks and strange tempos make a file that can be read", () => {
    const far = [
      { number: 1, atSec: 1e6, endSec: 2e6, name: `Øyvind — straße ${"日本".repeat(90)}`, text: "" },
      { number: 2, atSec: 0, endSec: null, name: "ﬁ…", text: "" },
    ];
    for (const bpm of [4, 120, 1e9]) {
      const midi = new Midi(midiMarkers(far, bpm));
      expect(midi.header.meta.map(({ text }) => text)).toEqual([
        "fi...",
        "[ Oyvind - strasse ?",
        "] Oyvind - strasse ?",
      ]);
    }
  });
});

/** A file in memory, which counts what is read of it. */
function windowOf(bytes: Uint8Array): FileWindow & { readBytes: () => number } {
  let read = 0;
  return {
    sizeBytes: bytes.length,
    read: async (offset, count) => {
      const part = bytes.subarray(offset, offset + count);
      read += part.length;
      return part;
    },
    readBytes: () => read,
  };
}

async function marked(bytes: Uint8Array, markers: readonly Marker[] = MARKERS): Promise<Uint8Array> {
  const pieces = await markedWav(windowOf(bytes), markers);
  return concat(
    pieces.map((piece) => (piece instanceof Uint8Array ? piece : bytes.subarray(piece.start, piece.end))),
  );
}

type Found = { id: string; bytes: Uint8Array };

/** Reads chunks the strict way: everything within the size at the start, nothing behind it. */
function chunksOf(bytes: Uint8Array): Found[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLong = view.toString("latin1", 0, 4) !== "RIFF";
  const end = 8 + (isLong ? Number(view.readBigUInt64LE(20)) : view.readUInt32LE(4));
  const found: Found[] = [];
  for (let at = 12; at < end; ) {
    const id = view.toString("latin1", at, at + 4);
    const written = view.readUInt32LE(at + 4);
    const size = isLong && written === 0xffff_ffff ? Number(view.readBigUInt64LE(28)) : written;
    found.push({ id, bytes: view.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size & 1);
    if (at > end) throw new Error(`${id} goes on behind the end`);
  }
  return found;
}

const idsOf = (bytes: Uint8Array) => chunksOf(bytes).map(({ id }) => id);
const soundOf = (bytes: Uint8Array) => chunksOf(bytes).find(({ id }) => id === "data")?.bytes;

const u32 = (...values: number[]) => new Uint8Array(new Uint32Array(values).buffer);
const chunk = (id: string, body: Uint8Array, size = body.length) =>
  concat([ascii(id), u32(size), body, new Uint8Array(body.length & 1)]);
const FMT = wavBytes({ depth: "s16", samples: [] }).slice(24, 48);
const SOUND = wavBytes({ depth: "s16", samples: tone(RATE, RATE) }).slice(56);
const riff = (...chunks: Uint8Array[]) => {
  const body = concat(chunks);
  return concat([ascii("RIFF"), u32(body.length + 4), ascii("WAVE"), body]);
};

const longFile = (form: string, dataBytes: number) =>
  concat([
    ascii(form),
    u32(0xffff_ffff),
    ascii("WAVE"),
    chunk("ds64", u32(0, 0, dataBytes, 0, 0, 0, 0)),
    FMT,
    chunk("data", SOUND, 0xffff_ffff),
    chunk("Fake", ascii("after")),
  ]);

describe("a copy of a WAV file with markers", () => {
  const plain = riff(FMT, chunk("data", SOUND), chunk("Fake", ascii("odd")));

  test("is the file with cue points behind it, which another reader finds", async () => {
    const copy = await marked(plain);

    const read = new WaveFile(copy);
    expect(Buffer.compare(copy.subarray(8, plain.length), plain.subarray(8))).toBe(0);
    expect(idsOf(copy)).toEqual(["fmt ", "data", "Fake", "cue ", "LIST"]);
    expect(read.listCuePoints()).toMatchObject([
      { dwName: 1, dwSampleOffset: 4000, end: null, label: 'Ana: kick, "too" loud, and more' },
      { dwName: 2, dwSampleOffset: 6000, dwSampleLength: 1200, label: "Zoë: früher, bitte" },
    ]);
  });

  test("loses the older cue points, wherever they are, and a second copy is like the first", async () => {
    const copy = await marked(plain);
    const older = riff(
      chunk("cue ", u32(0)),
      FMT,
      chunk("LIST", ascii("adtlxx")),
      chunk("LIST", ascii("INFOxx")),
      chunk("data", SOUND),
    );

    expect(await marked(copy)).toEqual(copy);
    expect(idsOf(await marked(older))).toEqual(["fmt ", "LIST", "data", "cue ", "LIST"]);
    expect(Buffer.from(await marked(older)).includes("INFOxx")).toBe(true);
  });

  test("keeps sound of an odd length, with the padding that the file may lack", async () => {
    const odd = SOUND.subarray(0, 4001);
    const padded = riff(FMT, chunk("data", odd));
    const bare = padded.subarray(0, -1);

    for (const file of [padded, bare, riff(FMT, chunk("data", odd), chunk("Fake", ascii("x")))]) {
      const copy = await marked(file);
      expect(soundOf(copy)).toEqual(Buffer.from(odd));
      expect(idsOf(copy).slice(-2)).toEqual(["cue ", "LIST"]);
    }
  });

  test("keeps the form of RF64 and BW64, with sizes of 64 bits, and the chunks behind the sound", async () => {
    for (const form of ["RF64", "BW64"]) {
      const copy = await marked(longFile(form, SOUND.length));
      expect(idsOf(copy)).toEqual(["ds64", "fmt ", "data", "Fake", "cue ", "LIST"]);
      expect(soundOf(copy)).toEqual(Buffer.from(SOUND));
    }
    const cutOff = await marked(longFile("RF64", 0));
    expect(idsOf(cutOff)).toEqual(["ds64", "fmt ", "data", "cue ", "LIST"]);
  });

  test.each([
    ["no size", chunk("data", SOUND, 0)],
    ["a size that was never written", chunk("data", SOUND, 0xffff_ffff)],
    ["a size beyond the end", chunk("data", SOUND, SOUND.length + 4000)],
  ])("gives sound with %s the size that it has", async (_, data) => {
    const copy = await marked(riff(FMT, data));

    expect(soundOf(copy)).toEqual(Buffer.from(SOUND));
    expect(idsOf(copy)).toEqual(["fmt ", "data", "cue ", "LIST"]);
  });

  test.each([
    ["zeros", new Uint8Array(9000)],
    ["a tag of another format", concat([ascii("TAG"), new Uint8Array(125)])],
    ["a chunk of which a part is missing", chunk("Fake", ascii("cut"), 5000)],
    ["a few bytes", ascii("abc")],
  ])("keeps %s behind the file's chunks", async (_, rest) => {
    const copy = await marked(concat([plain, rest]));

    expect(idsOf(copy)).toEqual(["fmt ", "data", "Fake", "cue ", "LIST"]);
    expect(copy.subarray(-rest.length)).toEqual(rest);
  });

  test("holds points that no frame number can name at the last one", async () => {
    const fast = FMT.slice();
    fast.set(u32(0xffff_ffff), 12);

    const copy = await marked(riff(fast, chunk("data", SOUND)), [
      { number: 1, atSec: 1e6, endSec: 2e6, name: "a", text: "b" },
    ]);

    expect(idsOf(copy)).toEqual(["fmt ", "data", "cue ", "LIST"]);
  });

  test.each([
    ["unsupported", "nothing", new Uint8Array(0)],
    ["unsupported", "big-endian WAV", concat([ascii("RIFX"), plain.subarray(4)])],
    ["unsupported", "another RIFF file", concat([plain.subarray(0, 8), ascii("AVI "), plain.subarray(12)])],
    ["corrupt", "no sound", riff(FMT)],
    ["corrupt", "sound before which a chunk is cut", riff(FMT, chunk("Fake", ascii("x"), 9e8))],
    ["corrupt", "no format", riff(chunk("data", SOUND))],
    ["corrupt", "RF64 without its sizes", concat([ascii("RF64"), plain.subarray(4)])],
    ["corrupt", "two thousand chunks", riff(...Array(2000).fill(chunk("junk", u32(1))), FMT)],
    [
      "corrupt",
      "hundreds of cue points between others",
      riff(
        FMT,
        ...Array(400).fill(concat([chunk("cue ", u32(0)), chunk("junk", u32(1))])),
        chunk("data", SOUND),
      ),
    ],
  ])("is refused as %s for %s", async (code, _, bytes) => {
    await expect(markedWav(windowOf(bytes), MARKERS)).rejects.toMatchObject({ code });
  });

  test("of a million chunks is refused soon, and what no size of 32 bits can say is refused unread", async () => {
    const many = windowOf(riff(FMT, new Uint8Array(8e6).fill(0x20), chunk("data", SOUND)));
    const empty = windowOf(riff(FMT, concat(Array(1_000_000).fill(chunk("junk", new Uint8Array(0))))));
    const huge = riff(FMT, chunk("data", SOUND, 0xffff_ff00));
    const endless: FileWindow = { ...windowOf(huge), sizeBytes: 5e9 };

    await expect(markedWav(many, MARKERS)).rejects.toMatchObject({ code: "corrupt" });
    await expect(markedWav(empty, MARKERS)).rejects.toMatchObject({ code: "corrupt" });
    await expect(markedWav(endless, MARKERS)).rejects.toMatchObject({ code: "unsupported" });
    expect(empty.readBytes()).toBeLessThan(100_000);
  });

  test.skipIf(!Bun.which("ffprobe"))("has chapters for ffprobe, RF64 too", async () => {
    const dir = mkdtempSync(join(tmpdir(), "dubplate-markers-"));
    for (const [name, bytes] of [
      ["plain", plain],
      ["long", longFile("RF64", SOUND.length)],
    ] as const) {
      const path = join(dir, `${name}.wav`);
      await Bun.write(path, await marked(bytes));
      const probe = Bun.spawnSync(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", path]);
      const { chapters } = JSON.parse(probe.stdout.toString());
      expect(
        chapters.map((chapter: { start_time: string; tags: { title: string } }) => [
          Number(chapter.start_time),
          chapter.tags.title,
        ]),
      ).toEqual([
        [0.5, 'Ana: kick, "too" loud'],
        [0.75, "Zoë: früher, bitte"],
      ]);
    }
    rmSync(dir, { recursive: true });
  });
});
