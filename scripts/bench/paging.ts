import { createApp } from "../../src/app.ts";
import { closeLibrary } from "../../src/library.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";

const TRACKS = 101_000;
const QUICK_TRACKS = 5000;
const FAR_PAGE = 2000;
const LIMIT = 50;
const AIM_SHARE = 1.3;
const SAMPLES = 400;
/** While the library is walked, tracks are added and deleted after every so many pages. */
const CHANGE_PAGES = 20;

type Read = (cursor: string | null) => Promise<Page>;
type Page = { data: { id: string }[]; paging: { next_cursor: string | null } };

/**
 * Walks a whole library by cursor while tracks are added and deleted. Counts how many of the tracks that were there
 * throughout were skipped or repeated, and compares the cost of page 2 000 with that of page 1.
 */
export async function benchPaging({ quick }: { quick: boolean }): Promise<Figure[]> {
  const deps = { ...openLibraryIn(temporaryFolder("bench-paging")) };
  const owner = await createOwner(deps);
  const initial = addAnalysedTracks(deps, owner.accountId, quick ? QUICK_TRACKS : TRACKS);
  const { front } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  const read: Read = async (cursor) => {
    const query = cursor === null ? "" : `&cursor=${cursor}`;
    const request = new Request(`http://127.0.0.1:4747/api/v1/tracks?limit=${LIMIT}${query}`, {
      headers: { "x-api-key": owner.key },
    });
    return (await (await front(request, "127.0.0.1")).json()) as Page;
  };

  const { cursors, skipped, repeated } = await walk(read, initial, (page) => {
    addAnalysedTracks(deps, owner.accountId, 5);
    const gone = [initial[page * 7], initial[initial.length - page * 3]].filter((id) => id !== undefined);
    for (const id of gone) deps.db.$client.run("DELETE FROM tracks WHERE id = ?", [id]);
    return gone;
  });
  const farPage = Math.min(FAR_PAGE, cursors.length - 1);
  const [first, far] = await compare(read, null, cursors[farPage - 1] ?? null);
  closeLibrary(deps);
  return [
    {
      what: `walk over ${initial.length} tracks, ${cursors.length} pages, while tracks come and go`,
      figure: `${skipped} skipped, ${repeated} repeated`,
      aim: atMost(skipped + repeated, 0, "tracks"),
    },
    {
      what: `page ${farPage} of ${LIMIT}`,
      figure: `${far.toFixed(0)} µs`,
      yardstick: `page 1 ${first.toFixed(0)} µs`,
      share: far / first,
      aim: atMost(far / first, AIM_SHARE, "times page 1"),
    },
  ];
}

/** Reads every page. After every so many pages, `change` adds and deletes tracks, and returns the deleted ones. */
async function walk(read: Read, initial: readonly string[], change: (page: number) => string[]) {
  const seen = new Map<string, number>();
  const deleted = new Set<string>();
  const cursors: (string | null)[] = [];
  let cursor: string | null = null;
  do {
    cursors.push(cursor);
    const { data, paging }: Page = await read(cursor);
    for (const { id } of data) seen.set(id, (seen.get(id) ?? 0) + 1);
    if (cursors.length % CHANGE_PAGES === 0) for (const id of change(cursors.length)) deleted.add(id);
    cursor = paging.next_cursor;
  } while (cursor !== null);
  const skipped = initial.filter((id) => !deleted.has(id) && !seen.has(id)).length;
  const repeated = [...seen.values()].filter((times) => times > 1).length;
  return { cursors, skipped, repeated };
}

/** Returns the median cost of two pages in microseconds, read alternately under the same conditions. */
async function compare(read: Read, near: string | null, far: string | null): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let sample = 0; sample < SAMPLES; sample++)
    for (const [index, cursor] of [near, far].entries()) {
      const startedAt = performance.now();
      await read(cursor);
      times[index]?.push((performance.now() - startedAt) * 1000);
    }
  return [median(times[0]), median(times[1])];
}
