import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type JudgedFile, judgedLineUps } from "../eval-ears/line-ups.ts";

/** A stretch of a clip, and which names are right in it; those of `perhaps` are neither right nor wrong. */
export type Part = { fromSec: number; toSec: number; is: readonly string[]; perhaps: readonly string[] };
/** A clip of known line-up. */
export type Clip = { path: string; title: string; lengthSec: number; parts: readonly Part[] };

const CLIPS_OF_LINE_UP = 8;
const LINE_UPS = 12;
/** Of a rendered line-up. */
const SECONDS = 20;
const LANGUAGES = ["en-us", "de", "fr"];
const TEXT: Readonly<Record<string, string>> = {
  "en-us":
    "The last train left the station before midnight. Nobody had told them that the bridge was closed, and so they waited until the morning came.",
  de: "Der letzte Zug verliess den Bahnhof vor Mitternacht. Niemand hatte ihnen gesagt, dass die Brücke gesperrt war, und so warteten sie bis zum Morgen.",
  fr: "Le dernier train a quitté la gare avant minuit. Personne ne leur avait dit que le pont était fermé, et ils ont attendu jusqu'au matin.",
};
/** Who speaks; whether speech counts as a lead voice too is a matter of taste. */
const SPOKEN = { is: ["Spoken Word"], perhaps: ["Lead Vocals", "Female Vocals", "Male Vocals"] };

/**
 * Returns thirty clips: each line-up once, twelve pieces of a minute in whose middle third another line-up plays, speech
 * in three languages, and the same over the middle third of music.
 */
export async function listeningClips(folder: string): Promise<Clip[]> {
  const all = await judgedLineUps(join(folder, "line-ups"));
  const made = join(folder, "listening");
  await mkdir(made, { recursive: true });
  const take = (lineUp: number, number: number) =>
    all[(lineUp % LINE_UPS) * CLIPS_OF_LINE_UP + (number % CLIPS_OF_LINE_UP)] as JudgedFile;
  const numbers = Array.from({ length: LINE_UPS }, (_, i) => i);
  const clips = numbers.map((i) => single(take(i, i)));
  for (const i of numbers) clips.push(await changing(made, take(i, i + 2), take(i + 5, i + 3)));
  for (const [i, language] of LANGUAGES.entries()) {
    const speech = await spoken(made, language);
    clips.push({ path: speech, title: `speech, ${language}`, lengthSec: SECONDS, parts: [whole(SPOKEN)] });
    clips.push(await spokenOver(made, speech, { language, file: take(4 * i, 7) }));
  }
  return clips;
}

type Known = Pick<JudgedFile, "is" | "perhaps">;

function whole({ is, perhaps = [] }: Known): Part {
  return { fromSec: 0, toSec: SECONDS, is, perhaps };
}

function single(file: JudgedFile): Clip {
  return { path: file.path, title: file.source, lengthSec: SECONDS, parts: [whole(file)] };
}

function later(part: Part, third: number): Part {
  return { ...part, fromSec: third * SECONDS, toSec: (third + 1) * SECONDS };
}

async function changing(folder: string, around: JudgedFile, middle: JudgedFile): Promise<Clip> {
  const title = `${around.source}; from 0:20 to 0:40 ${middle.source}`;
  const path = join(folder, `${named(title)}.mp3`);
  const inputs = [around.path, middle.path, around.path].flatMap((each) => ["-i", each]);
  const filter = `${[0, 1, 2].map((i) => `[${i}:a]atrim=0:${SECONDS},aresample=44100,aformat=channel_layouts=stereo[p${i}];`).join("")}[p0][p1][p2]concat=n=3:v=0:a=1`;
  await made(path, [...inputs, "-filter_complex", filter]);
  return {
    path,
    title,
    lengthSec: 3 * SECONDS,
    parts: [around, middle, around].map((file, third) => later(whole(file), third)),
  };
}

async function spoken(folder: string, language: string): Promise<string> {
  const [speech, path] = [join(folder, `${language}.wav`), join(folder, `speech-${language}.mp3`)];
  if (!existsSync(path)) await Bun.$`espeak-ng -v ${language} -s 150 -w ${speech} ${TEXT[language]}`.quiet();
  await made(path, ["-stream_loop", "5", "-i", speech, "-t", String(SECONDS), "-ar", "44100", "-ac", "2"]);
  return path;
}

/** Speech as loud as the music, in the middle third of it. */
async function spokenOver(
  folder: string,
  speech: string,
  { language, file }: { language: string; file: JudgedFile },
): Promise<Clip> {
  const title = `${file.source}; from 0:20 to 0:40 speech over it, ${language}`;
  const path = join(folder, `${named(title)}.mp3`);
  const delay = 1000 * SECONDS;
  const filter = `[0:a]aresample=44100,aformat=channel_layouts=stereo,loudnorm[m];[1:a]loudnorm,adelay=${delay}|${delay}[s];[m][s]amix=duration=first:normalize=0,aresample=44100`;
  const input = ["-stream_loop", "2", "-t", String(3 * SECONDS), "-i", file.path, "-i", speech];
  await made(path, [...input, "-filter_complex", filter]);
  const music = whole(file);
  const both = {
    ...music,
    is: [...music.is.filter((name) => name !== "Instrumental"), ...SPOKEN.is],
    perhaps: [...music.perhaps, ...SPOKEN.perhaps],
  };
  return {
    path,
    title,
    lengthSec: 3 * SECONDS,
    parts: [music, both, music].map((part, third) => later(part, third)),
  };
}

async function made(path: string, args: readonly string[]): Promise<void> {
  if (existsSync(path)) return;
  await Bun.$`ffmpeg -nostdin -v error -y ${args} -b:a 128k ${path}`.quiet();
}

const named = (title: string) => title.replaceAll(/[^a-z0-9]+/gi, "-");
