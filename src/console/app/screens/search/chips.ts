import { clock } from "../../../../pages/waveform.ts";
import type { Asked, Constraints } from "./asked.ts";
import { added, cut, reword, ruledOut, type Span } from "./prose.ts";
import type { Answer, Said } from "./search.ts";

/** How a wish counts. */
export type State = "prefer" | "must" | "out";

/** A piece that was understood, as its button shows it. */
export type Chip = {
  /** Tells the chips of a search apart. */
  id: string;
  /** "Mood", "Tempo"; see `KINDS`. */
  kind: string;
  value: string;
  state: State;
  /** Where the prose says it; empty when only a constraint or a track does. */
  spans: readonly Span[];
  /** False for an unknown artist. */
  isKnown: boolean;
  constraint?: keyof Constraints;
  /** The track of "More like" and "Less like". */
  trackId?: string;
  /** What the same words of the prose say besides: "stems" of "instrumental and stems available". */
  beside?: readonly string[];
};

/** What a song must also be there as. */
export const AVAILABLE = "Available as";

/** The kinds of wishes, by the names that the server has for them. */
const KINDS: Readonly<Record<Said["kind"], string>> = {
  genre: "Genre",
  mood: "Mood",
  instrument: "Instrument",
  vocals: "Vocals",
  tempo: "Tempo",
  key: "Key",
  length: "Length",
  language: "Language",
  era: "Era",
  energy: "Energy",
  theme: "Theme",
  reference: "Reference",
  order: "Order",
  filter: "Only",
  available: AVAILABLE,
  lyrics: "Words",
};

/** Kinds whose values are ordinary words. */
const ORDINARY = ["Mood", "Theme", "Vocals"];

/** Kinds that the prose alone can say, and that count or do not. */
const PLAIN = ["Order", "Only", AVAILABLE, "Words"];

/** The constraints, by the kinds of their chips. */
export const CONSTRAINTS: Readonly<Record<string, keyof Constraints>> = {
  Tempo: "bpmRange",
  Length: "durationRange",
  Key: "key",
  Language: "language",
  Vocals: "hasVocals",
};

/** Returns the chips of a search in the order of its sentence; what only the address holds comes last. */
export function chipsOf(asked: Asked, answer: Answer | undefined, titleOf: (id: string) => string): Chip[] {
  const left = new Set(Object.keys(asked.constraints) as (keyof Constraints)[]);
  const said = (answer?.interpretation.said ?? []).map((piece, index): Chip => {
    const chip = chipOf(piece, `${piece.kind} ${index}`);
    const constraint = CONSTRAINTS[chip.kind];
    const isNumber = chip.kind !== "Vocals" || /^(?:with vocals|instrumental)$/i.test(chip.value);
    if (!constraint || !isNumber || !left.has(constraint) || !isMeasure(chip)) return chip;
    left.delete(constraint);
    return { ...chip, state: "must", constraint, value: constraintText(asked.constraints, constraint) };
  });
  const only = [...left].map(
    (constraint): Chip => ({
      id: constraint,
      kind: kindOf(constraint),
      value: constraintText(asked.constraints, constraint),
      state: "must",
      spans: [],
      isKnown: true,
      constraint,
    }),
  );
  return [...said.map((chip) => withBeside(chip, said)), ...only, ...trackChips(asked, titleOf)];
}

function withBeside(chip: Chip, all: readonly Chip[]): Chip {
  if (chip.kind !== AVAILABLE) return chip;
  const others = all.filter(
    (other) => other !== chip && other.kind === AVAILABLE && other.spans[0]?.start === chip.spans[0]?.start,
  );
  return others.length > 0 ? { ...chip, beside: others.map(({ value }) => value) } : chip;
}

function chipOf({ kind, value, ruledOut: isOut, weight, known, spans }: Said, id: string): Chip {
  const name = KINDS[kind];
  const text = ORDINARY.includes(name) ? value.toLowerCase() : value.replace(/(?<=\d)-(?=\d)/g, "–");
  const state = isOut ? "out" : weight >= 1 ? "must" : "prefer";
  return { id, kind: name, value: text, state, spans, isKnown: known };
}

/** "Slow" is a tag of the kind Tempo; "120–130 BPM" is a number. */
const isMeasure = ({ kind, value }: Chip): boolean => kind !== "Tempo" || /\d/.test(value);

function trackChips({ like, less }: Asked, titleOf: (id: string) => string): Chip[] {
  const chip = (trackId: string, state: State): Chip => ({
    ...{ id: `${state} ${trackId}`, kind: "Like", value: titleOf(trackId), state },
    ...{ spans: [], isKnown: true, trackId },
  });
  return [...like.map((id) => chip(id, "prefer")), ...less.map((id) => chip(id, "out"))];
}

/** Returns the accessible name of a chip's button. */
export const chipName = ({ kind, value, state }: Chip): string =>
  state === "out" ? `Without ${value}, edit` : `${kind}: ${value}, edit`;

/** Says which states a wish can have, and what it cannot. */
export function isPossible({ kind, trackId }: Pick<Chip, "kind" | "trackId">, state: State): boolean {
  if (trackId !== undefined) return state !== "must";
  if (PLAIN.includes(kind)) return state === "prefer";
  if (state === "out") return !["Tempo", "Length", "Key", "Reference"].includes(kind);
  return state === "prefer" || !["Reference", "Energy"].includes(kind);
}

/** Said where a value cannot be required. */
export const NOT_REQUIRED = "This cannot be required: choose “Prefer”.";

/** Returns the search without a chip. */
export function withoutChip(asked: Asked, { spans, constraint, trackId, beside }: Chip): Asked {
  return {
    ...asked,
    prose: beside ? reword(asked.prose, spans, availableWords(beside)) : cut(asked.prose, spans),
    constraints: constraint ? without(asked.constraints, constraint) : asked.constraints,
    like: asked.like.filter((id) => id !== trackId),
    less: asked.less.filter((id) => id !== trackId),
  };
}

/** Returns the search with another value or state of a chip; undefined when the value cannot be read. */
export function withChip(asked: Asked, chip: Chip, value: string, state: State): Asked | undefined {
  const { kind, spans, trackId } = chip;
  if (trackId !== undefined) {
    const rest = withoutChip(asked, chip);
    return state === "out"
      ? { ...rest, less: [...rest.less, trackId] }
      : { ...rest, like: [...rest.like, trackId] };
  }
  const constraint = state === "must" ? constraintFor(kind, value) : undefined;
  if (state === "must" && kind in CONSTRAINTS && !constraint && !isTagValue(kind, value)) return undefined;
  const constraints = {
    ...(chip.constraint ? without(asked.constraints, chip.constraint) : asked.constraints),
    ...constraint,
  };
  if (constraint && spans.length === 0) return { ...asked, constraints };
  return { ...asked, constraints, prose: proseWith(asked.prose, chip, value, { state, constraint }) };
}

type Put = { state: State; constraint: Constraints | undefined };

function proseWith(prose: string, chip: Chip, value: string, put: Put): string {
  const { kind, spans, state: before, beside = [] } = chip;
  const words = kind === AVAILABLE ? availableWords([value, ...beside]) : wordsFor(kind, value);
  if (put.state === "out") return ruledOut(cut(prose, spans), value);
  if (put.state === "must" && !put.constraint) {
    if (kind === "Mood" && before !== "out") return reword(prose, spans, `very ${words}`);
    return added(cut(prose, spans), `must have ${words}`);
  }
  return before === "out" ? added(cut(prose, spans), words) : reword(prose, spans, words);
}

/** Words of the kind Tempo or Vocals that are tags: they cannot be required as numbers are. */
const isTagValue = (kind: string, value: string): boolean =>
  kind === "Vocals" || (kind === "Tempo" && !/\d/.test(value));

/** Writes a value as the prose says it. */
function wordsFor(kind: string, value: string): string {
  const plain = value.replaceAll("–", "-");
  if (kind === "Tempo" && /\d/.test(value) && !/bpm/i.test(value)) return `${plain} BPM`;
  if (kind === "Key" && !/\b(?:major|minor)\b/i.test(value)) return `in ${plain}`;
  if (kind === "Language") return `in ${plain}`.replace(/^in in /, "in ");
  if (kind === "Energy") return /energy/i.test(value) ? plain : `${plain} energy`;
  if (kind === "Reference") return `in the style of ${plain}`;
  if (kind === "Words") return `the one that goes “${plain}”`;
  if (kind === "Theme") return `lyrics about ${plain}`;
  return plain;
}

/** Writes what must be available as the prose says it: "instrumental and 30 second edit available". */
function availableWords(values: readonly string[]): string {
  const names = values.map((value) =>
    value.replace(/\s+available$/i, "").replace(/^(\d+) s edit$/, "$1 second edit"),
  );
  const first = names.slice(0, -1).join(", ");
  return `${first === "" ? "" : `${first} and `}${(names.at(-1) ?? "").toLowerCase()} available`;
}

/** Returns the constraint that a value of a kind is; undefined when it is none. */
export function constraintFor(kind: string, value: string): Constraints | undefined {
  if (kind === "Tempo") {
    const bpmRange = bounds(value, Number, [1, 300]);
    return bpmRange && { bpmRange };
  }
  if (kind === "Length") {
    const durationRange = bounds(value, secondsOf, [0, 86_400]);
    return durationRange && { durationRange };
  }
  if (kind === "Key") return { key: value.replace(/ key$/, "") };
  if (kind === "Language") return { language: value };
  if (kind !== "Vocals") return undefined;
  if (/^(?:instrumental|no vocals|without vocals)$/i.test(value)) return { hasVocals: false };
  return /^(?:with )?vocals$/i.test(value) ? { hasVocals: true } : undefined;
}

/** Reads "120–130", "up to 100", "from 90" or "124". */
function bounds(
  value: string,
  read: (text: string) => number,
  [least, most]: readonly [number, number],
): [number, number] | undefined {
  const [low, high] = [...value.matchAll(/\d+(?::\d+)?(?:\.\d+)?/g)].map(([text]) => read(text));
  if (low === undefined) return undefined;
  if (/^(?:up to|under|below)/i.test(value)) return [least, low];
  if (/^(?:from|over|above)/i.test(value) && high === undefined) return [low, most];
  return high === undefined ? [low, low] : [Math.min(low, high), Math.max(low, high)];
}

function secondsOf(text: string): number {
  const [minutes = 0, seconds = 0] = text.split(":").map(Number);
  return text.includes(":") ? minutes * 60 + seconds : minutes;
}

/** Writes a constraint as its chip shows it. */
export function constraintText(constraints: Constraints, name: keyof Constraints): string {
  const { bpmRange, durationRange, hasVocals, key = "", language = "" } = constraints;
  if (name === "bpmRange" && bpmRange) return `${rangeText(bpmRange, String, [1, 300])} BPM`;
  if (name === "durationRange" && durationRange) return rangeText(durationRange, clock, [0, 86_400]);
  if (name === "hasVocals") return hasVocals ? "with vocals" : "instrumental";
  return name === "key" ? key : languageText(language);
}

function rangeText(
  [low, high]: readonly [number, number],
  text: (value: number) => string,
  [least, most]: readonly [number, number],
): string {
  if (low === high) return text(low);
  if (low <= least) return `up to ${text(high)}`;
  return high >= most ? `from ${text(low)}` : `${text(low)}–${text(high)}`;
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
const languageText = (code: string): string =>
  /^[a-z]{2}$/.test(code) ? (languages.of(code) ?? code) : code;

/** Returns the kind of chip that shows a constraint. */
export const kindOf = (constraint: keyof Constraints): string =>
  Object.entries(CONSTRAINTS).find(([, name]) => name === constraint)?.[0] ?? "Like";

/** Returns constraints without one of them. */
export function without(constraints: Constraints, name: keyof Constraints): Constraints {
  const { [name]: _, ...rest } = constraints;
  return rest;
}
