import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Debian packages of games with recorded music. */
export const GAME_PACKAGES = [
  "amoebax-data",
  "asc-music",
  "extremetuxracer-data",
  "fillets-ng-data",
  "freedroidrpg-data",
  "hedgewars-data",
  "lincity-ng-data",
  "nexuiz-music",
  "singularity-music",
  "supertux-data",
  "warzone2100-music",
  "wesnoth-1.16-music",
  "xmoto-data",
] as const;

/** More packages with recorded music. */
export const MORE_PACKAGES = [
  "frozen-bubble-data",
  "megaglest-data",
  "naev-data",
  "openclonk-data",
  "widelands-data",
] as const;

/** Downloads the archive of a package into a folder. Returns its path; undefined where Debian does not offer it here. */
export async function fetchArchive(folder: string, name: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  await Bun.$`apt-get download ${name}`.cwd(folder).quiet().nothrow();
  const [archive] = [...new Bun.Glob(`${name}_*.deb`).scanSync(folder)];
  if (archive === undefined) console.error(`${name} could not be fetched`);
  return archive && join(folder, archive);
}

/**
 * Unpacks a package into a folder of its name, once, with the music that lies in archives. Returns its files that match a
 * pattern and are no smaller, in order; none where it cannot be fetched.
 */
export async function filesOf(
  folder: string,
  name: string,
  { pattern, leastBytes }: { pattern: string; leastBytes: number },
): Promise<string[]> {
  const target = join(folder, name);
  if (!existsSync(target)) await unpack(folder, name, target);
  if (!existsSync(target)) return [];
  const all = [...new Bun.Glob(pattern).scanSync({ cwd: target, absolute: true })];
  return all.filter((file) => Bun.file(file).size >= leastBytes).sort();
}

async function unpack(folder: string, name: string, target: string): Promise<void> {
  const archive = await fetchArchive(folder, name);
  if (archive === undefined) return;
  const unpacking = `${target}.part`;
  await Bun.$`dpkg-deb -x ${archive} ${unpacking}`.quiet();
  // Given as a value, the pattern is unzip's: the shell would look for files of its own.
  for (const zip of new Bun.Glob("**/{music.pk3,public.zip}").scanSync({ cwd: unpacking, absolute: true }))
    await Bun.$`unzip -q -o ${zip} ${"*.ogg"} -d ${unpacking}`.quiet().nothrow();
  await rename(unpacking, target);
  await rm(archive);
}
