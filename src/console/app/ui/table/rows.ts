import { type Signal, signal } from "@preact/signals";

/** Rows of a long list by their position. Only rows that were looked at are read. */
export type Rows<Row> = {
  /** Rows of the whole list; undefined until the first answer. */
  total: Signal<number | undefined>;
  /** Changes whenever rows do: read it where rows are shown. */
  version: Signal<number>;
  error: Signal<unknown>;
  /** Returns a row; undefined while it is not read. */
  row: (index: number) => Row | undefined;
  /** Reads the rows that are in view, and a little ahead. Call it at each scroll. */
  want: (first: number, last: number) => void;
  /** Reads again what shows, which stays until the answer is there, and the rest when it shows again. */
  refresh: () => void;
  /** Says that the list shows from now on. Returns how to say that it does not. */
  show: () => () => void;
  /** Changes rows in place, before the server says the same. Returns how to take it back. */
  patch: (change: (row: Row) => Row) => () => void;
  /** Returns the rows from one position to another, and reads those that are missing. */
  between: (first: number, last: number) => Promise<Row[]>;
  /** Every row that was read, in order. */
  loaded: () => { index: number; row: Row }[];
};

/** A part of the list, and how long the whole is. */
export type Part<Row> = { rows: readonly Row[]; total: number };

type Read<Row> = (position: number, signal: AbortSignal) => Promise<Part<Row>>;

/** The window rests so long before rows are asked for: a dragged scrollbar makes one request, not a thousand. */
const REST_MS = 60;

/**
 * Makes the rows of a list.
 *
 * @param read Reads the rows from a position on, at most `pageSize`.
 * @param first The first page, where it is known already.
 */
export function createRows<Row>(
  read: Read<Row>,
  { pageSize, first }: { pageSize: number; first?: Part<Row> | undefined },
): Rows<Row> {
  const pages = createPages(read, pageSize);
  const { total, version, error, row } = pages;
  let wanted: readonly number[] = [0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let showing = 0;
  if (first) pages.put(0, first);
  const pageOf = (index: number) => Math.floor(index / pageSize);
  // The first page is asked for while the list is laid out.
  if (!first) void pages.load([0]);
  const loadMissing = () => pages.load(wanted.filter((page) => !pages.isFresh(page)));

  return {
    total,
    version,
    error,
    row,
    want: (from, to) => {
      const lastPage = pageOf(Math.max(0, (total.peek() ?? 1) - 1));
      wanted = range(Math.max(0, pageOf(from)), Math.min(lastPage, pageOf(to + pageSize / 2)));
      pages.abort((page) => !wanted.includes(page));
      clearTimeout(timer);
      const isAtRest = pages.isFresh(wanted[0] ?? 0) || total.peek() === undefined;
      timer = setTimeout(() => void loadMissing(), isAtRest ? 0 : REST_MS);
    },
    refresh: () => {
      pages.age();
      if (showing > 0) void loadMissing();
    },
    show: () => {
      showing++;
      void loadMissing();
      return () => void showing--;
    },
    patch: pages.patch,
    between: async (from, to) => {
      await pages.load(range(pageOf(from), pageOf(to)).filter((page) => !pages.has(page)));
      return range(from, to).flatMap((index) => row(index) ?? []);
    },
    loaded: pages.loaded,
  };
}

/** A page with the state of the list that it shows; it is out of date when there is a newer one. */
type Page<Row> = { rows: readonly Row[]; asOf: number };

/** The pages of a list that were read, and the requests for more. */
function createPages<Row>(read: Read<Row>, pageSize: number) {
  const pages = new Map<number, Page<Row>>();
  const loading = new Map<number, AbortController>();
  const total = signal<number | undefined>(undefined);
  const version = signal(0);
  const error = signal<unknown>(undefined);
  let state = 0;

  const put = (page: number, { rows, total: count }: Part<Row>, asOf = state) => {
    pages.set(page, { rows, asOf });
    // With another length, the pages of before are of another list. Those that show stay until they are read.
    if (total.value !== count)
      for (const [at, kept] of pages) if (kept.asOf !== state && !loading.has(at)) pages.delete(at);
    total.value = count;
    error.value = undefined;
    version.value++;
  };
  /** Later changes are read again, but the answer shows at once: changes may come faster than answers. */
  const readFresh = async (page: number, signal: AbortSignal) => {
    for (let asOf = -1; asOf !== state; ) {
      asOf = state;
      const part = await read(page * pageSize, signal);
      if (signal.aborted) return;
      put(page, part, asOf);
    }
  };
  const loadOne = async (page: number) => {
    if (loading.has(page)) return;
    const controller = new AbortController();
    loading.set(page, controller);
    try {
      await readFresh(page, controller.signal);
    } catch (thrown) {
      if (!controller.signal.aborted) error.value = thrown;
    }
    if (loading.get(page) === controller) loading.delete(page);
  };
  return {
    total,
    version,
    error,
    put,
    row: (index: number) => pages.get(Math.floor(index / pageSize))?.rows[index % pageSize],
    has: (page: number) => pages.has(page),
    isFresh: (page: number) => pages.get(page)?.asOf === state,
    load: (wanted: readonly number[]) => Promise.all(wanted.map(loadOne)),
    abort: (isUnwanted: (page: number) => boolean) => {
      for (const [page, controller] of loading) {
        if (!isUnwanted(page)) continue;
        controller.abort();
        loading.delete(page);
      }
    },
    age: () => {
      state++;
    },
    patch: (change: (row: Row) => Row) => {
      const before = new Map(pages);
      for (const [page, { rows, asOf }] of pages) pages.set(page, { rows: rows.map(change), asOf });
      version.value++;
      return () => {
        for (const [page, kept] of before) pages.set(page, kept);
        version.value++;
      };
    },
    loaded: () =>
      [...pages]
        .sort(([a], [b]) => a - b)
        .flatMap(([page, { rows }]) => rows.map((row, at) => ({ index: page * pageSize + at, row }))),
  };
}

const range = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
