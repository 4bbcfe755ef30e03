/** The most that a client reads of one result: 25,000 tokens of four bytes each. */
export const MAX_ANSWER_BYTES = 100_000;

type Page = { data: { id: string }[]; paging: { next_cursor: string | null } };

/** True for an answer that is a page of items with ids. */
export function isPage(answer: object): answer is Page {
  return "data" in answer && Array.isArray(answer.data) && "paging" in answer;
}

/** Returns how many items of a page fit into an answer. At least one, so a listing can always continue. */
export function fittingCount({ data }: Page): number {
  // The braces, the cursor and everything between them.
  let bytes = 1000;
  const count = data.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > MAX_ANSWER_BYTES;
  });
  return count === -1 ? data.length : Math.max(1, count);
}

/** Returns the first items of a page whose cursor is the id of its last item. */
export function cutPage({ data }: Page, count: number): Page {
  const kept = data.slice(0, count);
  return { data: kept, paging: { next_cursor: kept.at(-1)?.id ?? null } };
}
