import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { trackTitle } from "../../../shared/names.ts";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { queryClient } from "../../api/queries.ts";
import type { Body, Data } from "../../api/routes.ts";
import { keep, kept } from "../../router.ts";
import { searchedFirst } from "../../start/first-steps.tsx";
import { type Asked, addressOf, bodyOf, formOf, isSearchable } from "./asked.ts";
import { isGiven, partsOf } from "./given.ts";

/** The answer of a search. */
export type Answer = Data<"POST /app/library/tracks/search">;
export type Hit = Answer["results"][number];
/** Another member of the set of a result. */
export type Member = NonNullable<Hit["also"]>[number];
/** A piece of the prose that was understood. */
export type Said = NonNullable<Answer["interpretation"]["said"]>[number];

/** What can be done with a result. */
export type HitActions = {
  /** From its beginning, or from a time. */
  play: (hit: Hit, fromSec?: number) => void;
  open: (hit: Hit, isWhole: boolean) => void;
  isSelected: (hit: Hit) => boolean;
  select: (hit: Hit) => void;
  like: (hit: Hit) => void;
  unlike: (hit: Hit) => void;
  drag: (event: DragEvent, hit: Hit) => void;
};

/** A search, and where it stands. */
export type Search = {
  asked: Asked;
  /** While a search runs, the answer of the one before. */
  answer: Answer | undefined;
  error: unknown;
  isRunning: boolean;
  /** True when the answer has just come; false when it was kept, and shows where it was left. */
  isNew: boolean;
  /** Results that were deleted meanwhile. */
  gone: readonly string[];
};

type Kept = { address: string; answer: Answer };
const KEPT = "search";

/**
 * Runs the search of the address. An answer is kept with the history entry and for ten minutes: Back and a reload show it
 * without another search, which may cost a credit.
 */
export function useSearch(asked: Asked): { search: Signal<Search>; again: () => void } {
  const address = addressOf(asked);
  const search = useSignal<Search>(started(asked, address));
  const tries = useSignal(0);
  // Before the frame: the request is on its way while the window draws.
  useLayoutEffect(() => {
    const known = started(asked, address);
    if (!isSearchable(asked) || known.answer) {
      search.value = known;
      return;
    }
    const controller = new AbortController();
    search.value = { ...known, answer: search.peek().answer, isRunning: true };
    run(asked, address, controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return;
        keep(KEPT, { address, answer } satisfies Kept);
        search.value = { asked, answer, error: undefined, isRunning: false, isNew: true, gone: [] };
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          search.value = { ...known, answer: undefined, error, isRunning: false };
      },
    );
    return () => controller.abort();
  }, [address, tries.value]);
  return { search, again: () => tries.value++ };
}

function started(asked: Asked, address: string): Search {
  const before = kept<Kept>(KEPT);
  const answer =
    before?.address === address ? before.answer : queryClient.getQueryData<Answer>([KEPT, address]);
  const isRunning = isSearchable(asked) && !answer;
  return { asked, answer, error: undefined, isRunning, isNew: false, gone: [] };
}

async function run(asked: Asked, address: string, signal: AbortSignal): Promise<Answer> {
  const found = await dataOf(ask(asked, signal));
  const results = found.results.map((hit) => ({
    ...hit,
    title: trackTitle({ title: null, name: hit.title }),
  }));
  const answer = { ...found, results };
  queryClient.setQueryData([KEPT, address], answer);
  void queryClient.invalidateQueries({ queryKey: ["/app/searches?limit=30"] });
  void queryClient.invalidateQueries({ queryKey: ["/app/credits"] });
  searchedFirst();
  return answer;
}

function ask(asked: Asked, signal: AbortSignal) {
  const { reference } = asked;
  if (!reference || !isGiven(reference.id))
    return api.POST("/app/library/tracks/search", { body: bodyOf(asked), signal });
  const body = formOf(asked, partsOf(reference.id)) as FormData &
    Body<"POST /app/library/tracks/search/reference">;
  return api.POST("/app/library/tracks/search/reference", { body, signal });
}

/** True when a refusal says that no credit is left. */
export const isOutOfCredits = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "not_enough_credits";
