import type { Stats } from "node:fs";
import { resolve } from "node:path";
import type { LibraryId } from "../../db/schema.ts";
import type { Deps } from "../kernel/deps.ts";
import { findOwnedTrack } from "../modules/library/catalog/service.ts";
import { isAudioFile } from "../modules/library/tracks/service.ts";
import { getAccountByEmail, type Named } from "../modules/people/accounts/service.ts";
import type { Song } from "../watch/door.ts";
import { type LinkOut, sentenceOfLinks } from "../watch/links.ts";
import { localDoor } from "../watch/local-door.ts";
import { type Command, type CommandContext, RefusedError, UsageError } from "./command.ts";
import { addFolderCovers, isFolderCover, placeOf } from "./import/covers.ts";
import { takeExport } from "./import/exported.ts";
import { type FoundList, readLists } from "./import/lists.ts";
import { makePlaylists, offer } from "./import/playlists.ts";
import { createProgress } from "./import/progress.ts";
import { type Found, walk } from "./import/walk.ts";
import { addWords, wordsAmong } from "./import/words.ts";

const NOT_AUDIO = "not an audio file in a supported format";
/** A list of this many bytes names a hundred thousand files. */
const MAX_LIST_BYTES = 256e6;

/**
 * `import`: imports the audio files in folders; links are followed, and names say which files are versions of one track. It is safe
 * to run twice, and goes on where it was stopped: files that were taken in are not read again. It lists what it leaves out, with the
 * reason. `--playlists` makes playlists of folders and of the lists of other programs. Exit 1 when a path does not exist or a
 * file failed. `--export` takes in an account that `account export --move` wrote.
 */
export const importFiles: Command<"import"> = (context) => {
  const { options, words } = context;
  const { email, library, playlists, export: exported } = options;
  if (exported !== undefined) {
    if (email !== undefined || library !== undefined || playlists || words.length > 0) throw new UsageError();
    return takeExport(context, exported);
  }
  if (email === undefined || words.length === 0) throw new UsageError();
  return importPaths(context, words, { email, library, makesPlaylists: playlists });
};

async function importPaths(
  { open, print, say }: Pick<CommandContext, "open" | "print" | "say">,
  paths: readonly string[],
  { email, library, makesPlaylists }: Named & { makesPlaylists: boolean },
): Promise<void> {
  const deps = open();
  const owner = getAccountByEmail(deps, email, library);
  const linksOut: LinkOut[] = [];
  const found = await Array.fromAsync(walk(paths, deps.settings.dataDir, (links) => linksOut.push(...links)));
  const sizes = found.map(({ seen }) => seen?.size ?? 0);
  const progress = createProgress(
    found.length,
    sizes.reduce((sum, size) => sum + size, 0),
    say,
  );

  const words = wordsAmong(found);
  const importing = createImport(deps, owner.id, words);
  const counts = { added: 0, versions: 0, known: 0, skipped: 0, failed: 0 };
  for (const each of found) {
    const { outcome, isVersion = false, row, reason } = await importing.take(each);
    counts[outcome]++;
    counts.versions += Number(isVersion);
    if (row) print(row);
    else say(`Left out: ${each.path} (${reason})`);
    progress.done(each.seen?.size ?? 0);
  }

  for await (const row of importing.beside()) print(row);
  const offered = offer(importing.lists, importing.tracks, new Set(found.map(({ root }) => root)));
  if (makesPlaylists) for (const made of makePlaylists(deps, owner.id, offered)) print(made);
  else if (offered.length > 0)
    say(`${offered.length} folders and lists may become playlists: run it again with --playlists`);
  if (linksOut.length > 0) say(sentenceOfLinks(linksOut));
  const summary = summaryOf(counts, progress.seconds());
  if (counts.failed > 0) throw new RefusedError(summary);
  say(summary);
}

type Counts = Record<"added" | "versions" | "known" | "skipped" | "failed", number>;

function summaryOf({ added, versions, known, skipped, failed }: Counts, seconds: number): string {
  const asVersions = versions > 0 ? `, ${versions} of those added as versions` : "";
  return (
    `${added} added, ${known} already there, ${skipped} left out, ${failed} failed${asVersions}, in ${seconds.toFixed(1)} s. ` +
    "A running server analyses them now; otherwise the next start does."
  );
}

type Imported = {
  outcome: "added" | "known" | "skipped" | "failed";
  isVersion?: boolean;
  row?: object;
  reason?: string;
};
type Known = Map<string, { sizeBytes: number; modifiedAt: number; trackId: string }>;

/** Takes files in one by one, then what lies beside them; `tracks` has the track of each path. */
function createImport(deps: Deps, ownerId: LibraryId, words: ReadonlySet<Found>) {
  const door = localDoor(deps, ownerId);
  const tracks = new Map<string, string>();
  const songs = new Map<string, Song>();
  const lists: FoundList[] = [];
  const pictures: Found[] = [];
  const memories = new Map<string, Known>();
  const memoryOf = async (source: string): Promise<Known> => {
    const known =
      memories.get(source) ?? new Map((await door.remembered(source)).map((file) => [file.path, file]));
    memories.set(source, known);
    return known;
  };

  const takeAudio = async ({ path: file, root }: Found, seen: Stats): Promise<Imported> => {
    const { source, path } = placeOf({ path: file, root });
    const before = (await memoryOf(source)).get(path);
    const isSame = before?.sizeBytes === seen.size && before.modifiedAt === seen.mtimeMs;
    if (before && isSame && findOwnedTrack(deps.db, ownerId, before.trackId)) {
      tracks.set(resolve(file), before.trackId);
      songs.set(resolve(file), { trackId: before.trackId, versionId: undefined });
      return { outcome: "known", row: { path: file, trackId: before.trackId } };
    }
    const entry = { path, file, sizeBytes: seen.size, modifiedAt: seen.mtimeMs, inode: String(seen.ino) };
    const taken = await door.take(entry, { kind: "import", source });
    if (!taken)
      return { outcome: "failed", row: { path: file, error: "The file changed while it was read" } };
    const { outcome, trackId, versionId, label, reason } = taken;
    if (trackId === null) return { outcome: "failed", row: { path: file, error: reason } };
    tracks.set(resolve(file), trackId);
    songs.set(resolve(file), { trackId, versionId: versionId ?? undefined });
    const isVersion = outcome === "version";
    const row = { path: file, trackId, ...(isVersion && { versionId, label }) };
    return { outcome: outcome === "known" ? "known" : "added", isVersion, row };
  };

  const takeOther = async (found: Found): Promise<Imported> => {
    const inFile = await listsIn(found);
    lists.push(...(inFile ?? []));
    if (inFile) return { outcome: "skipped", reason: "a list of files" };
    if (words.has(found)) return { outcome: "skipped", reason: "words for the song beside it" };
    if (isFolderCover(found)) {
      pictures.push(found);
      return { outcome: "skipped", reason: "a picture for the tracks beside it" };
    }
    // A named file must be audio; other files in a folder are not an error.
    if (found.isNamed) return { outcome: "failed", row: { path: found.path, error: `This is ${NOT_AUDIO}` } };
    return { outcome: "skipped", reason: NOT_AUDIO };
  };

  const take = async (found: Found): Promise<Imported> => {
    const { path, seen, leftOut, error } = found;
    if (leftOut !== undefined) return { outcome: "skipped", reason: leftOut };
    if (error !== undefined || !seen) return { outcome: "failed", row: { path, error } };
    try {
      return (await isAudioFile(path)) ? await takeAudio(found, seen) : await takeOther(found);
    } catch (thrown) {
      return { outcome: "failed", row: { path, error: (thrown as Error).message } };
    }
  };
  /** Yields what became of pictures and words, once the songs beside them are there. */
  const beside = async function* () {
    yield* addFolderCovers(deps, ownerId, pictures, tracks);
    yield* addWords(door, words, songs);
  };
  return { tracks, lists, take, beside };
}

async function listsIn({ path, seen }: Found): Promise<FoundList[] | undefined> {
  if (!/\.(m3u8?|xml)$/i.test(path) || (seen?.size ?? 0) > MAX_LIST_BYTES) return undefined;
  return readLists(path, await Bun.file(path).text());
}
