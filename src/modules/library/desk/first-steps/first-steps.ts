import { type Db, prepared } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { findAccount, updateAccount } from "../../../people/accounts/service.ts";
import type { FirstSteps } from "./shapes.ts";

/**
 * Returns which of the first steps an account has done, by what it has: nothing but the dismissal is stored. With analysed
 * tracks, it has up to two briefs made of the tags of its newest tracks.
 */
export function firstSteps({ db }: Pick<Deps, "db">, accountId: LibraryId): FirstSteps {
  const done = factsOf(db).get(accountId);
  const facts = {
    music: done?.music === 1,
    analysed: done?.analysed === 1,
    searched: done?.searched === 1,
    shared: done?.shared === 1,
  };
  return {
    ...facts,
    dismissed: findAccount(db, accountId)?.firstStepsDismissedAt !== null,
    briefs: facts.analysed ? briefsOf(db, accountId) : [],
  };
}

/** Puts the list of first steps away, or has it shown again. */
export function dismissFirstSteps(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  dismissed: boolean,
): FirstSteps {
  updateAccount(deps.db, accountId, { firstStepsDismissedAt: dismissed ? deps.now() : null });
  return firstSteps(deps, accountId);
}

type Facts = { [fact in "music" | "analysed" | "searched" | "shared"]: 0 | 1 };

/** A playlist is made with a link, which by itself shares nothing. */
const factsOf = prepared((db) =>
  db.$client.prepare<Facts, [string]>(
    `SELECT
       EXISTS (SELECT 1 FROM track_rows WHERE owner_id = ?1) AS music,
       EXISTS (SELECT 1 FROM track_rows WHERE owner_id = ?1 AND status = 'completed') AS analysed,
       EXISTS (SELECT 1 FROM searches WHERE account_id = ?1) AS searched,
       EXISTS (SELECT 1 FROM shares WHERE owner_id = ?1 AND (entity = 'track' OR recipient IS NOT NULL OR turned IN ('on', 'off')))
         OR EXISTS (SELECT 1 FROM shares WHERE owner_id = ?1 GROUP BY entity_id HAVING max(created_at) > min(created_at))
         AS shared`,
  ),
);

type Tag = { category: "genres" | "moods"; name: string; bpm: number | null };

/** So many of the newest tracks say what the library is like: counting all tags of a large one takes seconds. */
const NEWEST_TRACKS = 200;

/** The commonest tags, with the tempo of one track that carries each: written tags first, then suggested ones. */
const commonTags = prepared((db) =>
  db.$client.prepare<Tag, [string]>(
    `WITH newest AS MATERIALIZED (
       SELECT id, bpm FROM tracks WHERE owner_id = ?1 AND deleted_at IS NULL AND in_inbox = 0
       ORDER BY created_at DESC LIMIT ${NEWEST_TRACKS})
     SELECT category, name, max(bpm) AS bpm, count(*) AS tracks, min(isSuggested) AS isSuggested FROM (
       SELECT g.category, g.name, t.bpm, 0 AS isSuggested FROM newest t CROSS JOIN track_tags g ON g.track_id = t.id
       UNION ALL
       SELECT s.category, s.name, t.bpm, 1 FROM newest t CROSS JOIN tag_suggestions s ON s.track_id = t.id)
     WHERE category IN ('genres', 'moods') GROUP BY category, name ORDER BY isSuggested, tracks DESC, name LIMIT 40`,
  ),
);

/** Returns up to two briefs that find something in the account's library. */
function briefsOf(db: Db, ownerId: LibraryId): string[] {
  const tags = commonTags(db).all(ownerId);
  const [genres, moods] = (["genres", "moods"] as const).map((category) =>
    tags.filter((tag) => tag.category === category),
  );
  const [genre, mood] = [genres?.[0], moods?.[0]];
  const other = genres?.[1] ?? moods?.[1] ?? genre ?? mood;
  const first = [mood, genre].flatMap((tag) => (tag ? tag.name.toLowerCase() : []));
  const second = other && [
    other.name.toLowerCase(),
    other.bpm === null ? "" : `around ${Math.round(other.bpm)} BPM`,
  ];
  return [...new Set([sentence(first), sentence(second ?? [])])].filter((brief) => brief !== "");
}

function sentence(words: readonly string[]): string {
  const text = words.join(" ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
