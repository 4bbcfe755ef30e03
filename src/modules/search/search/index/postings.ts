/** The tracks with one tag, in the order they were added, and the trust in each track's tag. */
export type Postings = {
  /** Slots; only the first `length` are in use. */
  slots: Uint32Array<ArrayBuffer>;
  /** 255 for a written tag, less for a suggested one. */
  trusts: Uint8Array<ArrayBuffer>;
  length: number;
  /** How many of them belong to live tracks. */
  alive: number;
};

const FIRST_CAPACITY = 4;

/** The trust in a written tag, in {@link Postings}. */
export const FULL_TRUST = 255;

/** Returns an empty list. */
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
