import { computed, type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type Match, matchScreen } from "../shared/addresses.ts";
import { href, root } from "./first-data.ts";

/** A place in the window's history. */
export type Place = {
  /** Path without the page root. */
  path: string;
  search: URLSearchParams;
  /** Tells the entries of the history apart; the same after Back. */
  key: string;
  /** The path and query of the list that stays beside this place, which shows as a panel; undefined: it fills the screen. */
  beside: string | undefined;
  /** How it was come to. */
  by: "load" | "push" | "replace" | "back";
};

type EntryState = { key?: string; beside?: string };

const KEPT = "dubplate.entries";
const MAX_ENTRIES = 50;

/** Where the window is. */
export const place: Signal<Place> = signal(readPlace("load"));

/** What the place shows; undefined: nothing here. */
export const match = computed<Match | undefined>(() => matchScreen(place.value.path));

/** The list that shows: alone, or beside the thing that the place is. */
export const listPlace = computed<Pick<Place, "path" | "search">>(() => {
  const { path, search, beside } = place.value;
  if (beside === undefined) return { path, search };
  const { pathname, searchParams } = new URL(beside, window.location.origin);
  return { path: pathname, search: searchParams };
});

/** Goes to a path of the console, such as `/library/tracks/trk_1?tab=tags`; any other path leaves the console. */
export function go(
  to: string,
  { replace = false, beside }: { replace?: boolean; beside?: string } = {},
): void {
  if (!/^\/library(?=[/?]|$)/.test(to)) {
    window.location.assign(href(to));
    return;
  }
  leave();
  const state: EntryState = {
    key: replace ? place.value.key : newKey(),
    ...(beside !== undefined && { beside }),
  };
  if (replace) history.replaceState(state, "", href(to));
  else history.pushState(state, "", href(to));
  place.value = readPlace(replace ? "replace" : "push");
}

/** Goes back to the list beside which this place shows, or to `fallback` where there is none. */
export function close(fallback: string): void {
  if (place.value.beside !== undefined) history.back();
  else go(fallback);
}

/** Changes the query of the address without a new entry in the history; empty values leave it. */
export function setSearch(values: Readonly<Record<string, string | undefined>>): void {
  const { beside } = place.value;
  go(withValues(place.value, values), { replace: true, ...(beside !== undefined && { beside }) });
}

/** As {@link setSearch}, for the list: alone, or beside the thing that the place shows. */
export function setListSearch(values: Readonly<Record<string, string | undefined>>): void {
  if (place.value.beside === undefined) setSearch(values);
  else go(withValues(place.value, {}), { replace: true, beside: withValues(listPlace.value, values) });
}

function withValues(
  { path, search }: Pick<Place, "path" | "search">,
  values: Readonly<Record<string, string | undefined>>,
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next.size > 0 ? `${path}?${next}` : path;
}

function readPlace(by: Place["by"]): Place {
  const { pathname, search } = window.location;
  const { key, beside } = (history.state ?? {}) as EntryState;
  const path = pathname.slice(root.length).replace(/(?<=.)\/$/, "");
  return { path, search: new URLSearchParams(search), key: key ?? "first", beside, by };
}

const newKey = () => Math.random().toString(36).slice(2, 10);

/** What screens keep with an entry of the history, by its key. It survives a reload. */
const entries = new Map<string, Record<string, unknown>>(readEntries());

function readEntries(): [string, Record<string, unknown>][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

function keepEntries(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...entries].slice(-MAX_ENTRIES)));
  } catch {
    // A browser that keeps nothing begins lists at the top.
  }
}

/** What is asked of screens when the window leaves the place, so that they can note where they were. */
const leavers = new Set<() => void>();

function leave(): void {
  for (const note of leavers) note();
  keepEntries();
}

/** Calls `note` just before the window leaves the place. Returns how to stop. */
export function onLeave(note: () => void): () => void {
  leavers.add(note);
  return () => void leavers.delete(note);
}

/** Returns what was kept with an entry of the history under `name`. */
export function kept<Value>(name: string, key = place.value.key): Value | undefined {
  return entries.get(key)?.[name] as Value | undefined;
}

/** Keeps a value with an entry of the history: Back finds it again. */
export function keep(name: string, value: unknown, key = place.value.key): void {
  entries.set(key, { ...entries.get(key), [name]: value });
}

/** A value of a screen that Back and a reload restore: the selection, the row that had the focus. */
export function useKept<Value>(name: string, initial: Value): Signal<Value> {
  return useMemo(() => {
    const { key } = place.peek();
    const value = signal(kept<Value>(name, key) ?? initial);
    value.subscribe((next) => keep(name, next, key));
    return value;
  }, [name]);
}

/** Lets links within the console change the place instead of loading a document. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!link || link.target || link.hasAttribute("download") || link.origin !== window.location.origin) return;
  const path = link.pathname.slice(root.length);
  if (!link.pathname.startsWith(`${root}/library`) || !matchScreen(path)) return;
  event.preventDefault();
  go(path + link.search);
}

/** Begins to follow links and the window's history. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  addEventListener("click", follow);
  addEventListener("popstate", () => {
    leave();
    place.value = readPlace("back");
  });
  addEventListener("pagehide", leave);
}
