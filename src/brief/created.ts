/** A stretch of time, epoch milliseconds: from the first to just before the second; null is open. */
export type Created = { from: number | null; to: number | null };
