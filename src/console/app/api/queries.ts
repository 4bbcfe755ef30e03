import { useSignal } from "@preact/signals";
import { QueryClient, QueryObserver, type QueryObserverResult } from "@tanstack/query-core";
import { useEffect, useMemo } from "preact/hooks";
import { firstAnswer, firstDataAt, href } from "../first-data.ts";
import { send } from "./client.ts";
import { type ApiError, errorOf } from "./errors.ts";
import type { Answer, Parameters, Path } from "./routes.ts";

/** What live events speak of; see `live.ts`. */
export const TOPICS = [
  "tracks",
  "versions",
  "analysis",
  "tags",
  "playlists",
  "shares",
  "activity",
  "comments",
  "submissions",
  "notifications",
  "composers",
  "team",
  "uploads",
] as const;
export type Topic = (typeof TOPICS)[number];

/** Topics that the answer depends on; a change of one makes the query read again. With ids: only changes of these. */
export type Depends = { readonly [topic in Topic]?: readonly string[] | "all" };

const MAX_TRIES = 2;

/** The answers of the server. Live events mark the outdated ones, so none expires by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: "always",
      // A refusal stays one; what the connection or the server lost is tried again.
      retry: (tries, error) => {
        const { status } = error as ApiError;
        return tries < MAX_TRIES && (status === 503 || status === 429);
      },
    },
  },
});

/** How a list goes on. */
export type Paging = { limit: number; next_cursor: string | null; total?: number };

/** The answer of a route that can be read. */
export type AnswerOf<At extends Path<"GET">> = Answer<`GET ${At}`>;

/** A query of the server: which answer, and what makes it read again. */
export type Query<Data> = {
  queryKey: readonly [url: string];
  meta: { depends: Depends };
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
  initialData: () => Data | undefined;
  initialDataUpdatedAt: number;
};

/**
 * Describes a query of a route: `query("/app/shares/{id}", { path: { id } }, { shares: [id] })`. Its
 * result is the whole answer: `data`, and `paging` in lists. The same address is one query wherever it is asked for.
 */
export function query<At extends Path<"GET">>(
  path: At,
  parameters: Parameters<`GET ${At}`>,
  depends: Depends,
): Query<AnswerOf<At>> {
  return queryAt(urlOf(path, parameters as Parts), depends);
}

/** As {@link query}, for an address whose query is text: `/app/inbox?limit=200`. */
export function queryOf<At extends Path<"GET">>(
  url: `${At}?${string}`,
  depends: Depends,
): Query<AnswerOf<At>> {
  return queryAt(url, depends);
}

/** As {@link query}, for an address that the types do not know. */
export function queryAt<Answer>(url: string, depends: Depends): Query<Answer> {
  return {
    queryKey: [url],
    meta: { depends },
    queryFn: ({ signal }) => readAt(url, signal),
    initialData: () => firstAnswer(url) as Answer | undefined,
    initialDataUpdatedAt: firstDataAt,
  };
}

/** Reads an answer past the cache. @throws ApiError. */
export function readJson<At extends Path<"GET">>(
  url: `${At}?${string}`,
  signal?: AbortSignal,
): Promise<AnswerOf<At>> {
  return readAt(url, signal);
}

/** As {@link readJson}, for an address that the types do not know. */
export async function readAt<Answer>(url: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send(new Request(href(url), signal ? { signal } : {}));
  if (!response.ok) throw await errorOf(response);
  return await response.json();
}

type Parts = {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
};

function urlOf(template: string, { path = {}, query: asked = {} }: Parts): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/**
 * Watches a query. `null` watches nothing, for a query that cannot be asked yet. While another query loads, the result of
 * the one before stays: `isPlaceholderData` is true then.
 */
export function useQuery<Data>(asked: Query<Data> | null): QueryObserverResult<Data, ApiError> {
  const options = {
    ...(asked ?? { queryKey: [""] as const, queryFn: () => Promise.reject<Data>() }),
    enabled: asked !== null,
    placeholderData: (before: Data | undefined) => before,
  };
  const observer = useMemo(
    () => new QueryObserver<Data, ApiError, Data, Data, readonly [string]>(queryClient, options as never),
    [],
  );
  const version = useSignal(0);
  useEffect(() => observer.subscribe(() => version.value++), [observer, version]);
  const key = options.queryKey[0];
  useEffect(() => observer.setOptions(options as never), [observer, key]);
  void version.value;
  return observer.getOptimisticResult(queryClient.defaultQueryOptions(options as never) as never);
}

let changes: [topic: Topic, ids: readonly string[] | null][] = [];

/**
 * Reads every query again that depends on changed things, once for all that are announced together. `ids` null: on anything of
 * the topic.
 */
export function changed(topic: Topic, ids: readonly string[] | null): void {
  if (changes.push([topic, ids]) === 1) queueMicrotask(readAnew);
  for (const listener of listeners) listener(topic, ids);
}

function readAnew(): void {
  const said = changes;
  changes = [];
  void queryClient.invalidateQueries({
    predicate: ({ meta }) => {
      const depends = (meta?.depends ?? {}) as Depends;
      return said.some(([topic, ids]) => {
        const on = depends[topic];
        if (on === undefined) return false;
        return on === "all" || ids === null || ids.some((id) => on.includes(id));
      });
    },
  });
}

type Listener = (topic: Topic, ids: readonly string[] | null) => void;
const listeners = new Set<Listener>();

/** Calls `listener` at every change, for code that has no query. Returns a function that stops it. */
export function onChanged(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Shows a change at once, and makes it. `patch` returns what a query's answer becomes; when the server refuses, the answer
 * of before is put back and the refusal thrown on, for a toast.
 */
export function optimistically<Data, Result>(
  { queryKey: [url] }: Query<Data>,
  patch: (answer: Data) => Data,
  make: () => Promise<Result>,
): Promise<Result> {
  return optimisticallyAll((each) => each === url, patch, make);
}

/** As {@link optimistically}, for what shows in the answers of several queries: those of the addresses that `isOne` names. */
export async function optimisticallyAll<Data, Result>(
  isOne: (url: string) => boolean,
  patch: (answer: Data) => Data,
  make: () => Promise<Result>,
): Promise<Result> {
  const meant = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isOne(String(queryKey[0])) };
  // Before anything that takes time: the page may be on its way out.
  const made = make();
  made.catch(() => undefined);
  await queryClient.cancelQueries(meant);
  const before = queryClient.getQueriesData<Data>(meant);
  queryClient.setQueriesData<Data>(meant, (answer) => (answer === undefined ? answer : patch(answer)));
  try {
    return await made;
  } catch (thrown) {
    for (const [queryKey, answer] of before) queryClient.setQueryData(queryKey, answer);
    throw thrown;
  } finally {
    void queryClient.invalidateQueries(meant);
  }
}
