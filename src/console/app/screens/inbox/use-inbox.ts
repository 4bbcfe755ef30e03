import { useEffect } from "preact/hooks";
import { query, useQuery } from "../../api/queries.ts";
import { place } from "../../router.ts";
import { useWide } from "../../ui/wide.ts";
import { type Fit, found, useFit } from "./fit.ts";
import { beginVisit, type Item, useItems } from "./items.ts";

const PAGE = 100;

/** How many submissions are in each state. */
export type Counts = Record<Item["state"], number>;

/** What the address of the Inbox shows. */
export type Inbox = {
  state: string;
  briefId: string;
  q: string;
  counts: Counts | undefined;
  /** Undefined while the first page loads. */
  shown: readonly Item[] | undefined;
  open: Item | undefined;
  /** True when the address names the open one; on a telephone it hides the list then. */
  isChosen: boolean;
  /** How well each fits its brief. */
  fits: ReadonlyMap<string, Fit>;
  /** The same, or how well each fits the search. */
  listFits: ReadonlyMap<string, Fit>;
  isDone: boolean;
  error: unknown;
  retry: () => void;
};

/** Reads what the address of the Inbox shows. */
export function useInbox(): Inbox {
  const { search } = place.value;
  const [state, briefId, q] = [
    search.get("state") ?? "new",
    search.get("brief") ?? "",
    search.get("q") ?? "",
  ];
  const list = listQuery(state, briefId);
  const { items, isWhole, error, retry } = useItems(list);
  const counts = useCounts(briefId);
  const sought = useFit(q === "" ? null : { q, ...(briefId !== "" && { briefId }) });
  const shown = items && (q === "" ? items : found(items, sought));
  const open = useOpen(shown, search.get("id"));
  const fits = useFit(open ? { briefId: open.briefId } : null);
  useEffect(beginVisit, [list]);
  const isDone = state === "new" && q === "" && isWhole && !items?.some((item) => item.state === "new");
  const listFits = q === "" ? fits : sought;
  return {
    state,
    briefId,
    q,
    counts,
    shown,
    open,
    isChosen: search.has("id"),
    fits,
    listFits,
    isDone,
    error,
    retry,
  };
}

/** The one that the address names; on a desk the first, where it names none. */
function useOpen(shown: readonly Item[] | undefined, id: string | null): Item | undefined {
  const isWide = useWide();
  return shown?.find((item) => item.id === id) ?? (isWide ? shown?.[0] : undefined);
}

/** Counts the submissions to a brief, or to all open ones, by their state. */
export function useCounts(briefId: string): Counts | undefined {
  const asked = briefId === "" ? {} : { briefId };
  return useQuery(query("/app/inbox/counts", { query: asked }, { submissions: "all" })).data?.data;
}

function listQuery(state: string, briefId: string): string {
  const asked = new URLSearchParams({ limit: String(PAGE) });
  if (state !== "all") asked.set("state", state);
  if (briefId !== "") asked.set("briefId", briefId);
  return asked.toString();
}
