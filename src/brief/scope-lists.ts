import { meaningOf } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { begins, endOf } from "./reading.ts";

/** The words that open a negation. */
export type Cue = { text: string; isVerb: boolean; isListed: boolean; isSurfeit: boolean };

/** "AVOID - ukulele, claps" */
const DASHED = /^\s+-\s[^\n.;[|]*/;
const LISTED = /^[^\n.[|]*/;
/** "avoid: trap, yes: soul": the next label ends a list. */
const NEXT_LABEL = /[\s,/(-]+\p{L}[\p{L}']*\s*:/u;

/** "no drums, bass or vocals", "avoid: trap, dubstep": extends the negation to the end of the list. */
export function throughList(reading: Reading, from: number, rest: string, close: number, cue: Cue): number {
  const marked = markedList(reading, from, rest, cue);
  if (marked !== undefined) return marked;
  if (!rest.slice(close).startsWith(",")) return close;
  if (begins(reading, "negation.turn", from + close)) return close;
  const list = listAt(rest.slice(close), cue.isVerb ? /\b(?:and|or|nor)\b|&/ : /\b(?:or|nor)\b/);
  if (list === undefined) return close;
  const [first, last] = [kindOf(rest.slice(0, close)), kindOf(list)];
  const goesOn =
    first === last || first === undefined || last === undefined || (first === "thing" && last === "voice");
  return goesOn ? close + list.trimEnd().length : close;
}

/** Returns the length of a list after a colon or a dash, or below a heading. */
function markedList(reading: Reading, from: number, rest: string, cue: Cue): number | undefined {
  const colon = cue.text.endsWith(":") ? from : endOf(reading, "negation.heading end", from);
  const lead = colon === undefined ? 0 : colon - from;
  const list = rest.slice(lead);
  if (colon !== undefined ? /^[^\S\n]*\n/.test(list) : BULLETS.test(list)) return lead + blockLength(list);
  if (colon !== undefined) return lead + inlineLength(list);
  return cue.isListed ? DASHED.exec(rest)?.[0].length : undefined;
}

function inlineLength(list: string): number {
  const [first = "", ...others] = (LISTED.exec(list)?.[0] ?? "").split(";");
  const end = others.findIndex((item) => !isItem(item));
  const line = [first, ...(end === -1 ? others : others.slice(0, end))].join(";");
  const outer = line.includes("(") ? line : line.split(")", 1).join();
  return NEXT_LABEL.exec(outer)?.index ?? outer.length;
}

/** Returns true for a few words behind a semicolon that ask for nothing: "avoid: claps; whistles". */
function isItem(item: string): boolean {
  const [first = "", ...others] = item.trim().split(/\s+/);
  return !item.includes(":") && others.length < MOST_ITEM_WORDS && !words.get(first)?.includes("turns");
}

const BULLET = /^\s*(?:[-*+>•·]|\d+[.)])\s*\p{L}/u;
const BULLETS = /^[^\S\n]*\n\s*[-*+>•·]\s*\p{L}/u;
/** A line of a list without bullets: a few words, and no label. */
const ITEM = /^\s*[\p{L}\p{N}'&/,-]+(?: [\p{L}\p{N}'&/,-]+){0,4}\s*$/u;

/** Returns the length of the lines below a heading that are its items. */
function blockLength(list: string): number {
  const [heading = "", ...lines] = list.split("\n");
  const item = BULLET.test(lines[0] ?? "") ? BULLET : ITEM;
  const other = lines.findIndex((line) => !item.test(line) || line.trimEnd().endsWith(":"));
  const items = other === -1 ? lines : lines.slice(0, other);
  return [heading, ...items].join("\n").length;
}

const MOST_ITEM_WORDS = 3;

/**
 * Returns the rest of a list, such as ", bass or vocals": its items are short, and a conjunction joins the last one.
 */
function listAt(rest: string, joint: RegExp): string | undefined {
  const sentence = /^[^.;:!?|()\n]*/.exec(rest)?.[0] ?? "";
  let end = 0;
  for (const item of sentence.slice(1).split(",")) {
    const parts = item.split(joint).map((part) =>
      part
        .trim()
        .split(/\s+/)
        .filter((word) => word !== ""),
    );
    end += item.length + 1;
    if (parts.length > 1) return endOfJoined(rest.slice(0, end), item, joint);
    if (parts.some((words) => words.length > MOST_ITEM_WORDS)) return undefined;
  }
  return undefined;
}

/** Ends a list at its joined item; the text after that item's few words belongs to something else. */
function endOfJoined(list: string, item: string, joint: RegExp): string {
  const match = joint.exec(item);
  const after = item.slice((match?.index ?? 0) + (match?.[0].length ?? 0));
  const words = /^\s*(?:[\p{L}\p{N}'&/-]+(?: [\p{L}\p{N}'&/-]+){0,2})?/u.exec(after)?.[0] ?? "";
  return list.slice(0, list.length - after.length + words.length);
}

const words = headsOf("negation");

export type Kind = "feeling" | "voice" | "thing";

/** Returns the kind of the last meaningful word of a piece. */
export function kindOf(piece: string): Kind | undefined {
  const words = piece.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  for (let at = words.length - 1; at >= 0; at--) {
    const kind = kindOfWord(words[at] ?? "");
    if (kind) return kind;
  }
  return undefined;
}

export function kindOfWord(word: string): Kind | undefined {
  if (words.get(word)?.includes("voice word")) return "voice";
  const category = meaningOf(word)?.tags[0]?.category;
  if (category === undefined) return undefined;
  // A treated or sampled voice counts as a sound in lists: "no autotune, trap hats or 808s".
  if (category === "vocalTypes") return words.get(word)?.includes("treated") ? "thing" : "voice";
  return ["moods", "characters", "movements", "tempos"].includes(category) ? "feeling" : "thing";
}

const ARTICLES = /^(?:(?:the|any|all|and|but|so|no|please|those|these|your|our) )*/;

/** Returns true for a piece that names music and says nothing else: "the electric guitars". */
export function isThing(piece: string): boolean {
  const name = piece.trim().replace(ARTICLES, "");
  return name !== "" && ((meaningOf(name)?.tags.length ?? 0) > 0 || kindOfWord(name) === "voice");
}
