import { basename } from "node:path";
import { filesOf, GAME_PACKAGES } from "../debian-packages.ts";

/** A recording, and what it is called in the output. */
export type Piece = { name: string; path: string };

/** The method and its depth were chosen on music of these. */
const SET_ON: readonly string[] = ["extremetuxracer-data", "wesnoth-1.16-music"];

/** Fetches packages until there are `count` pieces that last a minute: one of each package, then another of each. */
export async function fetchPieces(folder: string, count: number): Promise<Piece[]> {
  const shelves: Piece[][] = [];
  for (const name of GAME_PACKAGES.filter((each) => !SET_ON.includes(each))) {
    const files = await filesOf(folder, name, { pattern: "**/*.{ogg,opus,mp3}", leastBytes: 900_000 });
    shelves.push(files.map((path) => ({ name: `${name}, ${basename(path)}`, path })));
  }
  const all: Piece[] = [];
  const most = Math.max(...shelves.map(({ length }) => length));
  for (let row = 0; row < most; row++) all.push(...shelves.flatMap((shelf) => shelf[row] ?? []));
  const long: Piece[] = [];
  for (const piece of all) {
    if (long.length === count) break;
    if ((await lengthOf(piece.path)) >= 60) long.push(piece);
  }
  return long;
}

/** Returns the recordings of a folder, such as those that render-masters.ts writes. */
export async function piecesIn(folder: string): Promise<Piece[]> {
  const paths = [...new Bun.Glob("*.{wav,flac}").scanSync({ cwd: folder, absolute: true })].sort();
  return paths.map((path) => ({ name: `rendered, ${basename(path)}`, path }));
}

/** Returns how long a file is, seconds. */
async function lengthOf(path: string): Promise<number> {
  return Number.parseFloat(
    await Bun.$`ffprobe -v error -show_entries format=duration -of csv=p=0 ${path}`.text(),
  );
}
