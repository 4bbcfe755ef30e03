import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { filesOf } from "../debian-packages.ts";
import { renderMidi } from "../eval-audio/render.ts";
import { programsOf } from "./midi-programs.ts";

/** Music of one Debian package, and the taxonomy names that certainly apply to all of it. */
export type Source = {
  name: string;
  /** Part of the path of the files to use. */
  files: RegExp;
  most: number;
  is: readonly string[];
  /** Names that apply to some of it, or that nobody knows: such tracks are not judged. */
  perhaps: readonly string[];
};
/** A copy without tags under a neutral name. */
export type ColdTrack = Pick<Source, "is" | "perhaps"> & { file: string; source: string };

const BAND = ["Rock", "Metal", "Distorted Guitar", "Electric Guitar", "Drums"];
const MACHINES = ["Electronic", "Synth"];
const ORCHESTRA = ["Orchestral", "Strings"];
const SOLOISTS = ["Brass", "Flute", "Harp", "Piano"];

/** Named by what their authors and copyright files say. */
const SOURCES: readonly Source[] = [
  {
    name: "wesnoth-1.16-music",
    files: /music\/.*\.ogg$/,
    most: 24,
    is: [...ORCHESTRA, "Classical", "Brass", "Flute", "Harp"],
    perhaps: ["Drums", "Piano"],
  },
  {
    name: "unknown-horizons",
    files: /music\/(uh_|menu|battle|beware|Peer|newfrontier|goldenvalley)/,
    most: 10,
    is: ORCHESTRA,
    perhaps: ["Classical", "Drums", ...SOLOISTS],
  },
  {
    name: "singularity-music",
    files: /\.ogg$/,
    most: 14,
    is: MACHINES,
    perhaps: ["Ambient", "Techno", "Piano", "Strings"],
  },
  {
    name: "warzone2100-music",
    files: /\.opus$/,
    most: 20,
    is: [...MACHINES, "Ambient"],
    perhaps: ["Strings", "Drums", "Techno"],
  },
  { name: "nexuiz-music", files: /\.ogg$/, most: 17, is: MACHINES, perhaps: ["Techno", "Drums", "Ambient"] },
  {
    name: "freedroidrpg-data",
    files: /sound\/music\/.*\.ogg$/,
    most: 12,
    is: ["Electronic"],
    perhaps: ["Synth", "Ambient", "Techno", "Drums", "Strings", "Piano"],
  },
  { name: "fretsonfire-songs-muldjord", files: /song\.ogg$/, most: 4, is: BAND, perhaps: [] },
  { name: "fretsonfire-songs-sectoid", files: /song\.ogg$/, most: 4, is: BAND, perhaps: [] },
  {
    name: "marsshooter-data",
    files: /\.ogg$/,
    most: 12,
    is: [...BAND, "Female Vocals"],
    perhaps: ["Strings", "Piano", "Synth", "Orchestral"],
  },
  {
    name: "supertux-data",
    files: /music\/(forest|antarctic|retro)\/.*\.ogg$/,
    most: 20,
    is: ["Video Game Music"],
    perhaps: ["Chiptune", "Electronic", "Synth", "Drums", "Rock", "Orchestral", "Strings", ...SOLOISTS],
  },
  // Scores: their instruments are judged one by one.
  { name: "openttd-openmsx", files: /\.mid$/, most: 31, is: [], perhaps: ["Rock", "Classical"] },
  { name: "planetblupi-music-midi", files: /\.mid$/, most: 10, is: [], perhaps: ["Rock", "Classical"] },
];

const SECONDS = 120;
/** Stings are no music to search for. */
const LEAST_BYTES = 250_000;
/** Scores are played with a soundfont that the small tagger was not trained on, if there is one. */
const SOUNDFONTS = ["/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2"];

/**
 * Fetches the packages once and makes copies without tags, under neutral names, in `folder`. Packages that cannot be
 * fetched are left out. Nothing of the music is part of this repository: Debian's licences apply.
 */
export async function coldMusic(folder: string): Promise<ColdTrack[]> {
  const made: ColdTrack[] = [];
  await mkdir(join(folder, "copies"), { recursive: true });
  for (const source of SOURCES) {
    const files = (await unpacked(folder, source)).slice(0, source.most);
    console.error(`${source.name}: ${files.length} tracks`);
    for (const [index, file] of files.entries()) {
      const copy = await copied(file, join(folder, "copies"), `${source.name} ${index}`);
      if (!copy) continue;
      const instruments = file.endsWith(".mid") ? await programsOf(file) : [];
      made.push({
        file: copy,
        source: source.name,
        is: [...source.is, ...instruments],
        perhaps: source.perhaps,
      });
    }
  }
  return made;
}

/** Returns the music of a package, fetched once. */
export async function unpacked(
  folder: string,
  { name, files }: Pick<Source, "name" | "files">,
): Promise<string[]> {
  const all = await filesOf(folder, name, { pattern: "**/*.{ogg,opus,mid}", leastBytes: 0 });
  return all.filter(
    (file) => files.test(file) && (file.endsWith(".mid") || Bun.file(file).size > LEAST_BYTES),
  );
}

/** Returns the path of the copy; undefined when the file cannot be copied. */
async function copied(file: string, folder: string, seed: string): Promise<string | undefined> {
  const kind = file.endsWith(".mid") ? "ogg" : (basename(file).split(".").at(-1) ?? "ogg");
  const path = join(folder, `audio-${Bun.hash(seed).toString(36).slice(0, 8)}.${kind}`);
  if (existsSync(path)) return path;
  const [soundfont] = SOUNDFONTS.filter((each) => existsSync(each));
  if (file.endsWith(".mid")) {
    if (!soundfont || !Bun.which("fluidsynth")) return undefined;
    await renderMidi(file, path, { soundfont, seconds: SECONDS });
    return path;
  }
  const plain = ["-map", "0:a:0", "-map_metadata", "-1", "-map_metadata:s:a", "-1", "-t", `${SECONDS}`];
  const done =
    await Bun.$`ffmpeg -nostdin -v error -y -i ${file} ${plain} -c copy -fflags +bitexact ${path}`.nothrow();
  return done.exitCode === 0 ? path : undefined;
}
