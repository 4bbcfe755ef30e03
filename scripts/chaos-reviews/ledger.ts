/** What a thing may be: one value once it was acknowledged, more while an answer is missing. */
export type Possible<Value> = Set<Value>;

/** A note that the server acknowledged. Only one writer ever changes it. */
export type Note = {
  id: string;
  trackId: string;
  text: string;
  positionSec: number;
  endSec: number | null;
  versionId: string;
  isAnswered: Possible<boolean>;
  isThere: Possible<boolean>;
  /** Where somebody put it by hand, by version. A place whose answer is missing is not in it. */
  placed: Map<string, number>;
  replies: { id: string; text: string }[];
  /** A reply was sent, whether it arrived or not. */
  hasReplies: boolean;
};

/** Everything sent and everything acknowledged, to compare with the library. */
export type Ledger = {
  notes: Note[];
  /** Every text that was sent; none is sent twice. */
  sent: Set<string>;
  /** Verdicts by person and version; null: none. */
  verdicts: Map<string, Possible<string | null>>;
  /** Versions that were acknowledged, by track. */
  versions: Map<string, string[]>;
};

/** Makes an empty ledger. */
export const createLedger = (): Ledger => ({
  notes: [],
  sent: new Set(),
  verdicts: new Map(),
  versions: new Map(),
});

/** Notes what is asked for: until it is acknowledged, it may or may not be so. Returns what to call then. */
export function asking<Value>(possible: Possible<Value>, value: Value): () => void {
  possible.add(value);
  return () => {
    possible.clear();
    possible.add(value);
  };
}
