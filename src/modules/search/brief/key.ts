import { camelotKey, type Mode, type MusicalKey, pitchOf } from "../musical-key.ts";
import type { Found } from "./duration.ts";
import { spanOf } from "./text.ts";

const ACCIDENTAL = "(#|b|[ -]?(?:sharp|flat))";
const WITH_MODE = new RegExp(`(?<![a-z0-9#'])([a-g])${ACCIDENTAL}?[ -]?(major|minor|maj|min)\\b`, "g");
const AFTER_KEY = new RegExp(`\\b(?:key of|key:|key is|key)\\s+([a-g])${ACCIDENTAL}?(?![a-z0-9#'])`, "g");
/** In the case it was written: `Am`, `F#m`, never "am". */
const SHORT_MINOR = /(?<![\p{L}\p{N}#'])([A-G])([#b♯♭]?)m(?![\p{L}\p{N}']| I\b)/gu;
const CAMELOT = /(?<![\p{L}\p{N}-])(1[0-2]|[1-9])([AB])(?![\p{L}\p{N}-])/gu;
const MODE_ONLY =
  /\b(minor|major)(?=[ -](?:key|keys|mode|scale|tonality|feel|chords?|harmony)\b|\s*(?:[,.;|)]|$))/g;

/** What was found of the key: the key with its tonic, or only a mode. */
export type KeyFinding = { key: MusicalKey | null; mode: Mode | null; spans: Found<unknown>["span"][] };

/**
 * Finds the key asked for, in any spelling. The last one said wins ("D minor, no wait, D major").
 *
 * @param text The brief in its own case, with the same offsets as `plain`.
 */
export function findKey(text: string, plain: string): KeyFinding {
  const found = [
    ...[...plain.matchAll(WITH_MODE)].filter((match) => !isArticle(match, text)).map(readWords),
    ...[...plain.matchAll(AFTER_KEY)].filter((match) => !isArticle(match, text)).map(readWords),
    ...[...text.matchAll(SHORT_MINOR)].map((match) => ({
      value: { pitch: pitchOf(match[1] ?? "", accidentalOf(match[2])), mode: "minor" as const },
      span: spanOf(match),
    })),
    ...[...text.matchAll(CAMELOT)].map((match) => ({
      value: camelotKey(Number(match[1]), match[2] ?? ""),
      span: spanOf(match),
    })),
  ].toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const last = found.at(-1)?.value ?? null;
  const modes = [...plain.matchAll(MODE_ONLY)];
  const spans = [...found.map(({ span }) => span), ...modes.map(spanOf)];
  return { key: last, mode: last?.mode ?? (modes.at(-1)?.[1] as Mode | undefined) ?? null, spans };
}

function readWords(match: RegExpMatchArray): Found<MusicalKey> {
  const word = match[3];
  const mode = word === undefined ? null : word.startsWith("maj") ? "major" : "minor";
  return { value: { pitch: pitchOf(match[1] ?? "", accidentalOf(match[2])), mode }, span: spanOf(match) };
}

function accidentalOf(text: string | undefined): string | undefined {
  const plain = text?.replace(/[ -]/g, "").replace("♯", "#").replace("♭", "b");
  return plain === "" ? undefined : plain;
}

/** "in a minor key", "a major label": a small "a" before another word is an article. */
function isArticle(match: RegExpMatchArray, text: string): boolean {
  const { start, end } = spanOf(match);
  return /^a[ ]/.test(text.slice(start, end)) && /^\s*[\p{L}]/u.test(text.slice(end));
}
