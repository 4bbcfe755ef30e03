import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { isConnected } from "../../api/connection.ts";
import { onChanged, readJson, type Topic } from "../../api/queries.ts";
import { firstAnswer } from "../../first-data.ts";

/** A list of any length, read page by page for what is in view. */
export type Rows<Row> = {
  /** Undefined until the first page is there. */
  total: ReadonlySignal<number | undefined>;
  /** Changes whenever rows do. */
  version: ReadonlySignal<number>;
  /** Why the last page could not be read; undefined when it could. */
  error: ReadonlySignal<unknown>;
  /** The row at a 0-based position; undefined while it loads. */
  at: (index: number) => Row | undefined;
  /** The position of a row that is loaded. */
  indexOf: (id: string) => number | undefined;
  /** Reads the pages of these rows, once the view has rested on them. */
  want: (first: number, last: number) => void;
  /** Reads the rows between two positions, both included. @throws ApiError. */
  between: (from: number, to: number) => Promise<Row[]>;
  /** Reads everything in view anew; the rows stay until the new ones are there. */
  reload: () => void;
  /** Says that the rows show from now on: only then changes have them read anew. Returns how to stop. */
  show: () => () => void;
  /** Shows a change of a row before the server has answered. */
  patch: (id: string, change: Partial<Row>) => void;
};

type Page<Row> = { data: Row[]; paging: { total?: number } };
type Source = {
  /** Address of the page that begins at a 0-based position. */
  urlAt: (position: number) => string;
  /** Rows in a page. */
  size: number;
  /** Changes of these have the rows read anew. */
  topics: readonly Topic[];
};

/** A scroll bar that is dragged passes many pages: one is read when it has been in view for this long. */
const REST_MS = 60;
/** Changes that follow each other are shown together, at most so often. */
const RELOAD_MS = 400;
const MAX_KEPT = 8;

/** Lists seen last, so that Back shows rows in its first frame. */
const known = new Map<string, Known<{ id: string }>>();
const usedFirstAnswers = new Set<string>();

type Known<Row> = { rows: Rows<Row>; hear: (topic: Topic) => void };

onChanged((topic) => {
  for (const { hear } of known.values()) hear(topic);
});
isConnected.subscribe((isThere) => {
  if (isThere) for (const { rows } of known.values()) if (rows.error.peek() !== undefined) rows.reload();
});

/** Returns the rows of a source. The same first address gives the same rows, for as long as they are among the last used. */
export function rowsOf<Row extends { id: string }>(source: Source): Rows<Row> {
  const key = source.urlAt(0);
  // The key is the address, which decides the type of its rows.
  const kept = (known.get(key) as Known<Row> | undefined) ?? createRows<Row>(source);
  known.delete(key);
  known.set(key, kept as unknown as Known<{ id: string }>);
  for (const oldest of [...known.keys()].slice(0, -MAX_KEPT)) known.delete(oldest);
  return kept.rows;
}

type Pages<Row> = {
  at: (number: number) => Row[] | undefined;
  all: () => IterableIterator<[number, Row[]]>;
  put: (number: number, rows: Row[]) => void;
  take: (number: number, page: Page<Row>) => void;
  /** Reads pages that are missing or out of date, and gives up those that nobody wants any more. */
  load: (wanted: readonly number[]) => void;
  /** Puts every page out of date. What is being read meanwhile is shown, and read again. */
  expire: () => void;
  error: Signal<unknown>;
  total: Signal<number | undefined>;
  version: Signal<number>;
};

function createPages<Row>(urlAt: (position: number) => string, size: number): Pages<Row> {
  const pages = new Map<number, Row[]>();
  /** Which state of the list a page shows; it is out of date when there is a newer one. */
  const states = new Map<number, number>();
  let state = 0;
  const isFresh = (number: number) => pages.has(number) && states.get(number) === state;
  const loading = new Map<number, AbortController>();
  const total = signal<number | undefined>(undefined);
  const version = signal(0);
  const error: Signal<unknown> = signal(undefined);
  const take = (number: number, { data, paging }: Page<Row>, asOf = state) => {
    pages.set(number, data);
    states.set(number, asOf);
    total.value = paging.total ?? data.length;
    for (const at of pages.keys()) if (at > 0 && at * size >= total.value) pages.delete(at);
    error.value = undefined;
    version.value++;
  };
  const read = async (number: number): Promise<void> => {
    const controller = new AbortController();
    loading.set(number, controller);
    try {
      for (let asOf = -1; asOf !== state; ) {
        asOf = state;
        take(number, await readJson<Page<Row>>(urlAt(number * size), controller.signal), asOf);
      }
    } catch (thrown) {
      if (!controller.signal.aborted) error.value = thrown;
    } finally {
      if (loading.get(number) === controller) loading.delete(number);
    }
  };
  return {
    error,
    total,
    version,
    take,
    at: (number) => pages.get(number),
    all: () => pages.entries(),
    put: (number, rows) => {
      pages.set(number, rows);
      version.value++;
    },
    load: (wanted) => {
      for (const [number, controller] of loading) {
        if (wanted.includes(number)) continue;
        controller.abort();
        loading.delete(number);
      }
      for (const number of wanted) if (!isFresh(number) && !loading.has(number)) void read(number);
    },
    expire: () => {
      state++;
    },
  };
}

function createRows<Row extends { id: string }>({ urlAt, size, topics }: Source): Known<Row> {
  const pages = createPages<Row>(urlAt, size);
  let wanted: readonly number[] = [0];
  let resting: ReturnType<typeof setTimeout> | undefined;
  const reload = () => {
    pages.expire();
    pages.load(wanted);
  };

  const first = usedFirstAnswers.has(urlAt(0)) ? undefined : firstAnswer(urlAt(0));
  usedFirstAnswers.add(urlAt(0));
  if (first) pages.take(0, first as Page<Row>);
  else pages.load(wanted);

  let showing = 0;
  let reloadedAt = 0;
  let isPlanned = false;
  const loadShown = () => {
    isPlanned = false;
    if (showing === 0) return;
    reloadedAt = performance.now();
    pages.load(wanted);
  };
  const hear = (topic: Topic) => {
    if (!topics.includes(topic)) return;
    pages.expire();
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(loadShown, Math.max(0, reloadedAt + RELOAD_MS - performance.now()));
  };
  const rows: Rows<Row> = {
    total: pages.total,
    version: pages.version,
    error: pages.error,
    reload,
    show: () => {
      showing++;
      pages.load(wanted);
      return () => void showing--;
    },
    at: (index) => pages.at(Math.floor(index / size))?.[index % size],
    indexOf: (id) => {
      for (const [number, rows] of pages.all()) {
        const at = rows.findIndex((row) => row.id === id);
        if (at >= 0) return number * size + at;
      }
      return undefined;
    },
    want: (from, to) => {
      const begin = Math.max(0, Math.floor(from / size));
      const end = Math.max(begin, Math.floor(to / size));
      wanted = Array.from({ length: end - begin + 1 }, (_, at) => begin + at);
      clearTimeout(resting);
      resting = setTimeout(() => pages.load(wanted), pages.at(begin) ? 0 : REST_MS);
    },
    between: async (from, to) => {
      const begin = Math.floor(from / size);
      const rows: Row[] = [];
      for (let number = begin; number <= Math.floor(to / size); number++) {
        if (!pages.at(number)) pages.take(number, await readJson<Page<Row>>(urlAt(number * size)));
        rows.push(...(pages.at(number) ?? []));
      }
      return rows.slice(from - begin * size, to - begin * size + 1);
    },
    patch: (id, change) => {
      for (const [number, rows] of pages.all())
        if (rows.some((row) => row.id === id))
          pages.put(
            number,
            rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
          );
    },
  };
  return { rows, hear };
}
