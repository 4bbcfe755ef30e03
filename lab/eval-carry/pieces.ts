import { filesOf } from "../debian-packages.ts";

/** Game music of Debian that neither the method nor its numbers were made with: ten kinds of music from nine games. */
const PIECES: readonly [packageName: string, file: string, kind: string][] = [
  ["lincity-ng-data", "02 - Robert van Herk - City Blues.ogg", "blues"],
  ["hedgewars-data", "Rock.ogg", "rock"],
  ["nexuiz-music", "neuronal-diving.ogg", "trance"],
  ["singularity-music", "Nebula.ogg", "ambient"],
  ["supertux-data", "shallow-green.ogg", "folk"],
  ["naev-data", "machina.ogg", "electronic"],
  ["megaglest-data", "romans.ogg", "orchestra"],
  ["openclonk-data", "UrbanBolero.ogg", "bolero"],
  ["frozen-bubble-data", "frozen-mainzik-1p.ogg", "tracker"],
  ["warzone2100-music", "original_soundtrack/track2.opus", "dark ambient"],
];

/** A recording, and what it is called in the output. */
export type Piece = { name: string; path: string };

/** Fetches the packages into a folder and returns the ten pieces. */
export async function fetchPieces(folder: string): Promise<Piece[]> {
  const found: Piece[] = [];
  for (const [packageName, file, kind] of PIECES) {
    const files = await filesOf(folder, packageName, { pattern: "**/*.{ogg,opus,mp3}", leastBytes: 900_000 });
    const path = files.find((each) => each.endsWith(`/${file}`));
    if (path === undefined) throw new Error(`${packageName} has no ${file}`);
    found.push({ name: `${kind}: ${packageName}, ${file}`, path });
  }
  return found;
}
