/** Tracks that have one tag, in the order they were added, and how much each one's tag counts. */
export type Postings = {
  /** Slots; the first `length` are in use. */
  slots: Uint32Array<ArrayBuffer>;
  /** 255: written; less: suggested. */
  trusts: Uint8Array<ArrayBuffer>;
  length: number;
  /** How many of them belong to tracks that are still there. */
  alive: number;
};

const FIRST_CAPACITY = 4;

/** What a tag counts that somebody wrote, in {@link Postings}. */
export const FULL_TRUST = 255;

/** Returns a list without tracks. */
export function createPostings(): Postings {
  return {
    slots: new Uint32Array(FIRST_CAPACITY),
    trusts: new Uint8Array(FIRST_CAPACITY),
    length: 0,
    alive: 0,
  };
}

/** Adds a track at the end. */
export function addPosting(postings: Postings, slot: number, trust: number): void {
  if (postings.length === postings.slots.length) {
    const capacity = Math.ceil(postings.length * 1.5);
    postings.slots = grown(postings.slots, new Uint32Array(capacity));
    postings.trusts = grown(postings.trusts, new Uint8Array(capacity));
  }
  postings.slots[postings.length] = slot;
  postings.trusts[postings.length] = trust;
  postings.length += 1;
  postings.alive += 1;
}

/** Returns `next` with the values of `old` at its start. */
export function grown<Values extends { set(values: Values): void }>(old: Values, next: Values): Values {
  next.set(old);
  return next;
}
