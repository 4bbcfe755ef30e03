import { type Signal, signal } from "@preact/signals";

const drafts = new Map<string, Signal<string | undefined>>();

/** A text that was typed and that the server does not have yet. It stays until then, or until the tab closes. */
export function draftOf(key: string): Signal<string | undefined> {
  const known = drafts.get(key);
  if (known) return known;
  const name = `dubplate.typed.${key}`;
  const draft = signal(read(name));
  draft.subscribe((text) => write(name, text));
  drafts.set(key, draft);
  return draft;
}

function read(name: string): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(name: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // A browser that keeps nothing loses it when the page is left.
  }
}
