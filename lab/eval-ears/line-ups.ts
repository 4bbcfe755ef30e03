import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { midiBytes } from "../eval-audio/midi-file.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { encodeRaw, renderMidi } from "../eval-audio/render.ts";
import { played } from "../train-tagger/arrangement.ts";
import { disturbance } from "../train-tagger/clips.ts";
import { type Layer, STYLES } from "../train-tagger/styles.ts";

/** A file, and what is known of it: a name on neither side is not judged, or is wrong where `not` is absent. */
export type JudgedFile = {
  path: string;
  source: string;
  is: readonly string[];
  not?: readonly string[];
  perhaps?: readonly string[];
};

/** Who plays which part, the genre whose rhythm it has, and names that are neither right nor wrong. */
type LineUp = {
  players: Readonly<Record<string, Layer["role"]>>;
  style: string;
  perhaps?: readonly string[];
};

/** General MIDI programs that both judged soundfonts have. */
const PROGRAMS: Readonly<Record<string, readonly number[]>> = {
  piano: [0, 1],
  harp: [46],
  accordion: [21],
  guitar: [24, 25],
  violin: [40],
  cello: [42],
  strings: [48],
  flute: [73, 74],
  organ: [16, 19],
  trumpet: [56],
  trombone: [57],
  horn: [60],
  choir: [53],
  saxophone: [65, 66],
  clarinet: [71],
  lead: [80],
  pad: [88],
  synthBass: [38],
  distorted: [29, 30],
  bass: [33],
  doubleBass: [32],
};

const ROOMS = ["Classical", "Folk", "Jazz"];
/** Twelve line-ups, none of which is in the training pieces as such. */
const LINE_UPS: readonly LineUp[] = [
  { players: { piano: "tune", "piano 2": "broken" }, style: "Solo Piano", perhaps: ROOMS },
  { players: { violin: "tune", guitar: "broken" }, style: "Folk", perhaps: ["Classical", "Fiddle"] },
  {
    players: { violin: "tune", "violin 2": "held", cello: "bass" },
    style: "Classical",
    perhaps: ["Orchestral"],
  },
  { players: { flute: "tune", harp: "broken" }, style: "Classical", perhaps: ROOMS },
  { players: { accordion: "tune", "accordion 2": "chords" }, style: "Folk" },
  { players: { harp: "tune", "harp 2": "broken" }, style: "Classical", perhaps: ROOMS },
  { players: { organ: "tune", "organ 2": "held" }, style: "Classical", perhaps: ROOMS },
  {
    players: { trumpet: "tune", horn: "held", trombone: "bass" },
    style: "Classical",
    perhaps: ["Orchestral", ...ROOMS],
  },
  { players: { choir: "held", "choir 2": "tune" }, style: "Classical", perhaps: ["Ambient", "Orchestral"] },
  {
    players: { distorted: "chords", "distorted 2": "tune", bass: "bass" },
    style: "Rock",
    perhaps: ["Metal", "Punk"],
  },
  {
    players: { synthBass: "bass", pad: "held", lead: "broken" },
    style: "Techno",
    perhaps: ["Dance", "House", "Trance"],
  },
  { players: { saxophone: "tune", piano: "chords", doubleBass: "bass" }, style: "Jazz" },
];
const TAKES = 8;
const SECONDS = 20;

/**
 * Renders the line-ups once, each {@link TAKES} times, as MP3, by soundfonts that training does not use.
 *
 * @param from The first take: others have other scores, rooms and players.
 */
export async function judgedLineUps(folder: string, from = 0): Promise<JudgedFile[]> {
  await mkdir(folder, { recursive: true });
  const files: JudgedFile[] = [];
  for (const [index, lineUp] of LINE_UPS.entries())
    for (let take = from; take < from + TAKES; take++)
      files.push(await clipOf(folder, lineUp, { index, take }));
  return files;
}

async function clipOf(
  folder: string,
  { players, style: name, perhaps = [] }: LineUp,
  { index, take }: { index: number; take: number },
): Promise<JudgedFile> {
  const random = createRandom(900_000 + 100 * index + take);
  const styles = STYLES.filter(({ genres }) => genres.includes(name));
  const layers = Object.entries(players).map(
    ([who, role]) => ({ role, family: "Piano", program: programOf(random, who) }) as const,
  );
  const { score, tags } = played(random, random.pick(styles), { layers, hasGenre: true });
  const path = join(folder, `line-up-${index}-${take}.mp3`);
  if (!existsSync(path))
    await record(midiBytes(score), path, { isSampled: take % 2 === 0, filter: disturbance(random) });
  const source = Object.keys(players).join(", ");
  const is = "choir" in players ? tags : [...tags, "Instrumental"];
  return { path, source, is, perhaps: [...perhaps, ...FOLLOWING] };
}

/** Follow from other names, or from the rhythm. */
const FOLLOWING = ["Keys", "Woodwinds", "Guitar", "Bass", "Electronic", "Waltzing"];

function programOf(random: Random, who: string): number {
  return random.pick(PROGRAMS[who.split(" ")[0] ?? ""] ?? []);
}

async function record(
  midi: Uint8Array<ArrayBuffer>,
  path: string,
  { isSampled, filter }: { isSampled: boolean; filter: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dubplate-eval-"));
  try {
    const score = join(folder, "score.mid");
    await Bun.write(score, midi);
    if (isSampled) await renderMidi(score, path, { soundfont: SOUNDFONT, seconds: SECONDS, filter });
    else {
      const player = Bun.spawn(["timidity", "-Or1sl", "-s", "44100", "-o", "-", score], {
        stdout: "pipe",
        stderr: "ignore",
      });
      await encodeRaw(player.stdout, path, { seconds: SECONDS, filter });
      await player.exited;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of Debian's csound-soundfont; timidity plays Debian's freepats. */
const SOUNDFONT = "/usr/share/sounds/sf2/sf_GMbank.sf2";
