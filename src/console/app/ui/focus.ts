/** Lists whose items stand in for each other. */
const LISTS = "ul, ol, [role=list], [role=rowgroup], [role=grid], tbody";
const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), textarea, select, [tabindex]";
/** What a browser takes the focus from when it becomes `disabled`. With `aria-disabled` it keeps it. */
const OFF = "button[aria-disabled=true]";

/** Where the focus was last, with everything around it at that time. */
type Last = { element: HTMLElement; around: { parent: Element; index: number }[] };
let last: Last | undefined;

/**
 * Makes sure that the focus is never lost: when its element leaves the document, its neighbour in the list gets it, or else
 * the list's row that Tab comes to, or the heading. A button with `aria-disabled` keeps the focus and does nothing.
 */
export function startFocus(): void {
  const ignoreOff = (event: Event) => {
    if (!(event.target instanceof Element) || !event.target.closest(OFF)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", ignoreOff, { capture: true });
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) last = { element: target, around: aroundOf(target) };
  });
  // Fields save what was typed when they are left, and so when the page is. "pagehide" alone is too late: a browser gives a
  // busy page half a second for it, and phones end pages that do not show without it.
  addEventListener("beforeunload", saveTyped, { capture: true });
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && saveTyped());
  addEventListener("pagehide", saveTyped);
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const { element, around } = last;
    last = undefined;
    (neighbourOf(element, around) ?? standIn(around))?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

/** Tells the field that has the focus that it is left; the focus stays. */
const saveTyped = () => void document.activeElement?.dispatchEvent(new FocusEvent("blur"));

/**
 * Gives the focus back to the element that had it, or to its substitute. Where none had it the heading gets it, and not a
 * row, because keys then meant the whole screen.
 */
export function focusAgain(element: Element | null): void {
  const isThere = element instanceof HTMLElement && element.isConnected && element !== document.body;
  const instead = element === document.body ? headingOf(partOf([])) : standIn([]);
  (isThere ? element : instead)?.focus({ preventScroll: true });
}

function aroundOf(element: Element): Last["around"] {
  const around: Last["around"] = [];
  let child: Element = element;
  for (let parent = child.parentElement; parent; parent = child.parentElement) {
    around.push({ parent, index: [...parent.children].indexOf(child) });
    child = parent;
  }
  return around;
}

/** The same control of the item that took the place, or of the one before. */
function neighbourOf(lost: HTMLElement, around: Last["around"]): HTMLElement | undefined {
  const place = around.find(({ parent }) => parent.isConnected);
  if (!place?.parent.matches(LISTS)) return undefined;
  const { children } = place.parent;
  const item = children[Math.min(place.index, children.length - 1)];
  if (!(item instanceof HTMLElement)) return undefined;
  if (item.matches(FOCUSABLE)) return item;
  const controls = [...item.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return controls.find(({ className }) => className === lost.className) ?? controls[0];
}

/**
 * The row that Tab comes to, or the heading, of the part of the window that the focus was in. In a dialog, which keeps the
 * focus from everything else: its first field, or else its first control.
 */
function standIn(around: Last["around"]): HTMLElement | undefined {
  const part = partOf(around);
  if (part?.matches("dialog")) {
    const controls = [...part.querySelectorAll<HTMLElement>(FOCUSABLE)];
    return controls.find((control) => control.matches("input, textarea, select")) ?? controls[0];
  }
  const row = part?.querySelector<HTMLElement>("[role=grid] [role=row][tabindex='0']");
  return row ?? headingOf(part);
}

const partOf = (around: Last["around"]): Element | null =>
  [...document.querySelectorAll("dialog:modal")].at(-1) ??
  around.find(({ parent }) => parent.isConnected && parent.matches("main, .panel"))?.parent ??
  document.querySelector(".panel") ??
  document.querySelector("main");

const headingOf = (part: Element | null) =>
  part?.querySelector<HTMLElement>(":is(h1, h2)[tabindex]") ?? undefined;
