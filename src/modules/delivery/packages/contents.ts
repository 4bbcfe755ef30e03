import { statSync } from "node:fs";
import { missingOf, originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { FileSource } from "../../../kernel/file-source.ts";
import { extensionOf } from "../../../kernel/safe-names.ts";
import { locatePicture } from "../../library/artwork/service.ts";
import { albumCue } from "./album-cue.ts";
import { type PlannedFile, UNKNOWN_HASH } from "./content.ts";
import type { Release, Song } from "./known.ts";
import { createLayout, type Layout } from "./layout.ts";
import { manifestOf, manifestText } from "./manifest.ts";
import type { Options, Profile } from "./shapes.ts";

import { sumsOf } from "./sums.ts";

const USUAL_GAP_SEC = 2;

/** What the files of a package are made from. */
export type Packed = {
  profile: Profile;
  release: Release;
  options: Options;
  songs: readonly Song[];
  madeAt: number;
};

/** The files of a package, in order, and what could not go in. */
export type Contents = { root: string; songs: Song[]; files: PlannedFile[]; missing: Song[] };

type ContentDeps = Pick<Deps, "settings">;
type Sound = { song: Song; source: FileSource };

/** Plans the files of a package. Nothing is read but what their sizes depend on. */
export async function planContents(deps: ContentDeps, packed: Packed): Promise<Contents> {
  const { sounds, missing } = await soundsOf(deps, packed.songs);
  const songs = sounds.map(({ song }) => song);
  const { formats = ["tagged"] } = packed.options;
  const layout = createLayout(packed.release.title, songs.length, formats.length > 1);
  const files = [
    ...soundFiles(layout, sounds, formats.includes("tagged") ? "audio" : "untouched"),
    ...(formats.length > 1 ? soundFiles(layout, sounds, "untouched") : []),
    ...(packed.options.artwork === false ? [] : pictures(deps, layout, packed.release, songs)),
  ];
  const text = (path: string, content: string) => files.push(textFile(layout.named(path), content, packed));
  if (packed.profile === "cd") text("album.cue", cueOf(layout.root, packed, files));
  const { root } = layout;
  const all = { ...packed, songs, files, root };
  const manifest = manifestText(manifestOf(all, () => UNKNOWN_HASH));
  files.push({ ...textFile(layout.named("manifest.json"), manifest, packed), content: { is: "manifest" } });
  const sums = sumsOf(files, root, () => UNKNOWN_HASH);
  files.push({ ...textFile(layout.named("SHA256SUMS"), sums, packed), content: { is: "sums" } });
  return { root, songs, files, missing };
}

/** Finds the originals of songs. */
async function soundsOf(
  { settings }: ContentDeps,
  songs: readonly Song[],
): Promise<{ sounds: Sound[]; missing: Song[] }> {
  const originals = originalsOf(settings);
  const found = songs.map((song) => ({ song, source: originals.find(song.sha256) }));
  const gone = await missingOf(found.flatMap(({ source }) => source ?? []));
  const isThere = (sound: { song: Song; source: FileSource | undefined }): sound is Sound =>
    sound.source !== undefined && !gone.has(sound.source);
  return {
    sounds: found.filter(isThere),
    missing: found.filter((sound) => !isThere(sound)).map(({ song }) => song),
  };
}

function soundFiles(layout: Layout, sounds: readonly Sound[], form: "audio" | "untouched"): PlannedFile[] {
  return sounds.map(({ song, source }, at) => ({
    path: layout[form](song, at + 1),
    sizeBytes: song.sizeBytes,
    modifiedAt: song.createdAt,
    content: { is: "sound", song, place: at + 1, source },
  }));
}

/** The picture of the release, and those of songs that have others. */
function pictures(
  { settings }: ContentDeps,
  layout: Layout,
  { cover }: Release,
  songs: readonly Song[],
): PlannedFile[] {
  const pictureFile = (key: string, pathFor: (extension: string) => string): PlannedFile[] => {
    const path = locatePicture(settings, key);
    const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    if (path === undefined || !stat) return [];
    const [sizeBytes, modifiedAt] = [stat.size, Math.floor(stat.mtimeMs)];
    return [{ path: pathFor(extensionOf(key)), sizeBytes, modifiedAt, content: { is: "picture", path } }];
  };
  return [
    ...(cover === null ? [] : pictureFile(cover, (extension) => layout.named(`artwork/cover${extension}`))),
    ...songs.flatMap((song, at) =>
      song.cover === null || song.cover === cover
        ? []
        : pictureFile(song.cover, (extension) => layout.beside("artwork", song, at + 1, extension)),
    ),
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
