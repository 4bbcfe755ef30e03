import { afterAll, describe, expect, test } from "bun:test";
import { parseFile } from "music-metadata";
import { copyOf } from "../../../src/media/retag/copy.ts";
import { retag } from "../../../src/media/retag/retag.ts";
import type { Retagged } from "../../../src/media/retag/retagged.ts";
import type { Tags } from "../../../src/media/retag/tags.ts";
import type { RetagOptions } from "../../../src/media/retag/writer.ts";
import { withFile } from "../../../src/media/view/file-window.ts";
import { decodeAll, FFMPEG, fixture, makeFolder, requestFor } from "../media-files.ts";
import { COVER, TAGS } from "./tags.ts";

const folder = makeFolder();
afterAll(folder.remove);

type Copy = Retagged & { path: string };

/** Writes a copy of a file with tags. */
async function copyWith(path: string, tags: Tags, options: RetagOptions = {}): Promise<Copy> {
  const retagged = await withFile(path, (file) => retag(file, tags, options));
  const to = folder.file(`${Bun.hash(path)}-${path.split("/").at(-1)}`);
  await Bun.write(to, new Response(await copyOf(path, retagged.pieces).open()));
  return { ...retagged, path: to };
}

/** Decodes to samples. */
async function soundOf(path: string): Promise<Float32Array> {
  const { samples } = await decodeAll(
    await requestFor(path, path.endsWith(".m4a") ? FFMPEG?.path : undefined),
  );
  return samples;
}

const FIXTURES = ["wav", "aiff", "flac", "mp3", "ogg", "opus"].map((ending) => `tone.${ending}`);
const ALL = [...FIXTURES, "tone-aac.m4a", "tone-alac.m4a"];

describe("a copy with tags", () => {
  test.each(ALL)("of %s has every field, by a reader that is not ours", async (name) => {
    const copy = await copyWith(fixture(name), TAGS);

    const { common, native } = await parseFile(copy.path);
    const values = Object.values(native)
      .flat()
      .map(({ value }) => JSON.stringify(value));
    expect(common).toMatchObject({
      title: TAGS.title,
      artists: TAGS.artists,
      album: TAGS.album,
      albumartists: TAGS.albumArtists,
      track: { no: 3, of: 12 },
      disk: { no: 1, of: 2 },
      date: TAGS.date,
      genre: TAGS.genres,
      barcode: TAGS.barcode,
      isrc: ["DEA231300001"],
      composer: TAGS.composers,
      lyricist: TAGS.lyricists,
      copyright: TAGS.cLine,
      bpm: TAGS.bpm,
      picture: [{ format: "image/jpeg", data: new Uint8Array(COVER) }],
    });
    expect(common.lyrics?.[0]?.text).toBe(TAGS.lyrics);
    for (const text of [TAGS.label, "T3452468001", TAGS.publishers[1], TAGS.pLine, TAGS.kind, TAGS.aiUse[1]])
      expect(values.some((value) => value.includes(text))).toBe(true);
    expect(copy.written.length + copy.notWritten.length).toBe(Object.keys(TAGS).length);
    expect(Bun.file(copy.path).size).toBe(copy.sizeBytes);
  });

  test.each(ALL.filter((name) => FFMPEG || !name.endsWith("m4a")))(
    "of %s has the same sound",
    async (name) => {
      const copy = await copyWith(fixture(name), TAGS);

      expect(await soundOf(copy.path)).toEqual(await soundOf(fixture(name)));
    },
  );

  test.each(ALL)("of a copy of %s with other tags has only the new ones", async (name) => {
    const first = await copyWith(fixture(name), TAGS);

    const second = await copyWith(first.path, { title: "Only this" });

    const { common } = await parseFile(second.path);
    expect(common).toMatchObject({ title: "Only this" });
    expect([common.artists, common.isrc, common.picture, common.lyrics].filter(Boolean)).toEqual([]);
    expect(await Bun.file(second.path).text()).not.toContain("Night Album");
  });

  test.each(ALL)("of a copy of %s keeps what is not replaced when asked to", async (name) => {
    const first = await copyWith(fixture(name), TAGS);

    const second = await copyWith(first.path, { title: "New", isrc: "USABC2600009" }, { keepsOther: true });

    const { common } = await parseFile(second.path);
    expect(common).toMatchObject({
      title: "New",
      isrc: ["USABC2600009"],
      artists: TAGS.artists,
      barcode: TAGS.barcode,
      picture: [{ format: "image/jpeg", data: new Uint8Array(COVER) }],
    });
  });
});
