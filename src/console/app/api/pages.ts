import { useMemo } from "preact/hooks";
import { type Paging, type Query, queryAt, readAt, useQuery } from "./queries.ts";

type Page<Item> = { data: Item[]; paging?: Paging };

/** A list that is read page by page. */
export type Pages<Item> = {
  /** The rows read so far, in order; undefined while the first page loads. */
  items: readonly Item[] | undefined;
  /** False while pages are missing. */
  isWhole: boolean;
  error: unknown;
  retry: () => void;
};

/**
 * Reads every page of a list. The first shows as soon as it is there, and may have come with the document; the others follow
 * together. `asked` has the largest `limit`; `null` asks nothing. `items` stay the same while no page is read anew.
 */
export function usePages<Item>(asked: Query<Page<Item>> | null): Pages<Item> {
  const first = useQuery(asked);
  const next = first.data?.paging?.next_cursor ?? null;
  const rest = useQuery(asked === null || next === null ? null : restOf(asked, next));
  const shown = first.data?.data;
  const others = next === null ? NONE : rest.data?.data;
  const items = useMemo(() => shown && [...shown, ...(others ?? [])], [shown, others]);
  return {
    items,
    isWhole: first.data !== undefined && others !== undefined,
    error: first.error ?? rest.error,
    retry: () => void (first.error ? first.refetch() : rest.refetch()),
  };
}

const NONE: readonly never[] = [];

/** The pages from a cursor on, as one answer. */
function restOf<Item>({ queryKey: [url], meta: { depends } }: Query<Page<Item>>, from: string) {
  return {
    ...queryAt<Page<Item>>(`${url}&cursor=${encodeURIComponent(from)}&rest`, depends),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const data: Item[] = [];
      for (let cursor: string | null = from; cursor !== null; ) {
        const page: Page<Item> = await readAt(`${url}&cursor=${encodeURIComponent(cursor)}`, signal);
        data.push(...page.data);
        cursor = page.paging?.next_cursor ?? null;
      }
      return { data };
    },
  };
}
