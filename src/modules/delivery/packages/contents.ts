import { statSync } from "node:fs";
import { missingOf, originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { FileSource } from "../../../kernel/file-source.ts";
import { extensionOf } from "../../../kernel/safe-names.ts";
import { locateBestPicture } from "../../library/artwork/service.ts";
import { albumCue } from "./album-cue.ts";
import { type PlannedFile, UNKNOWN_HASH } from "./content.ts";
import type { Release, Song } from "./known.ts";
import { createLayout, type Layout } from "./layout.ts";
import { manifestOf, manifestText } from "./manifest.ts";
import { type Described, lyricsTexts, paperTexts, proofTexts } from "./papers.ts";
import { tagsOf } from "./song-tags.ts";
import { sumsOf } from "./sums.ts";
import { createTagger } from "./tagged.ts";

const USUAL_GAP_SEC = 2;
/** Originals whose heads are read at once. */
const READ_AT_ONCE = 8;

/** What the files of a package are made from. */
export type Packed = Described & {
  /** Sets go into folders, each by the name of its song. */
  hasFoldersOfSets: boolean;
};

/** The files of a package, in order, and what could not go in. */
export type Contents = { root: string; songs: Song[]; files: PlannedFile[]; missing: Song[] };

type ContentDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;
type Found = { song: Song; source: FileSource };

/** Plans the files of a package. Of the originals, only what says where tags are is read. */
export async function planContents(deps: ContentDeps, packed: Packed): Promise<Contents> {
  const { found, missing } = await findOriginals(deps, packed.songs);
  const songs = found.map(({ song }) => song);
  const { formats = ["tagged"] } = packed.options;
  const layout = createLayout(packed.release.title, { ...packed, count: songs.length });
  const files = [
    ...(formats.includes("tagged") ? await copies(deps, layout, packed, found) : []),
    ...(formats.includes("untouched")
      ? untouched(layout, formats.length > 1 ? "originals" : "audio", found)
      : []),
    ...(packed.options.artwork === false ? [] : pictures(deps, layout, packed.release, songs)),
  ];
  const described = { ...packed, songs };
  const texts = [
    ...(packed.profile === "cd"
      ? [{ path: layout.named("album.cue"), text: cueOf(layout.root, packed, files) }]
      : []),
    ...lyricsTexts(deps, layout, described),
    ...paperTexts(deps, layout, described),
    ...(await proofTexts(deps, layout, described)),
  ];
  files.push(...texts.map(({ path, text }) => textFile(path, text, packed)));
  const { root } = layout;
  const all = { ...packed, songs, files, root };
  const manifest = manifestText(manifestOf(all, () => UNKNOWN_HASH));
  files.push({ ...textFile(layout.named("manifest.json"), manifest, packed), content: { is: "manifest" } });
  const sums = sumsOf(files, root, () => UNKNOWN_HASH);
  files.push({ ...textFile(layout.named("SHA256SUMS"), sums, packed), content: { is: "sums" } });
  return { root, songs, files, missing };
}

async function findOriginals(
  { settings }: ContentDeps,
  songs: readonly Song[],
): Promise<{ found: Found[]; missing: Song[] }> {
  const originals = originalsOf(settings);
  const all = songs.map((song) => ({ song, source: song.marked?.path ?? originals.find(song.sha256) }));
  const gone = await missingOf(all.flatMap(({ source }) => source ?? []));
  const isThere = (each: { song: Song; source: FileSource | undefined }): each is Found =>
    each.source !== undefined && !gone.has(each.source);
  return {
    found: all.filter(isThere),
    missing: all.filter((each) => !isThere(each)).map(({ song }) => song),
  };
}

/** Copies with what is known of the songs written into them. */
async function copies(
  deps: ContentDeps,
  layout: Layout,
  { profile, release, options }: Packed,
  found: readonly Found[],
): Promise<PlannedFile[]> {
  const tagger = createTagger(deps);
  const keepsOther = options.keepOtherTags === true;
  const copyOf = async ({ song, source }: Found, at: number): Promise<PlannedFile> => {
    const place = at + 1;
    const tags = tagsOf(song, { place, count: found.length, release, profile });
    const tagging = { tags, cover: song.cover ?? release.cover, keepsOther };
    const { sizeBytes, written, notWritten } = await tagger(song, source, tagging);
    const copy = { ...tagging, written, notWritten };
    return {
      path: layout.sound("audio", song, place),
      sizeBytes,
      modifiedAt: song.createdAt,
      content: { is: "sound", song, place, source, copy },
    };
  };
  const files: PlannedFile[] = [];
  for (let at = 0; at < found.length; at += READ_AT_ONCE) {
    const some = found.slice(at, at + READ_AT_ONCE);
    files.push(...(await Promise.all(some.map((each, index) => copyOf(each, at + index)))));
  }
  return files;
}

function untouched(layout: Layout, folder: string, found: readonly Found[]): PlannedFile[] {
  return found.map(({ song, source }, at) => ({
    path: layout.sound(folder, song, at + 1),
    sizeBytes: song.sizeBytes,
    modifiedAt: song.createdAt,
    content: { is: "sound", song, place: at + 1, source, copy: null },
  }));
}

/** The picture of the release, and those of songs that have others. */
function pictures(
  { settings }: ContentDeps,
  layout: Layout,
  { cover }: Release,
  songs: readonly Song[],
): PlannedFile[] {
  const seen = new Set([cover]);
  const pictureFile = (key: string | null, pathFor: (extension: string) => string): PlannedFile[] => {
    const path = key === null ? undefined : locateBestPicture(settings, key);
    const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    if (key === null || path === undefined || !stat) return [];
    const [sizeBytes, modifiedAt] = [stat.size, Math.floor(stat.mtimeMs)];
    return [{ path: pathFor(extensionOf(path)), sizeBytes, modifiedAt, content: { is: "picture", path } }];
  };
  return [
    ...pictureFile(cover, (extension) => layout.named(`artwork/cover${extension}`)),
    ...songs.flatMap((song, at) => {
      if (seen.has(song.cover)) return [];
      seen.add(song.cover);
      return pictureFile(song.cover, (extension) => layout.beside("artwork", song, at + 1, extension));
    }),
  ];
}

function textFile(path: string, text: string, { madeAt }: Pick<Packed, "madeAt">): PlannedFile {
  return { path, sizeBytes: Buffer.byteLength(text), modifiedAt: madeAt, content: { is: "text", text } };
}

function cueOf(root: string, { release, options }: Packed, files: readonly PlannedFile[]): string {
  const tracks = new Map<number, { path: string; song: Song }>();
  for (const { path, content } of files)
    if (content.is === "sound" && !tracks.has(content.place))
      tracks.set(content.place, { path: path.slice(root.length + 1), song: content.song });
  return albumCue(release, [...tracks.values()], options.gapSec ?? USUAL_GAP_SEC);
}
