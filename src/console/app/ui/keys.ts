import { effect, signal } from "@preact/signals";
import { type ContextType, createContext } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { isAllowed, type Offered } from "../api/library.ts";
import { memory } from "../memory.ts";
import { ACTIONS, type Action, type ActionId } from "./actions.ts";
import { attempt } from "./toast.tsx";

/** What an action does now. `key` is the one that was pressed, undefined from the palette or a button. */
export type Run = (key?: string) => unknown;
/** What actions do while a part of the console shows; undefined: nothing at the moment. */
export type Runs = { readonly [id in ActionId]?: Run | undefined };

/** Something that the palette offers. */
export type Command = {
  /** Stays the same between renders; commands used last stand first. */
  id: string;
  name: string;
  keys?: readonly string[];
  /** Beside the name: what kind of thing it is. */
  hint?: string;
  /** Other words that it is found by. */
  words?: string;
  run: Run;
};

/** Where in the frame a component is: its keys go before those of other parts while the focus is there. */
export const Part = createContext<"frame" | "main" | "panel">("frame");
type PartName = ContextType<typeof Part>;

type Layer = { part: PartName; runs: () => Runs; commands: () => readonly Command[] };

/** The registered keys, the newest last: a screen's own win over the frame's. */
const layers: Layer[] = [];

/** False: keys that are single letters, digits or signs do nothing (WCAG 2.1.4). */
export const hasSingleLetters = signal(memory.get<boolean>("single-letters") ?? true);
effect(() => memory.set("single-letters", hasSingleLetters.value));

/**
 * Says what actions do while the component shows. Their keys, names and place in the palette come from `ACTIONS`; `names`
 * says more: `{ share: "Share Night Bus" }`.
 */
export function useActions(runs: Runs, names: { readonly [id in ActionId]?: string } = {}): void {
  const allowed = allowedOf(runs);
  useLayer({ runs: allowed, commands: commandsOf(allowed, names) });
}

const actionOf = (id: ActionId): Action => ACTIONS[id];

/** What the role allows of it. */
function allowedOf(runs: Runs): Runs {
  const all = Object.entries(runs) as [ActionId, Run | undefined][];
  return Object.fromEntries(all.filter(([id]) => isAllowed(actionOf(id))));
}

/** Offers commands without a key in the palette while the component shows. */
export function useCommands(commands: readonly (Command & Offered)[]): void {
  useLayer({ runs: {}, commands: commands.filter(isAllowed) });
}

function useLayer(now: { runs: Runs; commands: readonly Command[] }): void {
  const current = useRef(now);
  const part = useContext(Part);
  current.current = now;
  // Before the browser paints: a key may come at once.
  useLayoutEffect(() => {
    const layer: Layer = { part, runs: () => current.current.runs, commands: () => current.current.commands };
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

/** Rows and steps within a list are for the keyboard; in a palette they would say nothing. */
const KEYS_ONLY: readonly string[] = [
  ...Object.entries(ACTIONS).flatMap(([id, { group }]) => (group === "Lists" ? [id] : [])),
  "palette",
  "close",
  "tenth",
  "back",
  "forward",
];

function commandsOf(runs: Runs, names: { readonly [id in ActionId]?: string }): Command[] {
  return (Object.keys(runs) as ActionId[]).flatMap((id) => {
    const run = runs[id];
    if (!run || (KEYS_ONLY.includes(id) && id !== "selectAll")) return [];
    const { name, keys } = ACTIONS[id];
    return [{ id, name: names[id] ?? name, keys, run }];
  });
}

/** Returns what can be done at the moment: the screen's commands first, then the frame's. */
export function currentCommands(): Command[] {
  const found = new Map<string, Command>();
  for (const { commands } of layers.toReversed())
    for (const command of commands()) if (!found.has(command.id)) found.set(command.id, command);
  return [...found.values()];
}

/** The part that has the focus. */
function focusedPart(): PartName {
  const focused = document.activeElement;
  return focused?.closest(".panel") ? "panel" : focused?.closest("main") ? "main" : "frame";
}

/** The layers, those of the part that has the focus last: a list beside a panel keeps its keys. */
function layersInTurn(): readonly Layer[] {
  const part = focusedPart();
  if (part === "frame") return layers;
  return [...layers.filter((layer) => layer.part !== part), ...layers.filter((layer) => layer.part === part)];
}

/** Of the actions of one key, those of the part that has the focus go first. */
function inTurn(ids: readonly ActionId[]): readonly ActionId[] {
  const part = focusedPart();
  if (ids.length < 2 || part === "frame") return ids;
  const isHere = (id: ActionId) => layers.some((layer) => layer.part === part && layer.runs()[id]);
  return [...ids.filter(isHere), ...ids.filter((id) => !isHere(id))];
}

/** Does what an action does at the moment, as its key would. Returns false when it does nothing here. */
export function runAction(id: ActionId, key?: string): boolean {
  const run = layersInTurn()
    .findLast(({ runs }) => runs()[id])
    ?.runs()[id];
  if (!run) return false;
  attempt(() => run(key));
  return true;
}

/** The actions of each key. Where two have one, the later is a screen's own, and goes first while it shows. */
const BY_KEY = new Map<string, readonly ActionId[]>();
for (const [id, { keys }] of Object.entries(ACTIONS) as [ActionId, { keys: readonly string[] }][])
  for (const key of keys) BY_KEY.set(key, [id, ...(BY_KEY.get(key) ?? [])]);
const SEQUENCE_STARTS = new Set(
  [...BY_KEY.keys()].flatMap((key) => (key.includes(" ") ? [key.split(" ")[0]] : [])),
);
const SEQUENCE_MS = 1500;

let begun: { key: string; at: number } | undefined;

/** Listens to the keyboard, for as long as the console is open. */
export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || isModal(event)) return;
    const key = nameOf(event);
    if (key === undefined || isTaken(event, key)) return;
    if (inTurn(actionsOf(key, event.timeStamp)).some((id) => runAction(id, key))) event.preventDefault();
  });
}

/** Returns the actions of a key, or of a key after the one before. */
function actionsOf(key: string, at: number): readonly ActionId[] {
  const before = begun && at - begun.at < SEQUENCE_MS ? `${begun.key} ` : "";
  const ids = BY_KEY.get(before + key) ?? BY_KEY.get(key) ?? [];
  begun = ids.length === 0 && SEQUENCE_STARTS.has(key) ? { key, at } : undefined;
  return ids;
}

/** Returns a key as `ACTIONS` names it; undefined for keys that only modify others. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (["Control", "Meta", "Alt", "Shift"].includes(key)) return undefined;
  const isLetter = /^\p{L}$/u.test(key);
  const name = key === " " ? "Space" : isLetter ? key.toLowerCase() : key;
  const isShifted = shiftKey && (isLetter || key.length > 1);
  return [(ctrlKey || metaKey) && "Mod", altKey && "Alt", isShifted && "Shift", name]
    .filter(Boolean)
    .join("+");
}

/** A dialog or menu has the keyboard for itself. */
function isModal({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("dialog, [role=menu]") !== null;
}

/** True where text is typed, or where a control has its own use for the key. */
function isTaken({ target }: KeyboardEvent, key: string): boolean {
  if (key === "Escape") return false;
  const isSingle = /^(Shift\+)?\S$/.test(key);
  if (isSingle && !hasSingleLetters.value) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (isText(target)) return !key.startsWith("Mod+") || ["Mod+a", "Mod+z"].includes(key);
  const isRange = target instanceof HTMLInputElement && target.type === "range";
  if (isRange || target.closest("[role=tablist], [role=radiogroup]"))
    return /^(Arrow|Home|End|Page)/.test(key);
  return key === "Space" && target.closest("button, a, summary, label, input") !== null;
}

/** True where text is typed. */
export function isText(target: Element | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return (
    target instanceof HTMLInputElement &&
    !/^(button|checkbox|radio|range|submit|reset|file)$/.test(target.type)
  );
}
