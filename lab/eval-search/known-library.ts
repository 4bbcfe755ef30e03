import { basename } from "node:path";
import { type Db, openDb } from "../../db/client.ts";
import { accounts } from "../../db/schema.ts";
import { randomUnit, rowWriter } from "../../scripts/search-rows.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { readMetadata } from "../../src/media/tags/metadata.ts";
import { filesOf, GAME_PACKAGES } from "../debian-packages.ts";

const OWNER = "usr_evaluation";
const DIMENSIONS = 96;
/** Smaller files are sounds, not music. */
const LEAST_BYTES = 250_000;

/** What a piece is called, by its file and the tags in it. */
export type KnownTrack = { id: string; name: string; title: string | null; artist: string | null };
export type KnownLibrary = { db: Db; ownerId: string; tracks: readonly KnownTrack[] };

/**
 * Returns a library with the names of Debian's music. Packages are fetched into the folder with `apt-get download` once;
 * those that cannot be fetched are left out. Nothing of the music is part of this repository.
 */
export async function knownLibrary(folder: string): Promise<KnownLibrary> {
  const db = openDb(":memory:");
  db.insert(accounts).values({ id: OWNER, name: "A", createdAt: 0 }).run();
  db.$client.run("PRAGMA foreign_keys = OFF");
  const write = rowWriter(db.$client);
  const random = randomFrom("known items");
  const tracks: KnownTrack[] = [];
  for (const file of await musicIn(folder)) {
    const { title = null, artist = null } = await tagsOf(file);
    const named = { name: basename(file), title, artist };
    if (tracks.some((other) => other.name === named.name)) continue;
    const vector = randomUnit(DIMENSIONS, random);
    const measured = { bpm: 70 + random() * 100, key: null, durationSec: 180, energy: random() };
    const id = write({ ownerId: OWNER, createdAt: tracks.length, ...measured, ...named, tags: [], vector });
    tracks.push({ id, ...named });
  }
  return { db, ownerId: OWNER, tracks };
}

async function musicIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of GAME_PACKAGES) {
    const pattern = "**/*.{ogg,oga,opus,mp3,flac}";
    const music = await filesOf(folder, name, { pattern, leastBytes: LEAST_BYTES });
    console.error(`${name}: ${music.length} tracks`);
    files.push(...music);
  }
  return files;
}

async function tagsOf(file: string): Promise<{ title?: string; artist?: string }> {
  const { tags } = await readMetadata(file);
  return { ...(tags.title && { title: tags.title }), ...(tags.artist && { artist: tags.artist }) };
}
