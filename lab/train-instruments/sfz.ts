import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeFiles, TONE_HZ } from "./decode.ts";
import type { Sample } from "./sampler.ts";

type Opcodes = Readonly<Record<string, string>>;

/** Returns the tones of an SFZ instrument that have a file: the regions that a key starts. */
export async function readSfz(path: string): Promise<Sample[]> {
  const regions = regionsOf(await included(path)).flatMap((region) => {
    const file = join(
      dirname(path),
      `${region.default_path ?? ""}${region.sample ?? ""}`.replaceAll("\\", "/"),
    );
    const isStarted = (region.trigger ?? "attack") === "attack" && region.on_locc64 === undefined;
    return region.sample && isStarted && existsSync(file) ? [{ ...region, file }] : [];
  });
  const sounds = await decodeFiles(regions.map(({ file }) => file));
  return regions.flatMap((region: Opcodes, i) => {
    const samples = sounds[i] ?? new Float32Array(0);
    if (samples.length < TONE_HZ / 20) return [];
    const number = (name: string, otherwise: number) => Number(region[name] ?? region.key ?? otherwise);
    const plain = (name: string, otherwise: number) => Number(region[name] ?? otherwise);
    return [
      {
        samples,
        hz: TONE_HZ,
        cents: 100 * (number("pitch_keycenter", 60) - plain("transpose", 0)) - plain("tune", 0),
        lowest: number("lokey", 0),
        highest: number("hikey", 127),
        velocity: (plain("lovel", 0) + plain("hivel", 127)) / 2,
        loopStart: 0,
        loopEnd: 0,
      },
    ];
  });
}

/** Returns the SFZ file of a program in a folder of General MIDI instruments, whose names begin with numbers from 1. */
export function sfzOf(folder: string, program: number): string | undefined {
  const start = `${String(program + 1).padStart(3, "0")}-`;
  const name = readdirSync(folder).find((file) => file.startsWith(start) && file.endsWith(".sfz"));
  return name && join(folder, name);
}

/** Returns the text of a file with its inclusions and definitions in place. */
async function included(path: string): Promise<string> {
  let text = (await Bun.file(path).text()).replaceAll(/\/\/.*/g, "");
  const definitions = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/#define\s+\$(\w+)\s+(\S+)/g))
    definitions.set(name, value);
  for (const [line, file = ""] of text.matchAll(/#include\s+"([^"]+)"/g)) {
    const inner = join(dirname(path), defined(file, definitions));
    text = text.replace(
      line,
      existsSync(inner) ? (await Bun.file(inner).text()).replaceAll(/\/\/.*/g, "") : "",
    );
  }
  return defined(text.replaceAll(/#define.*/g, ""), definitions);
}

function defined(text: string, definitions: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$(\w+)/g, (all, name: string) => definitions.get(name) ?? all);
}

/** Headers from the widest to the narrowest: each takes over what the wider ones say. */
const HEADERS = ["control", "global", "master", "group", "region"];

function regionsOf(text: string): Opcodes[] {
  const levels: Opcodes[] = HEADERS.map(() => ({}));
  const regions: Opcodes[] = [];
  for (const [, header = "", body = ""] of text.matchAll(/<(\w+)>([^<]*)/g)) {
    const level = HEADERS.indexOf(header);
    if (level < 0) continue;
    levels.splice(level, levels.length, opcodesIn(body), ...HEADERS.slice(level + 1).map(() => ({})));
    if (header === "region") regions.push(Object.assign({}, ...levels));
  }
  return regions;
}

/** Returns the opcodes of a header; values may have spaces, and end where the next name begins. */
function opcodesIn(body: string): Opcodes {
  return Object.fromEntries(
    [...body.matchAll(/(\w+)=(.*?)(?=\s+\w+=|\s*\n|\s*$)/g)].map(([, name = "", value = ""]) => [
      name,
      value.trim(),
    ]),
  );
}
