import { expect, test } from "bun:test";
import { WaveFile } from "wavefile";
import { retag } from "../../../src/media/retag/retag.ts";
import type { Retagged } from "../../../src/media/retag/retagged.ts";
import type { Tags } from "../../../src/media/retag/tags.ts";
import type { RetagOptions } from "../../../src/media/retag/writer.ts";
import type { FileWindow } from "../../../src/media/view/file-window.ts";
import { ascii, concat, tone, wavBytes } from "../wave-bytes.ts";
import { TAGS } from "./tags.ts";

/** A file of which only the beginning is there; the rest reads as zeros. */
const windowOf = (bytes: Uint8Array, sizeBytes = bytes.length): FileWindow => ({
  sizeBytes,
  read: async (offset, count) => {
    const length = Math.max(0, Math.min(count, sizeBytes - offset));
    const part = new Uint8Array(length);
    part.set(bytes.subarray(offset, offset + length));
    return part;
  },
});

async function copyOf(bytes: Uint8Array, tags: Tags, options: RetagOptions = {}) {
  const retagged = await retag(windowOf(bytes), tags, options);
  return { ...retagged, bytes: together(bytes, retagged) };
}

const together = (bytes: Uint8Array, { pieces }: Retagged): Uint8Array =>
  concat(pieces.map((piece) => (piece instanceof Uint8Array ? piece : bytes.slice(piece.start, piece.end))));

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const chunk = (id: string, content: Uint8Array, size = content.length) =>
  concat([ascii(id), u32(size), content, new Uint8Array(content.length % 2)]);
const riff = (...chunks: Uint8Array[]) => {
  const body = concat([ascii("WAVE"), ...chunks]);
  return concat([ascii("RIFF"), u32(body.length), body]);
};
const FORMAT = chunk("fmt ", Buffer.from("01000100401f0000803e000002001000", "hex"));
const SOUND = chunk("data", Buffer.from("0102030405060708", "hex"));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const RECORDER = (() => {
  const bext = Buffer.alloc(602);
  bext.write("Take 7 in the kitchen", 0, "latin1");
  bext.write("2024-05-06", 320, "latin1");
  bext.write("07:08:09", 330, "latin1");
  bext.writeUInt32LE(172_800_000, 338);
  bext.writeUInt16LE(1, 346);
  bext.fill(0x11, 348, 412);
  return chunk("bext", concat([bext, ascii("A=PCM,F=8000,W=16,M=mono\r\n")]));
})();

test("a recorder's place on the timeline stays, and who and what is new, with the loudness", async () => {
  const { bytes } = await copyOf(riff(RECORDER, FORMAT, SOUND), TAGS);

  const wave = new WaveFile(bytes);
  // The reader's types know only some of its chunks.
  const { bext } = wave as unknown as { bext: Record<string, unknown> };
  const trimmed = Object.entries(bext).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replace(/\0+$/, "") : value,
  ]);
  expect(Object.fromEntries(trimmed)).toMatchObject({
    description: "Zoe Arger (Instrumental)",
    originator: "Night Label",
    originatorReference: "DEA231300001",
    originationDate: "2024-05-06",
    originationTime: "07:08:09",
    timeReference: [172_800_000, 0],
    version: 2,
    loudnessValue: 0x1_0000 - 1423,
    loudnessRange: 650,
    maxTruePeakLevel: 0x1_0000 - 102,
    maxShortTermLoudness: 0x7fff,
    codingHistory: "A=PCM,F=8000,W=16,M=mono\r\n",
  });
  expect(text(bytes)).not.toContain("kitchen");
});

test("the ISRC is in EBUCore, and a project with signs of XML is escaped", async () => {
  const { bytes, written } = await copyOf(riff(FORMAT, SOUND), TAGS);

  expect(text(bytes)).toContain("<dc:identifier>ISRC:DEA231300001</dc:identifier>");
  expect(text(bytes)).toContain("<PROJECT>Night &amp; &lt;Day&gt;</PROJECT>");
  expect(written.length).toBe(Object.keys(TAGS).length);
});

test("a description of objects stays as it is, and the ISRC is named", async () => {
  const axml = chunk("axml", ascii("<ebuCoreMain><adm/></ebuCoreMain>"));

  const { bytes, notWritten } = await copyOf(
    riff(FORMAT, chunk("chna", new Uint8Array(44)), axml, SOUND),
    TAGS,
  );

  expect(text(bytes)).toContain("<ebuCoreMain><adm/></ebuCoreMain>");
  expect(text(bytes)).not.toContain("<dc:identifier>");
  expect(notWritten).toContainEqual({ field: "isrc", reason: "object_audio" });
});

test.each([0, 0xffff_ffff])(
  "a sound whose size was written as %p goes to the end of the file",
  async (size) => {
    const samples = Buffer.from("010203040506", "hex");

    const { bytes } = await copyOf(riff(FORMAT, chunk("data", samples, size)), { title: "Night" });

    const at = text(bytes).indexOf("data");
    expect(Buffer.from(bytes).readUInt32LE(at + 4)).toBe(samples.length);
    expect(new WaveFile(bytes).getSamples(false, Int16Array)).toHaveLength(3);
  },
);

test("a file that grows to 4 GiB gets sizes of 64 bits", async () => {
  const dataBytes = 0xffff_ffff - 100;
  const head = concat([
    ascii("RIFF"),
    u32(dataBytes + 36),
    ascii("WAVE"),
    FORMAT,
    ascii("data"),
    u32(dataBytes),
  ]);

  const { pieces, sizeBytes } = await retag(windowOf(head, head.length + dataBytes), TAGS);

  const at = pieces.findIndex(
    (piece) => !(piece instanceof Uint8Array) && piece.end - piece.start === dataBytes,
  );
  const [start, beforeSound] = [pieces[0], pieces[at - 1]];
  if (!(start instanceof Uint8Array && beforeSound instanceof Uint8Array)) throw new Error("no new bytes");
  const view = new DataView(start.buffer, start.byteOffset, start.length);
  expect(text(start.subarray(0, 16))).toBe("RF64\xff\xff\xff\xffWAVEds64");
  expect(Number(view.getBigUint64(20, true))).toBe(sizeBytes - 8);
  expect(Number(view.getBigUint64(28, true))).toBe(dataBytes);
  expect(text(beforeSound.subarray(-8))).toBe("data\xff\xff\xff\xff");
  expect(pieces[at]).toEqual({ start: head.length, end: head.length + dataBytes });
});

test("cue points and loops stay, other chunks go unless they are to be kept", async () => {
  const info = (id: string, value: string) =>
    chunk("LIST", concat([ascii("INFO"), chunk(id, ascii(`${value}\0`))]));
  const cue = chunk("cue ", u32(0));
  const names = chunk("LIST", concat([ascii("adtl"), chunk("labl", concat([u32(1), ascii("Drop\0")]))]));
  const file = riff(
    chunk("secr", ascii("et")),
    info("ICMT", "one"),
    FORMAT,
    cue,
    SOUND,
    names,
    info("IENG", "two"),
  );

  const plain = await copyOf(file, { title: "Night" });
  const whole = await copyOf(file, { title: "Night" }, { keepsOther: true });

  expect(["cue ", "Drop", "secr", "ICMT", "IENG"].map((part) => text(plain.bytes).includes(part))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(["cue ", "Drop", "secr", "ICMT", "IENG"].every((part) => text(whole.bytes).includes(part))).toBe(
    true,
  );
  expect(text(whole.bytes).split("INFO")).toHaveLength(2);
});

test.each([
  ["with a part missing at the end", riff(FORMAT, chunk("data", new Uint8Array(8), 5000))],
  ["with two sounds", riff(FORMAT, SOUND, SOUND)],
  ["without a format", riff(SOUND)],
  [
    "of a thousand chunks",
    riff(FORMAT, ...Array.from({ length: 1001 }, () => chunk("abcd", new Uint8Array(2))), SOUND),
  ],
])("a file %s is copied as it is, and every field is named", async (_, file) => {
  const { pieces, written, notWritten } = await copyOf(file, TAGS);

  expect(pieces).toEqual([{ start: 0, end: file.length }]);
  expect(written).toEqual([]);
  expect(new Set(notWritten.map(({ reason }) => reason))).toEqual(new Set(["damaged"]));
  expect(notWritten).toHaveLength(Object.keys(TAGS).length);
});

test("a value that a field cannot have is named, and no code is made up", async () => {
  const tags = {
    title: "Night",
    isrc: "not a code",
    date: "2026-02-30",
    language: "german",
    bpm: Number.NaN,
    genres: [" "],
  };

  const { notWritten, written } = await copyOf(wavBytes({ depth: "s16", samples: tone(8000, 100) }), tags);

  expect(written).toEqual(["title"]);
  expect(notWritten).toEqual(
    (["date", "isrc", "bpm", "language"] as const).map((field) => ({ field, reason: "not_valid" })),
  );
});
