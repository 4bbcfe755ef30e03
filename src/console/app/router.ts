import { computed, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type Match, matchScreen } from "../shared/addresses.ts";
import { href, IN, root } from "./first-data.ts";

/** A place in the window's history. */
export type Place = {
  /** Path without the page root. */
  path: string;
  search: URLSearchParams;
  /** Tells the entries of the history apart; the same after Back. */
  key: string;
  /** The path and query of the list that stays beside this place, which shows as a panel; undefined: it fills the screen. */
  beside: string | undefined;
  /** How the window got here. */
  by: "load" | "push" | "replace" | "back";
};

type EntryState = { key?: string; beside?: string };

const KEPT = "dubplate.entries";
const MAX_ENTRIES = 50;

/** Where the window is. */
export const place: Signal<Place> = signal(readPlace("load"));

/** What the place shows; undefined: nothing here. */
export const match = computed<Match | undefined>(() => matchScreen(place.value.path));

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

/** The list that the place shows: the one beside its thing, or the place itself. */
export const listPlace = computed(() => {
  const { path, search, beside } = place.value;
  if (beside === undefined) return { path, search, address: withSearch(path, search, {}) };
  const [besidePath = "", query] = beside.split("?");
  return { path: besidePath, search: new URLSearchParams(query), address: beside };
});

/** Changes the query of the place's address without a new entry in the history; empty values leave it. */
export function setSearch(values: Readonly<Record<string, string | undefined>>): void {
  const { path, search, beside } = place.peek();
  go(withSearch(path, search, values), { replace: true, ...(beside !== undefined && { beside }) });
}

/** Does the same for the list, whether it is the place itself or is beside its thing. */
export function setListSearch(values: Readonly<Record<string, string | undefined>>): void {
  const { path, search, beside } = place.peek();
  const list = listPlace.peek();
  const address = withSearch(list.path, list.search, values);
  if (beside === undefined) go(address, { replace: true });
  else go(withSearch(path, search, {}), { replace: true, beside: address });
}

function withSearch(
  path: string,
  search: URLSearchParams,
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
  const { key = newKey(), beside } = (history.state ?? {}) as EntryState;
  // A new document has no key yet. Without one of its own it would find what another screen kept.
  if (!(history.state as EntryState | null)?.key) history.replaceState({ ...history.state, key }, "");
  const path = pathname.slice(root.length).replace(/(?<=.)\/$/, "");
  return { path, search: withoutLibrary(search), key, beside, by };
}

/** The library of an address is the tab's, and no screen's. */
function withoutLibrary(text: string): URLSearchParams {
  const search = new URLSearchParams(text);
  search.delete(IN);
  return search;
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10);
}

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

/** Called when the window leaves the place, so that screens can note where they were. */
const leavers = new Set<() => void>();

function leave(): void {
  for (const note of leavers) note();
}

/** The window leaves the console, or may end while it does not show. */
function leaveWhole(): void {
  leave();
  keepEntries();
}

/** Calls `note` just before the window leaves the place. Returns how to stop. */
function onLeave(note: () => void): () => void {
  leavers.add(note);
  return () => void leavers.delete(note);
}

/** Returns the value kept with the entry of the history under `name`. */
export function kept<Value>(name: string): Value | undefined {
  return entries.get(place.peek().key)?.[name] as Value | undefined;
}

/** Keeps a value with the entry of the history: Back finds it again. */
export function keep(name: string, value: unknown): void {
  const { key } = place.peek();
  entries.set(key, { ...entries.get(key), [name]: value });
}

/** A value of a screen that Back and a reload restore: the selection, the row that had the focus. */
export function useKept<Value>(name: string, initial: Value): Signal<Value> {
  const value = useMemo(() => signal(kept<Value>(name) ?? initial), [name]);
  // A list stays while a thing opens beside it, which is another entry of the history: both keep the value.
  useEffect(() => onLeave(() => keep(name, value.peek())), [name, value]);
  return value;
}

/** Lets links within the console change the place instead of loading a document. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!link || link.target || link.hasAttribute("download") || link.origin !== window.location.origin) return;
  const path = link.pathname.slice(root.length);
  if (!link.pathname.startsWith(`${root}/library`) || !matchScreen(path)) return;
  const search = withoutLibrary(link.search);
  // Another library is another document.
  if (href(withSearch(path, search, {})) !== root + path + link.search) return;
  event.preventDefault();
  go(withSearch(path, search, {}));
}

/** A copied address opens in the library that it was copied in. */
function nameLibrary(): void {
  const { path, search } = place.peek();
  if (matchScreen(path)) history.replaceState(history.state, "", href(withSearch(path, search, {})));
}

/** Begins to follow links and the window's history. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  nameLibrary();
  addEventListener("click", follow);
  addEventListener("popstate", () => {
    leave();
    place.value = readPlace("back");
  });
  addEventListener("pagehide", leaveWhole);
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leaveWhole());
}
