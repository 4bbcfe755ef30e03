import { afterAll, describe, expect, test } from "bun:test";
import { copyOf } from "../../../src/media/retag/copy.ts";
import { retag } from "../../../src/media/retag/retag.ts";
import type { Piece } from "../../../src/media/retag/retagged.ts";
import { withFile } from "../../../src/media/view/file-window.ts";
import { fixture, makeFolder } from "../media-files.ts";

const folder = makeFolder();
afterAll(folder.remove);

const path = folder.file("letters");
await Bun.write(path, "abcdefghij");

const PIECES: Piece[] = [{ start: 0, end: 3 }, Buffer.from("NEW"), { start: 7, end: 10 }];

describe("a copy that is made of pieces", () => {
  test("has the bytes of its pieces, as often as it is read", async () => {
    const copy = copyOf(path, PIECES);

    const texts = [
      await new Response(await copy.open()).text(),
      await new Response(await copy.open()).text(),
    ];

    expect(texts).toEqual(["abcNEWhij", "abcNEWhij"]);
  });

  test("is read in parts", async () => {
    const copy = copyOf(path, PIECES);

    const part = await new Response(await copy.open({ start: 2, end: 8 })).text();

    expect(part).toBe("cNEWhi");
  });

  test("breaks off when the original became shorter", async () => {
    const copy = copyOf(path, [{ start: 5, end: 20 }]);

    expect(new Response(await copy.open()).text()).rejects.toThrow("shorter");
  });
});

test("a file whose format carries no tags is copied as it is, and every field is named", async () => {
  const text = await withFile(path, (file) => retag(file, { title: "Night Drive", isrc: "DEA231300001" }));

  expect(text).toEqual({
    pieces: [{ start: 0, end: 10 }],
    sizeBytes: 10,
    written: [],
    notWritten: [
      { field: "title", reason: "format_without_tags" },
      { field: "isrc", reason: "format_without_tags" },
    ],
  });
});

describe("pages of an Ogg stream with new numbers", () => {
  const opus = fixture("tone.opus");
  /** Everything behind the two pages with headers. */
  const renumbered = async (by: number) => {
    const bytes = await Bun.file(opus).bytes();
    const serial = new DataView(bytes.buffer).getUint32(14, true);
    const pieces: Piece[] = [{ start: 0, end: bytes.length, pages: { serial, by } }];
    return { bytes, copy: await new Response(await copyOf(opus, pieces).open()).bytes() };
  };

  test("are the same after the way there and back", async () => {
    const { bytes, copy } = await renumbered(3);
    const there = folder.file("there.opus");
    await Bun.write(there, copy);
    const serial = new DataView(bytes.buffer).getUint32(14, true);

    const back = copyOf(there, [{ start: 0, end: copy.length, pages: { serial, by: 2 ** 32 - 3 } }]);

    expect(copy).not.toEqual(bytes);
    expect(await new Response(await back.open()).bytes()).toEqual(bytes);
  });
});
