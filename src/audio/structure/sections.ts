import type { BarFeatures, Span } from "./bar-features.ts";
import type { SectionKind } from "./names.ts";
import { splitBars } from "./split-bars.ts";

/** A part of a recording. */
export type Section = {
  kind: SectionKind;
  startSec: number;
  endSec: number;
  /** Against the whole recording. */
  levelDb: number;
};

/** What is known of a span of bars. */
type Part = Span & {
  levelDb: number;
  /** Spans that sound alike have the same. */
  family: number;
};

/** A family at least so much louder than the others is a chorus. */
const CHORUS_LEAD_DB = 0.8;
/** The first and the last part are an introduction and an end when so much quieter than the loudest. */
const EDGE_DROP_DB = 2;
/** A part is a break when so much quieter than a neighbour. */
const BREAK_DROP_DB = 3;
/** A part that comes back is a break, or one of several at an end, when so much quieter than the whole recording. */
const DEEP_DROP_DB = 7;
/** Share of the recording that a part has which is a chorus without coming back. */
const LEAST_OF_CHORUS = 0.2;
/** The share of the recording that an introduction or an end is at most. */
const MOST_OF_EDGE = 0.3;
/** Distance between the means of two spans below which they are the same part. */
const SAME_PART = 0.55;
/** Nothing shorter has sections. */
const MIN_BARS = 12;

/** Returns the sections of a recording in order, without gaps; empty when it is too short or stays the same. */
export function findSections(bars: BarFeatures, durationSec: number): Section[] {
  if (bars.count < MIN_BARS) return [];
  const spans = splitBars(bars);
  const parts = merged(named(spans, bars));
  if (parts.length < 2) return [];
  const kinds = kindsOf(parts, bars.count);
  return joined(
    parts.map((part, i) => ({
      kind: kinds[i] ?? "other",
      startSec: i === 0 ? 0 : round(bars.starts[part.from] ?? 0),
      endSec: i === parts.length - 1 ? round(durationSec) : round(bars.starts[part.to] ?? durationSec),
      levelDb: Math.round(part.levelDb * 10) / 10,
    })),
  );
}

/** An introduction, and an end, is one section. */
function joined(sections: readonly Section[]): Section[] {
  const out: Section[] = [];
  for (const section of sections) {
    const last = out.at(-1);
    const isOne = last?.kind === section.kind && (section.kind === "intro" || section.kind === "end");
    if (!last || !isOne) out.push({ ...section });
    else {
      const [a, b] = [last.endSec - last.startSec, section.endSec - section.startSec];
      last.levelDb = Math.round((10 * (a * last.levelDb + b * section.levelDb)) / (a + b)) / 10;
      last.endSec = section.endSec;
    }
  }
  return out;
}

const round = (sec: number) => Math.round(sec * 100) / 100;

function named(spans: readonly Span[], bars: BarFeatures): Part[] {
  const means = spans.map((span) => bars.meanOf(span));
  const families: number[] = [];
  for (const [i, mean] of means.entries()) {
    const distances = means.slice(0, i).map((other) => distance(mean, other));
    const nearest = Math.min(...distances);
    const like = distances.indexOf(nearest);
    families.push(nearest < SAME_PART ? (families[like] ?? i) : i);
  }
  const loudness = bars.levelDb({ from: 0, to: bars.count });
  return spans.map((span, i) => ({
    ...span,
    levelDb: bars.levelDb(span) - loudness,
    family: families[i] ?? i,
  }));
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return Math.sqrt(sum / a.length);
}

/** Joins neighbours of one family. */
function merged(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.family !== part.family) out.push({ ...part });
    else {
      const [a, b] = [last.to - last.from, part.to - part.from];
      last.levelDb = (a * last.levelDb + b * part.levelDb) / (a + b);
      last.to = part.to;
    }
  }
  return out;
}

function kindsOf(parts: readonly Part[], bars: number): SectionKind[] {
  const loudest = Math.max(...parts.filter(({ from, to }) => to - from >= 4).map(({ levelDb }) => levelDb));
  const choruses = chorusFamilies(parts);
  const isEdge = (part: Part, isOuter: boolean) => {
    if (choruses.has(part.family)) return false;
    if (!comesBack(parts, part)) return true;
    return part.levelDb < (isOuter ? loudest - EDGE_DROP_DB : -DEEP_DROP_DB);
  };
  const most = MOST_OF_EDGE * bars;
  const intros = parts.findIndex((part, i) => !isEdge(part, i === 0) || part.to > most);
  const ends = parts.findLastIndex(
    (part, i) => !isEdge(part, i === parts.length - 1) || bars - part.from > most,
  );
  const others = choruses.size === 0 ? "other" : "verse-like";
  return parts.map((part, i): SectionKind => {
    if (choruses.has(part.family)) return "chorus-like";
    if (i < intros) return "intro";
    if (i > ends) return "end";
    if (isBreak(parts, i)) return "break";
    return comesBack(parts, part) ? "verse-like" : others;
  });
}

const comesBack = (parts: readonly Part[], { family }: Part) =>
  parts.filter((part) => part.family === family).length > 1;

function isBreak(parts: readonly Part[], i: number): boolean {
  const [before, part, after] = [parts[i - 1], parts[i], parts[i + 1]];
  if (!before || !part || !after) return false;
  if (comesBack(parts, part)) return part.levelDb < -DEEP_DROP_DB;
  return Math.max(before.levelDb, after.levelDb) - part.levelDb >= BREAK_DROP_DB;
}

/** Returns the loudest families that come back, or last long; empty where none stands out. */
function chorusFamilies(parts: readonly Part[]): Set<number> {
  const all = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const worthy = [...new Set(parts.map(({ family }) => family))]
    .map((family) => {
      const own = parts.filter((part) => part.family === family);
      const bars = own.reduce((sum, { from, to }) => sum + to - from, 0);
      const levelDb = own.reduce((sum, { from, to, levelDb: db }) => sum + (db * (to - from)) / bars, 0);
      return { family, times: own.length, bars, levelDb };
    })
    .filter(({ times, bars }) => times > 1 || bars >= LEAST_OF_CHORUS * all)
    .sort((a, b) => b.levelDb - a.levelDb);
  const quieter = worthy.findIndex(
    ({ levelDb }, i) => i > 0 && (worthy[i - 1]?.levelDb ?? 0) - levelDb >= CHORUS_LEAD_DB,
  );
  const louder =
    quieter < 0 && worthy.length < parts.length ? worthy.slice(0, 1) : worthy.slice(0, Math.max(0, quieter));
  return new Set(louder.filter(({ levelDb }) => levelDb > 0).map(({ family }) => family));
}
