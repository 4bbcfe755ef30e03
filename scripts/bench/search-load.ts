/** Searches over HTTP, one after the other on each connection. */
export type SearchLoadOptions = {
  address: string;
  key: string;
  queries: readonly object[];
  count: number;
  connections: number;
};
export type SearchLoadResult = { timesMs: number[] };

/** Sends `count` searches and returns how long each took, from the request to the whole answer. */
export async function searchLoad(options: SearchLoadOptions): Promise<SearchLoadResult> {
  const { address, key, queries, count, connections } = options;
  const timesMs: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const body = JSON.stringify(queries[next++ % queries.length]);
      const startedAt = performance.now();
      const response = await fetch(`${address}/api/v1/tracks/search`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body,
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`A search was answered with ${response.status}: ${text}`);
      timesMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { timesMs };
}
