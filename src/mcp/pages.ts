/** What a client takes of one result: 25,000 tokens of four bytes. */
export const MAX_ANSWER_BYTES = 100_000;

type Page = { data: { id: string }[]; paging: { next_cursor: string | null } };

/** True for an answer that is a page of things with ids. */
export function isPage(answer: object): answer is Page {
  return "data" in answer && Array.isArray(answer.data) && "paging" in answer;
}

/** How many items of a page fit into an answer; at least one, so that a listing always goes on. */
export function fittingCount({ data }: Page): number {
  // The braces, the cursor and what stands between.
  let bytes = 1000;
  const count = data.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > MAX_ANSWER_BYTES;
  });
  return count === -1 ? data.length : Math.max(1, count);
}

/** The first items of a page whose cursor is the id of its last item. */
export function cutPage({ data }: Page, count: number): Page {
  const kept = data.slice(0, count);
  return { data: kept, paging: { next_cursor: kept.at(-1)?.id ?? null } };
}
