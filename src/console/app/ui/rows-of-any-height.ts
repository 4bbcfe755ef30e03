import { signal } from "@preact/signals";

/** Pixels drawn above and below what shows, so that fast scrolling finds them. */
const SPARE_PX = 600;
/** What a row is taken to be high until some were measured. */
const GUESS_PX = 72;
/** So many tell how high the others will be. */
const ENOUGH = 5;

/** Rows that are drawn, one after the other; `to` is not among them. */
export type Run = { from: number; to: number };

/**
 * The rows of an element that scrolls: how high they are, as far as they were measured, and which of them are to be drawn. Its children
 * tell their key in `data-key`.
 */
export class Rows {
  /** Goes up whenever other rows are to be drawn, or others are higher than was known. */
  readonly changes = signal(0);
  runs: readonly Run[] = [];
  #keys: readonly string[] = [];
  #index = new Map<string, number>();
  readonly #heights = new Map<string, number>();
  #usualPx = GUESS_PX;
  /** Where each row begins, and at last where all end; undefined: to be added up. */
  #tops: Float64Array | undefined;
  #list: HTMLElement | undefined;
  #sizes: ResizeObserver | undefined;
  /** The row at the upper edge, and how much of it is above; undefined at the beginning, which stays the beginning. */
  #anchor: { key: string; px: number } | undefined;
  #isSettled = true;

  /** Takes the keys of the rows, in order. */
  take(keys: readonly string[]): void {
    if (keys === this.#keys) return;
    this.#unsettle();
    this.#keys = keys;
    this.#index = new Map(keys.map((key, index) => [key, index]));
    this.runs = this.#runsNow();
  }

  /** Follows an element. Returns how to stop. */
  watch(list: HTMLElement): () => void {
    this.#list = list;
    this.#sizes = new ResizeObserver((entries) => this.#measure(entries));
    this.#sizes.observe(list);
    const look = () => this.#look();
    list.addEventListener("scroll", look, { passive: true });
    list.addEventListener("focusin", look);
    look();
    return () => {
      this.#sizes?.disconnect();
      list.removeEventListener("scroll", look);
      list.removeEventListener("focusin", look);
    };
  }

  /** Called when the rows were drawn: has new ones measured, and puts what showed back to where it was. */
  settle(): void {
    for (const child of this.#list?.children ?? []) if (keyOf(child)) this.#sizes?.observe(child);
    if (!this.#isSettled) this.#putBack();
  }

  /** Scrolls a row to where it shows. */
  scrollTo(key: string): void {
    const index = this.#index.get(key);
    const list = this.#list;
    if (index === undefined || !list) return;
    const [top, end] = [this.between(0, index), this.between(0, index + 1)];
    if (top >= list.scrollTop && end <= list.scrollTop + list.clientHeight) return;
    list.scrollTop = top - Math.max(0, list.clientHeight - (end - top)) / 2;
    this.#look();
  }

  /** Returns how high rows are together; those that were not measured are taken for usual ones. */
  between(from: number, to: number): number {
    const tops = this.#topsNow();
    return (tops[to] ?? 0) - (tops[from] ?? 0);
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    for (const { target } of entries) if (!target.isConnected) this.#sizes?.unobserve(target);
    const found = entries.flatMap(heightOf).filter(([key, px]) => this.#heights.get(key) !== px);
    if (found.length === 0) {
      this.#look();
      return;
    }
    this.#unsettle();
    const isFirst = this.#heights.size < ENOUGH;
    for (const [key, px] of found) this.#heights.set(key, px);
    if (!isFirst) {
      // What is not drawn is as high as before.
      this.#putBack();
      return;
    }
    // Once only: what was not measured must not move with every row that is.
    this.#usualPx = meanOf([...this.#heights.values()]);
    this.runs = this.#runsNow();
    this.changes.value++;
  }

  /** Puts what showed back to where it was. */
  #putBack(): void {
    if (!this.#list) return;
    this.#isSettled = true;
    const index = this.#anchor && this.#index.get(this.#anchor.key);
    if (this.#anchor && index !== undefined) {
      const top = Math.round(this.between(0, index) + this.#anchor.px);
      if (Math.abs(this.#list.scrollTop - top) >= 1) this.#list.scrollTop = top;
    }
    this.#look();
  }

  /** Notes what shows, before the rows change. */
  #unsettle(): void {
    if (this.#isSettled && this.#list) {
      const { scrollTop } = this.#list;
      const index = this.#at(scrollTop);
      const key = this.#keys[index];
      this.#anchor =
        scrollTop > 0 && key !== undefined ? { key, px: scrollTop - this.between(0, index) } : undefined;
    }
    this.#isSettled = false;
    this.#tops = undefined;
  }

  #look(): void {
    const next = this.#runsNow();
    if (next.length === this.runs.length && next.every((run, at) => isSame(run, this.runs[at]))) return;
    this.runs = next;
    this.changes.value++;
  }

  #runsNow(): readonly Run[] {
    const { scrollTop = 0, clientHeight = 0 } = this.#list ?? {};
    const from = this.#at(scrollTop - SPARE_PX);
    const to = Math.min(this.#keys.length, this.#at(scrollTop + clientHeight + SPARE_PX) + 1);
    const focused = this.#focused() ?? from;
    const kept = { from: focused, to: focused + 1 };
    if (focused < from) return [kept, { from, to }];
    return focused < to ? [{ from, to }] : [{ from, to }, kept];
  }

  /** Returns the row that has the focus. */
  #focused(): number | undefined {
    const focused = document.activeElement;
    if (!focused || !this.#list?.contains(focused)) return undefined;
    const row = [...this.#list.children].find((child) => child.contains(focused));
    return row && this.#index.get(keyOf(row) ?? "");
  }

  /** Returns the row at a height. */
  #at(px: number): number {
    const tops = this.#topsNow();
    let [low, high] = [0, Math.max(0, this.#keys.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((tops[middle] ?? 0) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #topsNow(): Float64Array {
    if (this.#tops) return this.#tops;
    this.#tops = new Float64Array(this.#keys.length + 1);
    for (const [index, key] of this.#keys.entries())
      this.#tops[index + 1] = (this.#tops[index] ?? 0) + (this.#heights.get(key) ?? this.#usualPx);
    return this.#tops;
  }
}

const keyOf = (row: Element): string | undefined =>
  row instanceof HTMLElement ? row.dataset.key : undefined;
function heightOf({ target, borderBoxSize }: ResizeObserverEntry): [key: string, px: number][] {
  const key = target.isConnected ? keyOf(target) : undefined;
  return key === undefined ? [] : [[key, borderBoxSize[0]?.blockSize ?? 0]];
}
const isSame = (one: Run, other: Run | undefined): boolean => one.from === other?.from && one.to === other.to;
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
