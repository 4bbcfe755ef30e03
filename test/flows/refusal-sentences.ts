import { join } from "node:path";
import { Glob } from "bun";
import { ROOT, readSource } from "../support/source.ts";

/** A sentence with which the program refuses, as the code has it. */
export type Sentence = {
  /** With `…` for what differs from case to case. */
  text: string;
  matches: (said: string) => boolean;
};

const RECOVERY = join(ROOT, "docs/recovery.md");
/** What runs when a library is opened, backed up, restored, verified or upgraded. */
const SOURCES = [
  "src/{store,backup}/*.ts",
  "src/blobs/bucket/marker.ts",
  "src/{server,library}.ts",
  "src/kernel/fault.ts",
  "src/commands/{serve,backup,restore,verify,quarantine}.ts",
];
/** Where a sentence begins: it is what is thrown, or it is in a table, or it is what a fault returns. */
const BEGINNINGS: readonly [file: RegExp, beginning: RegExp][] = [
  [/./, /\bnew (?:LibraryError|RefusedError)\(/g],
  [/store\/check\.ts$/, /\brefusal\(\s*settings,/g],
  [/backup\/errors\.ts$/, /=>(?= ["`])/g],
  [/kernel\/fault\.ts$/, /\breturn(?= ["`])/g],
];
/** Calls that pass on a sentence which is found elsewhere. */
const PASSED_ON = ["sentence.replace(", "sentence(path)"];

/** Returns every sentence of the code. @throws Error for one that is not written where it is thrown. */
export async function sentencesOfCode(): Promise<Sentence[]> {
  const files = SOURCES.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]);
  const sources = await Promise.all(files.map(async (file) => [file, await readSource(file)] as const));
  const sentences = sources.flatMap(([file, source]) =>
    BEGINNINGS.filter(([where]) => where.test(file)).flatMap(([, beginning]) =>
      [...source.matchAll(beginning)].flatMap(
        ({ index, 0: { length } }) => sentenceAt(file, source.slice(index + length).trimStart()) ?? [],
      ),
    ),
  );
  return [...new Map(sentences.map((each) => [each.text, each])).values()];
}

function sentenceAt(file: string, source: string): Sentence | undefined {
  const parts = literalAt(source);
  if (parts) return toSentence(parts);
  if (PASSED_ON.some((each) => source.startsWith(each))) return undefined;
  throw new Error(`${file}: the sentence is not a text: ${source.slice(0, 60)}`);
}

/** Returns the sentences that docs/recovery.md quotes. */
export async function sentencesOfDocs(): Promise<string[]> {
  const lines = (await Bun.file(RECOVERY).text()).split("\n");
  return lines.filter((line) => line.startsWith("> ")).map((line) => line.slice(2).trim());
}

/** Returns the texts between the values of a string, a template, or a sum of them; undefined for anything else. */
function literalAt(source: string): string[] | undefined {
  const [quote = ""] = source;
  if (quote !== '"' && quote !== "`") return undefined;
  const parts: string[] = [];
  let part = "";
  let at = 1;
  while (source[at] !== quote)
    if (quote === "`" && source.startsWith("${", at)) {
      at = endOfValue(source, at + 2);
      parts.push(part);
      part = "";
    } else part += source[at++];
  const sum = /^\s*\+\s*/.exec(source.slice(at + 1))?.[0];
  const [next = "", ...others] = (sum && literalAt(source.slice(at + 1 + sum.length))) || [];
  return [...parts, part + next, ...others];
}

/** Returns where a value of a template has ended. */
function endOfValue(source: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; depth > 0; at++) depth += source[at] === "{" ? 1 : source[at] === "}" ? -1 : 0;
  return at;
}

function toSentence(parts: readonly string[]): Sentence {
  // `%s` stands for the data folder.
  const texts = parts.flatMap((part) => part.split("%s"));
  const pattern = new RegExp(`^${texts.map(escaped).join(".+")}$`);
  return { text: texts.join("…"), matches: (said) => pattern.test(said) };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
