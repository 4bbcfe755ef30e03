import type { Beside, Clause, Told } from "./fact-clause.ts";
import { afterBlank } from "./fact-counts.ts";
import type { Wished } from "./fact-wishes.ts";
import { endOf } from "./reading.ts";
import type { Span } from "./text.ts";

/** How a word of a fact is joined to the one before: "cover, notes or lyrics". */
type Joint = "and" | "or" | "nor" | "but" | "comma";
const JOINTS = ["nor", "and", "or", "but"] as const;
const MOST_BETWEEN = 3;

/** Returns what joins two words of facts, if nothing else stands between. */
function jointOf({ reading }: Clause, { end }: Span, { start }: Span): Joint | undefined {
  const comma = reading.text[end] === ",";
  let at = afterBlank(reading, comma ? end + 1 : end);
  const by = JOINTS.find((each) => endOf(reading, `fact.${each}`, at) !== undefined);
  if (by) at = afterBlank(reading, endOf(reading, `fact.${by}`, at) ?? at);
  for (let skipped = 0; skipped < MOST_BETWEEN && at < start; skipped++) {
    const next = endOf(reading, "fact.between", at);
    if (next === undefined) return undefined;
    at = afterBlank(reading, next);
  }
  return at === start ? (by ?? (comma ? "comma" : undefined)) : undefined;
}

/**
 * Shares what is said once of several: "no cover, notes or lyrics", "cover and notes are missing", "never opened or
 * downloaded", "downloaded and approved by Ana".
 */
export function withShared(clause: Clause, told: readonly Told[]): Told[] {
  const shared = told.map((each) => ({ ...each }));
  const joints = shared.map((each, at) => {
    const last = shared[at - 1];
    return last && jointOf(clause, last.beside, each.beside);
  });
  for (let at = 1; at < shared.length; at++) {
    const [last, next, by] = [shared[at - 1], shared[at], joints[at]];
    if (last && next && by) next.beside = withLeft(last, next, by);
  }
  for (let at = shared.length - 1; at > 0; at--) {
    const [last, next, by] = [shared[at - 1], shared[at], joints[at]];
    if (last && next && by) last.beside = withRight(last, next);
  }
  return shared;
}

/** Returns what a word takes of the one before it. */
function withLeft(last: Told, next: Told, by: Joint): Beside {
  const { beside } = next;
  const [isThing, wasThing] = [next, last].map(({ anchor }) => anchor.role === "thing");
  if (isThing && wasThing && beside.has === undefined && last.beside.has !== undefined && !beside.count) {
    const has = by === "but" ? !last.beside.has : last.beside.has;
    return { ...beside, has, isMissing: beside.isMissing || isStored(last) };
  }
  const isNegated = by === "or" || by === "nor" ? last.beside.isNegated : false;
  if (isThing || wasThing || !isNegated || beside.isNegated) return beside;
  return { ...beside, isNegated };
}

/** Returns what a word takes of the one behind it. */
function withRight(last: Told, next: Told): Beside {
  const { beside } = last;
  const [isThing, wasThing] = [next, last].map(({ anchor }) => anchor.role === "thing");
  if (isThing && wasThing) {
    const has = beside.has ?? next.beside.has;
    // "No lyrics or notes" asks for what is written, "no lyrics" for an instrumental.
    const isMissing = beside.isMissing || (has === next.beside.has && isStored(next));
    return beside.count || next.beside.count ? beside : { ...beside, has, isMissing };
  }
  const { person, time, timeOfNot, others } = next.beside;
  const isBare = !beside.person && !beside.time && !beside.isAnybody && !beside.count;
  if (isThing || wasThing || !isBare || !person || last.row.joins !== next.row.joins) return beside;
  return { ...beside, person, time, timeOfNot, others };
}

/** True for a thing that is stored, which its word says or the words beside it. */
const isStored = ({ row, beside }: Told): boolean =>
  beside.has !== undefined && (row.isSound !== true || beside.isMissing);

/** Returns all wishes, those of which one is enough with the same number: "wav, aiff or flac". */
export function linked(
  clause: Clause,
  told: readonly Told[],
  wishes: readonly (readonly Wished[])[],
): Wished[] {
  const groups = told.map((): number | undefined => undefined);
  for (let at = told.length - 1; at > 0; at--) {
    const [last, next] = [told[at - 1], told[at]];
    const by = last && next && jointOf(clause, last.beside, next.beside);
    const isIn = by === "or" || (by === "comma" && groups[at] !== undefined);
    if (!isIn || ![at - 1, at].every((each) => isOne(wishes[each]))) continue;
    groups[at] ??= at;
    groups[at - 1] = groups[at];
  }
  const all = wishes.flatMap((each, at) =>
    each.map(({ wish, spans }) => {
      const either = groups[at];
      return { wish: either === undefined ? wish : { ...wish, either }, spans };
    }),
  );
  // "No barcode or UPC" says one thing twice.
  return [...Map.groupBy(all, ({ wish }) => JSON.stringify(wish)).values()].flatMap(([first, ...same]) =>
    first ? [{ ...first, spans: [first, ...same].flatMap(({ spans }) => spans) }] : [],
  );
}

const isOne = (wishes: readonly Wished[] = []): boolean =>
  wishes.length === 1 && wishes[0]?.wish.isNot === false;
