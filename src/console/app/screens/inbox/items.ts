import { signal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { type Pages, usePages } from "../../api/pages.ts";
import { changed, queryOf } from "../../api/queries.ts";
import type { Data } from "../../api/routes.ts";
import { toastError } from "../../ui/toast.tsx";
import { createUndos } from "../../ui/undos.ts";

/** A submission. */
export type Item = Data<"GET /app/inbox">[number];
export type State = Item["state"];
/** The note that is being written about a submission. */
export type Writing = "note" | "comment";

export const STATES: readonly State[] = ["new", "shortlisted", "passed", "kept"];
/** How a state is said of a submission. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  new: "New",
  shortlisted: "Shortlisted",
  passed: "Passed",
  kept: "Kept",
};

/** Decisions and notes made here that the server has not confirmed yet. */
const decided = signal<ReadonlyMap<string, Partial<Pick<Item, "state" | "note">>>>(new Map());
/** What stays in the list although it fits it no more: it was decided in this visit. */
const stays = signal<ReadonlyMap<string, Item>>(new Map());
/** The decisions of this visit. */
const undos = createUndos();

/** Forgets the decisions when another list is opened. */
export function beginVisit(): void {
  stays.value = new Map();
  undos.forget();
}

/** The submissions of a list, with the latest decisions. */
export function useItems(query: string): Pages<Item> {
  const pages = usePages(
    queryOf(`/app/inbox?${query}`, { submissions: "all", analysis: "all", tags: "all" }),
  );
  if (!pages.items) return pages;
  const there = new Set(pages.items.map(({ id }) => id));
  const kept = [...stays.value.values()].filter(({ id }) => !there.has(id));
  const all = kept.length === 0 ? pages.items : [...pages.items, ...kept].toSorted(newestFirst);
  return { ...pages, items: all.map((item) => ({ ...item, ...decided.value.get(item.id) })) };
}

const newestFirst = (one: Item, other: Item): number =>
  other.createdAt.localeCompare(one.createdAt) || (other.id < one.id ? -1 : 1);

/** Decides about a submission, with a way back. */
export function decide(item: Item, state: State): void {
  if (item.state === state) return;
  const before = item.state;
  stays.value = new Map([...stays.value, [item.id, { ...item, state }]]);
  void write(item.id, { state });
  undos.toast(`${STATE_WORDS[state]}: ${nameOf(item)}`, () => write(item.id, { state: before }));
}

/** Takes back the newest decision of this visit. Returns false when there is none. */
export const undoDecision = (): boolean => undos.undoNewest();

/** Writes a decision or a note; shows it at once, and reverts it when the server refuses. */
export async function write(id: string, change: Partial<Pick<Item, "state" | "note">>): Promise<boolean> {
  const before = decided.peek();
  decided.value = new Map([...before, [id, { ...before.get(id), ...change }]]);
  try {
    const item = await dataOf(api.PATCH("/app/submissions/{id}", { params: { path: { id } }, body: change }));
    if (stays.peek().has(id)) stays.value = new Map([...stays.peek(), [id, item]]);
    changed("submissions", [item.briefId]);
    if (change.state === "kept" || item.track?.isOwn) changed("tracks", item.track ? [item.track.id] : []);
    return true;
  } catch (thrown) {
    decided.value = before;
    toastError(thrown);
    return false;
  }
}

/** What a submission is called: its track, or where its link leads. */
export function nameOf({ track, link }: Pick<Item, "track" | "link">): string {
  if (track) return track.title;
  return link === null ? "A deleted track" : link.replace(/^https?:\/\/(www\.)?/, "");
}

export const senderOf = ({ senderName, senderEmail }: Pick<Item, "senderName" | "senderEmail">): string =>
  senderName ?? senderEmail ?? "No name given";
