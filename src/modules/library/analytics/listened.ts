/**
 * How much of a track must be heard for "listened"; less is a slip of the finger. `counting/plays.ts` defines a play: every
 * play is a listen, not every listen a play.
 */
const LISTENED_SEC = 1;
/** The rule in words, for what describes a field. */
export const LISTENED_RULE = `a play, or at least ${LISTENED_SEC} second heard`;

/** The part of an activity that shows whether its visitor listened. */
type Told = { metric: string; leftOut: string | null; heardSec: number | null };

/** True when the visitor listened: by a play, or by a listen too short for one. The owner and machines never do. */
export function isListen({ metric, leftOut, heardSec }: Told): boolean {
  return metric === "plays" && (leftOut === null || (leftOut === "short" && (heardSec ?? 0) >= LISTENED_SEC));
}

/** {@link isListen} in SQL, of an activity `a` in a series `s`. */
export const IS_LISTEN = `(s.metric = 'plays' AND (a.left_out IS NULL OR a.left_out = 'short' AND a.heard_sec >= ${LISTENED_SEC}))`;

/**
 * Selects the parts and the stop of an activity `l`: null while its link does not keep them.
 *
 * @param share Its link in SQL. SQLite asks once for one that is the same for all rows.
 */
export function shownParts(share: "?1" | "l.share_id"): string {
  const isKept = `ifnull((SELECT note_parts FROM shares WHERE id = ${share}), 1)`;
  return `iif(${isKept}, l.heard, NULL) AS heard, iif(${isKept}, l.stopped_sec, NULL) AS stoppedSec`;
}
