import { hostname } from "node:os";
import { dirname } from "node:path/posix";
import { MINUTE_MS, SECOND_MS } from "../kernel/time.ts";
import { wholenessOf } from "../media/whole/whole.ts";
import type { TakenFile } from "../modules/library/intake/shapes.ts";
import { createBell } from "./bell.ts";
import { type Door, type Song, UnreachableError } from "./door.ts";
import type { LinkOut } from "./links.ts";
import { failed } from "./local-door.ts";
import { isFolderPicture, isWords, pictureRank, songOf } from "./names.ts";
import { type Entry, scan } from "./scan.ts";
import { filesBeingWritten } from "./writers.ts";

/** The report on a file of a watched folder. */
export type Told = Pick<TakenFile, "path" | "trackId" | "versionId" | "label" | "reason"> & {
  outcome: TakenFile["outcome"] | "skipped" | "cover" | "words";
  /** Of a picture: how many songs got it as their cover, and which album. */
  covered?: number;
  albumId?: string | null;
};

export type Watched = {
  /** Absolute path. */
  folder: string;
  /** The data folder of the library, where it is on this machine: its files belong to everybody in it. */
  keepOut?: string;
  door: Door;
  /** For how long nothing may happen to a file before it is taken. */
  settleMs: number;
  /** How often the folder is looked through although the system said nothing. */
  everyMs: number;
  /** It ends when nothing is left to take. */
  isOnce: boolean;
  tell: (told: Told) => void;
  say: (text: string) => void;
  /** Told of links that lead out of the folder, of each once. */
  tellLinks: (links: readonly LinkOut[]) => void;
  signal: AbortSignal;
};

/** A file whose header says nothing of its end is taken after this long. */
const OPEN_HEADER_MS = 10 * MINUTE_MS;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
const SHORTEST_SCAN_PAUSE_MS = 250;

/** The state of a file that is not taken in yet. */
type Pending = { entry: Entry; since: number; notBefore: number; tries: number; said: string };

/** What a folder is called in the memory of its library. */
export const sourceOf = (folder: string): string => `${hostname()}:${folder}`;

type Seen = Pick<Entry, "sizeBytes" | "modifiedAt">;

type State = {
  pending: Map<string, Pending>;
  /** The files taken in, by path; undefined until the library was asked. */
  known: Map<string, Seen> | undefined;
  /** The pictures that were taken since the start. */
  pictures: Map<string, Entry>;
  /** What the songs became, by their paths without endings. */
  songs: Map<string, Song>;
  saidLinks: Set<string>;
};

/**
 * Takes in what lands in a folder, until it is stopped. It reads the folder and never changes anything in it. A file is taken when
 * nothing happened to it for a while, it is there to its end, and no process writes it.
 */
export async function watchInto(watched: Watched): Promise<void> {
  const state: State = {
    pending: new Map(),
    known: undefined,
    pictures: new Map(),
    songs: new Map(),
    saidLinks: new Set(),
  };
  const bell = createBell(watched);
  try {
    while (!watched.signal.aborted) {
      const startedAt = Date.now();
      await lookOnce(watched, state);
      if (watched.isOnce && state.known && isDone(state)) return;
      const tookMs = Date.now() - startedAt;
      await bell.wait(nextMs(watched, state.pending), Math.max(SHORTEST_SCAN_PAUSE_MS, 5 * tookMs));
    }
  } finally {
    bell.close();
  }
}

/** True when all that is left was said to be no music, or refused. */
const isDone = ({ pending }: State) => [...pending.values()].every(({ said }) => said !== "");

/** Looks through the folder and takes the files that are ready. A missing folder may come back, and so may a server that cannot be reached. */
async function lookOnce(watched: Watched, state: State): Promise<void> {
  const { folder, say } = watched;
  try {
    state.known ??= await recall(watched, state);
    const { entries, linksOut } = await scan(folder, watched.keepOut);
    sayNewLinks(watched, state, linksOut);
    note(watched, state, state.known, withoutSpares(entries));
    await takeAll(watched, state, state.known);
  } catch (error) {
    const isTemporary = error instanceof UnreachableError || (error instanceof Error && "code" in error);
    if (!isTemporary) throw error;
    say((error as Error).message);
  }
}

/** Asks the library which files of the folder it has. */
async function recall({ door, folder }: Watched, { songs }: State): Promise<Map<string, Seen>> {
  const files = await door.remembered(sourceOf(folder));
  for (const { path, trackId } of files) songs.set(songOf(path), { trackId });
  return new Map(files.map((file) => [file.path, file]));
}

function sayNewLinks({ tellLinks }: Watched, { saidLinks }: State, links: readonly LinkOut[]): void {
  const fresh = links.filter(({ path, target }) => !saidLinks.has(`${path}\n${target}`));
  for (const { path, target } of fresh) saidLinks.add(`${path}\n${target}`);
  if (fresh.length > 0) tellLinks(fresh);
}

/** Leaves out the pictures of a folder that has one under a better name. */
function withoutSpares(entries: readonly Entry[]): Entry[] {
  const best = new Map<string, number>();
  const pictures = entries.filter(isPicture);
  for (const { path } of pictures)
    best.set(dirname(path), Math.min(pictureRank(path), best.get(dirname(path)) ?? pictureRank(path)));
  return entries.filter(
    (entry) => !isPicture(entry) || pictureRank(entry.path) === best.get(dirname(entry.path)),
  );
}

/** Notes new files of the folder, and those changed since the last look. */
function note(
  { settleMs }: Watched,
  { pending }: State,
  known: ReadonlyMap<string, Seen>,
  entries: readonly Entry[],
): void {
  const now = Date.now();
  const fresh = entries.filter(({ path, sizeBytes, modifiedAt }) => {
    const seen = known.get(path);
    return seen?.sizeBytes !== sizeBytes || seen.modifiedAt !== modifiedAt;
  });
  const paths = new Set(fresh.map(({ path }) => path));
  for (const path of pending.keys()) if (!paths.has(path)) pending.delete(path);
  for (const entry of fresh) {
    const before = pending.get(entry.path);
    if (!before || !isUnchanged(before.entry, entry))
      pending.set(entry.path, { entry, since: now, notBefore: now + settleMs, tries: 0, said: "" });
  }
}

/** Takes the files that are ready, the oldest first, so that the newest is played in the end. */
async function takeAll(watched: Watched, state: State, known: Map<string, Seen>): Promise<void> {
  const { pending } = state;
  const now = Date.now();
  const ready = [...pending.values()].filter(({ notBefore }) => notBefore <= now);
  if (ready.length === 0) return;
  const written = await filesBeingWritten();
  for (const each of ready.sort(
    (a, b) => orderOf(a) - orderOf(b) || a.entry.modifiedAt - b.entry.modifiedAt,
  )) {
    if (watched.signal.aborted) return;
    if (written.has(each.entry.inode)) delay(each, watched.settleMs);
    else await takeReady(watched, state, each, known);
  }
}

/** A picture comes after the songs that it lies beside, and so do words. */
const orderOf = ({ entry }: Pending) => Number(isPicture(entry) || isWords(entry.path, entry.sizeBytes));
const isPicture = ({ path, sizeBytes }: Entry) => isFolderPicture(path, sizeBytes);

const isUnchanged = (one: Entry, other: Entry) =>
  one.sizeBytes === other.sizeBytes && one.modifiedAt === other.modifiedAt && one.inode === other.inode;

async function takeReady(
  watched: Watched,
  state: State,
  pending: Pending,
  known: Map<string, Seen>,
): Promise<void> {
  const { entry } = pending;
  if (isPicture(entry)) return coverReady(watched, state, pending, known);
  if (isWords(entry.path, entry.sizeBytes)) return wordsReady(watched, state, pending, known);
  const wholeness = await wholenessOf(entry.file, entry.sizeBytes).catch(() => "cut" as const);
  if (wholeness === undefined)
    return later(watched, pending, { ...failed(entry.path, "not an audio file"), outcome: "skipped" });
  const isOpen = wholeness === "unsure" && Date.now() - pending.since < OPEN_HEADER_MS;
  if (wholeness === "cut" || isOpen) return delay(pending, watched.settleMs);
  const taken = await watched.door.take(entry, { kind: "watch", source: sourceOf(watched.folder) });
  if (!taken) {
    pending.since = Date.now();
    return delay(pending, watched.settleMs);
  }
  if (taken.outcome === "failed") return later(watched, pending, taken);
  known.set(entry.path, entry);
  if (taken.trackId !== null)
    state.songs.set(songOf(entry.path), { trackId: taken.trackId, versionId: taken.versionId ?? undefined });
  coverAgain(state, known, entry);
  const note = wholeness === "unsure" ? "its header does not say where it ends" : null;
  watched.tell(toldOf({ ...taken, reason: taken.reason ?? note }));
}

/** Makes a picture the cover of the files beside it; it waits while there are none. */
async function coverReady(
  watched: Watched,
  { pictures }: State,
  pending: Pending,
  known: Map<string, Seen>,
): Promise<void> {
  const { entry } = pending;
  try {
    const origin = { kind: "watch", source: sourceOf(watched.folder) } as const;
    const { songs, covered, albumId } = await watched.door.cover(entry, origin);
    if (songs > 0) {
      known.set(entry.path, entry);
      pictures.set(entry.path, entry);
      // At each start pictures are tried again: only what they changed is news.
      if (covered > 0) watched.tell({ ...told(entry.path), outcome: "cover", covered, albumId });
    } else later(watched, pending, { ...failed(entry.path, "a picture without songs"), outcome: "skipped" });
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    later(watched, pending, { ...failed(entry.path, reason), outcome: "skipped" });
  }
}

/** Gives the song beside a file its words; they wait while there is none. */
async function wordsReady(
  watched: Watched,
  { songs }: State,
  pending: Pending,
  known: Map<string, Seen>,
): Promise<void> {
  const { entry } = pending;
  const song = songs.get(songOf(entry.path));
  if (!song)
    return later(watched, pending, { ...failed(entry.path, "not an audio file"), outcome: "skipped" });
  try {
    await watched.door.words(entry, song);
    known.set(entry.path, entry);
    // At each start words are tried again: only those of new songs are news.
    if (song.versionId !== undefined)
      watched.tell({ ...told(entry.path), trackId: song.trackId, outcome: "words" });
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    later(watched, pending, { ...failed(entry.path, reason), outcome: "skipped" });
  }
}

const told = (path: string) => ({ path, trackId: null, versionId: null, label: null, reason: null });

/** A song that comes to a picture that was taken before gets it too. */
function coverAgain({ pending, pictures }: State, known: Map<string, Seen>, { path: song }: Entry): void {
  const now = Date.now();
  for (const [path, entry] of pictures) {
    if (dirname(path) !== dirname(song)) continue;
    known.delete(path);
    pending.set(path, { entry, since: now, notBefore: now, tries: 0, said: "" });
  }
}

/** Says once why a file was not taken, and looks at it again: it may be whole by then, or the disk may have room. */
function later({ tell, settleMs }: Watched, pending: Pending, told: Told): void {
  if (pending.said !== told.reason) tell(toldOf(told));
  pending.said = told.reason ?? "";
  delay(pending, Math.min(LONGEST_PAUSE_MS, Math.max(settleMs, SECOND_MS) * 2 ** pending.tries));
  pending.tries++;
}

function delay(pending: Pending, ms: number): void {
  pending.notBefore = Date.now() + ms;
}

const toldOf = ({ path, outcome, trackId, versionId, label, reason }: Told): Told => ({
  path,
  outcome,
  trackId,
  versionId,
  label,
  reason,
});

/** Milliseconds until the folder is to be looked through, if nothing is heard of it. */
function nextMs({ everyMs }: Watched, state: ReadonlyMap<string, Pending>): number {
  const due = Math.min(...[...state.values()].map(({ notBefore }) => notBefore - Date.now()));
  return Math.max(0, Math.min(everyMs, due));
}
