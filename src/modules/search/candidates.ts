import type { Db } from "../../../db/client.ts";
import { findTag } from "../../../db/taxonomy.ts";
import type { ResolvedFilter } from "./constraints.ts";

/** A track that passed every hard constraint, with what the ranking reads of it. */
export type Candidate = {
  id: string;
  createdAt: number;
  /** Null: unknown, as in the columns below. */
  bpm: number | null;
  key: string | null;
  durationSec: number | null;
  /** 0 to 1. */
  energy: number | null;
  /** 1: has vocals; 0: has none. */
  voice: 0 | 1 | null;
};

/** All candidates, and where each one stands in them. */
export type Candidates = { rows: readonly Candidate[]; indexOf: ReadonlyMap<string, number> };

/** The condition that candidates meet, over `tracks t`, with its parameters. */
export type Eligibility = { where: string; params: Readonly<Record<string, string | number>> };

/** Written vocal tags decide, then lyrics; else nobody knows (decision 4.53). Contradicting tags are no answer. */
const VOICE = `CASE
  WHEN EXISTS (SELECT 1 FROM track_tags g
               WHERE g.track_id = t.id AND g.category = 'vocals' AND g.tag_id <> $instrumental)
    THEN CASE WHEN EXISTS (SELECT 1 FROM track_tags g
                           WHERE g.track_id = t.id AND g.category = 'vocals' AND g.tag_id = $instrumental)
              THEN NULL ELSE 1 END
  WHEN EXISTS (SELECT 1 FROM track_tags g
               WHERE g.track_id = t.id AND g.category = 'vocals' AND g.tag_id = $instrumental) THEN 0
  WHEN trim(coalesce(t.lyrics, ''), char(9, 10, 13, 32)) <> '' THEN 1
END`;

/**
 * Returns the condition of a search: the owner's tracks that were analysed at least once (decision 4.54), are not
 * excluded, and meet every constraint. SQL's null passes no comparison, so what is unknown never passes.
 */
export function eligibilityOf(
  ownerId: string,
  filter: ResolvedFilter,
  excluded: readonly string[],
): Eligibility {
  const conditions = ["t.owner_id = $owner", "t.analysis_version_id IS NOT NULL"];
  const params: Record<string, string | number> = { owner: ownerId };
  const add = (condition: string, values: Record<string, string | number>) => {
    conditions.push(condition);
    Object.assign(params, values);
  };
  const { bpmRange, durationRange, hasVocals, keySpellings, languageSpellings, trackIdsByLyrics } = filter;
  if (bpmRange) add("t.bpm BETWEEN $bpmMin AND $bpmMax", { bpmMin: bpmRange[0], bpmMax: bpmRange[1] });
  if (durationRange)
    add("t.duration_sec BETWEEN $secMin AND $secMax", { secMin: durationRange[0], secMax: durationRange[1] });
  if (keySpellings)
    add("t.key IN (SELECT value FROM json_each($keys))", { keys: JSON.stringify(keySpellings) });
  if (languageSpellings)
    add(
      "(t.language IN (SELECT value FROM json_each($languages)) OR t.id IN (SELECT value FROM json_each($sung)))",
      {
        languages: JSON.stringify(languageSpellings),
        sung: JSON.stringify(trackIdsByLyrics ?? []),
      },
    );
  if (hasVocals !== undefined)
    add(`(${VOICE}) = $voice`, { voice: hasVocals ? 1 : 0, instrumental: instrumentalTagId() });
  if (excluded.length > 0)
    add("t.id NOT IN (SELECT value FROM json_each($excluded))", { excluded: JSON.stringify(excluded) });
  return { where: conditions.join(" AND "), params };
}

/** Which columns the ranking will read; the others stay null and cost nothing. */
export type Columns = { energy: boolean; voice: boolean };

/** Reads every candidate. */
export function selectCandidates(db: Db, { where, params }: Eligibility, columns: Columns): Candidates {
  const energy = columns.energy
    ? "(SELECT json_extract(a.features, '$.energy') FROM analyses a WHERE a.version_id = t.analysis_version_id)"
    : "NULL";
  const voice = columns.voice ? `(${VOICE})` : "NULL";
  const rows = db.$client
    .query<Candidate, [Record<string, string | number>]>(
      `SELECT t.id, t.created_at AS createdAt, t.bpm, t.key, t.duration_sec AS durationSec,
              ${energy} AS energy, ${voice} AS voice
       FROM tracks t WHERE ${where}`,
    )
    .all({ ...params, ...(columns.voice && { instrumental: instrumentalTagId() }) });
  return { rows, indexOf: new Map(rows.map(({ id }, index) => [id, index])) };
}

function instrumentalTagId(): string {
  return findTag("vocalTypes", "Instrumental")?.id ?? "";
}
