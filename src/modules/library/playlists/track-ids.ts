import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { MAX_TRACK_IDS } from "./shapes.ts";

/**
 * Reads comma-separated track ids; trims them and drops empty ones.
 *
 * @throws DomainError `validation_failed` when there are no ids, or too many.
 */
export function readCsv(csv: string): string[] {
  const ids = csv
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length > 0 && ids.length <= MAX_TRACK_IDS) return ids;
  throw invalidField("trackIds", "items", `must hold 1 to ${MAX_TRACK_IDS} track ids`);
}

/**
 * Checks that `asked` holds the same ids as `present`, each as often.
 *
 * @throws DomainError `validation_failed` with `data.missing` and `data.unexpected` (decision 4.25).
 */
export function checkPermutation(present: readonly string[], asked: readonly string[]): void {
  const missing = without(present, asked);
  const unexpected = without(asked, present);
  if (missing.length === 0 && unexpected.length === 0) return;
  const detail = "must hold the playlist's tracks, each as often as the playlist contains it";
  const errors = [{ path: "trackIds", code: "permutation", detail }];
  throw new DomainError("validation_failed", "Invalid request", { data: { errors, missing, unexpected } });
}

/** Returns `ids` without one occurrence for each entry of `taken`. */
function without(ids: readonly string[], taken: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const id of taken) counts.set(id, (counts.get(id) ?? 0) + 1);
  return ids.filter((id) => {
    const left = counts.get(id) ?? 0;
    counts.set(id, left - 1);
    return left <= 0;
  });
}
