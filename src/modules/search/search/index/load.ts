import type { Db } from "../../../../../db/client.ts";
import type { FamilyKind, LibraryId } from "../../../../../db/schema.ts";
import { findTag } from "../../../../../db/taxonomy.ts";
import { SAME_TAGS_VERSIONS } from "../../../../ears/tags.ts";
import { voiceIn } from "../../../../ears/voice.ts";
import { languageCode } from "../../../../kernel/languages.ts";
import { MADE_OF, madeOf, WITNESS_FIELDS } from "../../../../kernel/made.ts";
import { MEASURES, type Measured } from "../../../../kernel/measures.ts";
import { parseKey } from "../../../../kernel/musical-key.ts";
import type { Features } from "../../../../kernel/timbre.ts";
import { heardIn, type Sound, soundsOf } from "../../../library/sounds/service.ts";
import { OTHER_BPM } from "../queries.ts";
import { keyCode, languageNumber, NO_KEY, NO_LANGUAGE, UNREAD_LYRICS } from "./codes.ts";
import { moodOf } from "./levels.ts";
import { memberCode, NO_FAMILY } from "./member.ts";
import { FULL_TRUST } from "./postings.ts";
import type { TrackRecord } from "./shard.ts";
import { categoryBit, tagNumber } from "./tag-numbers.ts";
import { voiceOf } from "./voice.ts";

/** The weight of a certain suggestion relative to a written tag; less certain ones count in proportion. */
const SUGGESTION_TRUST = 0.6;

const INSTRUMENTAL_ID = findTag("vocalTypes", "Instrumental")?.id;

/** What is measured, and the features that more is made of; `mood` is made of tags and `minorLead`. */
type TrackRow = Omit<Measured, "mood"> & {
  seq: number;
  createdAt: number;
  otherBpm: number | null;
  key: string | null;
  language: string | null;
  hasLyrics: 0 | 1;
  ownerFields: string;
  voiceLikelihood: number | null;
  minorLead: number | null;
  names: string;
  /** What the ears heard. */
  heard: Uint8Array | null;
  familyId: string | null;
  familyKind: FamilyKind | null;
  editSec: number | null;
};
type TagRow = { seq: number; category: string; tagId: string; isOwners: 0 | 1; confidence: number | null };

// Every join starts with the list (CROSS JOIN): a plan that started with the owner would read the whole account.

/** Returns the numbers of the account's tracks that a search may find: analysed at least once (decision 4.54). */
export function listSearchable(db: Db, ownerId: LibraryId): number[] {
  const { list } = db.$client
    .query<{ list: string }, [string]>(
      `SELECT json_group_array(seq) AS list FROM tracks
       WHERE owner_id = ? AND analysis_version_id IS NOT NULL AND deleted_at IS NULL`,
    )
    .get(ownerId) ?? { list: "[]" };
  // The query above builds the list from integers.
  return JSON.parse(list) as number[];
}

/** Reads what a search needs to know about those of the account's tracks that it may find, in ascending order. */
export function loadRecords(db: Db, ownerId: LibraryId, seqs: readonly number[]): TrackRecord[] {
  const sounds = soundsOf(db, ownerId, seqs);
  const rows = selectTracks(db, ownerId, JSON.stringify(seqs));
  const families = familyNumbers(db, rows);
  const tags = tagsByTrack(db, ownerId, seqs);
  return rows.map((row) => ({
    ...recordOf(row, tags.get(row.seq) ?? []),
    vector: sounds.get(row.seq),
    family: families.get(row.familyId ?? "") ?? NO_FAMILY,
  }));
}

/** What is said of a track, without what only the comparison with others needs. */
export type FactRecord = Omit<TrackRecord, "family" | "vector">;

/** Reads what is said of those of the account's tracks that a search may find, in ascending order. */
export function loadFacts(db: Db, ownerId: LibraryId, seqs: readonly number[]): FactRecord[] {
  const tags = tagsByTrack(db, ownerId, seqs);
  return selectTracks(db, ownerId, JSON.stringify(seqs)).map((row) => recordOf(row, tags.get(row.seq) ?? []));
}

function tagsByTrack(db: Db, ownerId: LibraryId, seqs: readonly number[]): Map<number, TagRow[]> {
  return Map.groupBy(selectTags(db, ownerId, JSON.stringify(seqs)), ({ seq }) => seq);
}

/** Returns the sounds of those of the account's tracks that a search may find, in the order of the tracks. */
export function loadSounds(db: Db, ownerId: LibraryId, seqs: readonly number[]): (Sound & { seq: number })[] {
  const searchable = db.$client
    .query<{ seq: number }, [string, string]>(
      `SELECT t.seq FROM json_each(?) list CROSS JOIN tracks t ON t.seq = list.value
       WHERE t.owner_id = ? AND t.analysis_version_id IS NOT NULL AND t.deleted_at IS NULL ORDER BY t.seq`,
    )
    .all(JSON.stringify(seqs), ownerId)
    .map(({ seq }) => seq);
  const sounds = soundsOf(db, ownerId, searchable);
  return searchable.flatMap((seq) => {
    const sound = sounds.get(seq);
    return sound ? [{ seq, ...sound }] : [];
  });
}

function recordOf(row: TrackRow, tags: readonly TagRow[]): FactRecord {
  const { seq, createdAt, otherBpm, durationSec, names } = row;
  const written = tags.filter(({ confidence }) => confidence === null);
  const vocals = written.filter(({ category }) => category === "vocals");
  const voiceLikelihood = likelihoodOf(row);
  const trusted = trustedTags(tags, written, row.ownerFields);
  return {
    ...measuredIn(row, moodOf(trusted, row.minorLead)),
    seq,
    createdAt,
    otherBpm,
    key: keyNumberOf(row.key),
    language: languageOf(row),
    voice: voiceOf({
      isTaggedInstrumental: vocals.some(({ tagId }) => tagId === INSTRUMENTAL_ID),
      isTaggedVocal: vocals.some(({ tagId }) => tagId !== INSTRUMENTAL_ID),
      hasLyrics: row.hasLyrics === 1,
      voiceLikelihood,
      durationSec,
    }),
    voiceLikelihood,
    // A genre that a file names is one opinion: only the owner's tags say that there is nothing else to hear.
    written: written.reduce((bits, { tagId, isOwners }) => (isOwners ? bits | categoryBit(tagId) : bits), 0),
    member: row.familyKind === null ? NO_FAMILY : memberCode(row.familyKind, row.editSec),
    tags: trusted,
    names,
  };
}

function measuredIn(row: TrackRow, mood: number | null): Measured {
  // The query reads the features under their names.
  const read = { ...row, ...madeOf(row as unknown as Features), mood };
  // `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(MEASURED_FIELDS.map((field) => [field, read[field]])) as Measured;
}

/** Returns what is measured of a sound that is no track, from its features and what is known beside them. */
export function measuredOf(
  features: Readonly<Record<string, number>>,
  known: Pick<Measured, "bpm" | "durationSec" | "loudness">,
): Measured {
  const { energy = null, minorLead = null } = features;
  const read = { ...known, energy, ...madeOf(features as Features), mood: moodOf([], minorLead) };
  // `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(
    MEASURED_FIELDS.map((field) => [field, (read as Partial<Measured>)[field] ?? null]),
  ) as Measured;
}

/**
 * Returns the tags with their trust. Suggestions do not count in a category that the owner has tagged or emptied.
 */
function trustedTags(tags: readonly TagRow[], written: readonly TagRow[], ownerFields: string) {
  const trusts = new Map<number, number>();
  for (const { category, tagId, confidence } of tags) {
    const number = tagNumber(tagId);
    if (number === undefined) continue;
    const isDecided = () =>
      written.some((tag) => tag.category === category && tag.isOwners === 1) ||
      ownerFields.includes(`"${category}"`);
    if (confidence !== null && isDecided()) continue;
    const trust = confidence === null ? FULL_TRUST : suggestionTrust(confidence);
    if (trust > (trusts.get(number) ?? 0)) trusts.set(number, trust);
  }
  return Array.from(trusts, ([number, trust]) => ({ number, trust }));
}

/** Returns the trust in a suggestion, 0 to 255. */
export function suggestionTrust(confidence: number): number {
  return Math.round(FULL_TRUST * SUGGESTION_TRUST * confidence);
}

const keyNumbers = new Map<string, number>();
const MAX_SPELLINGS = 10_000;

/** Returns the number of a key as it is written; that of no key where it is none. */
export function keyNumberOf(text: string | null): number {
  if (text === null) return NO_KEY;
  let number = keyNumbers.get(text);
  if (number === undefined) {
    const key = parseKey(text);
    number = key ? keyCode(key) : NO_KEY;
    // Keys are free text, so the number of spellings is unlimited.
    if (keyNumbers.size > MAX_SPELLINGS) keyNumbers.clear();
    keyNumbers.set(text, number);
  }
  return number;
}

/**
 * Returns the written language, even an unknown one; without it, the lyrics decide once a search asks for a language.
 */
function languageOf({ language, hasLyrics }: TrackRow): number {
  if (language !== null && language !== "") return languageNumber(languageCode(language));
  return hasLyrics === 1 ? UNREAD_LYRICS : NO_LANGUAGE;
}

/** Returns how likely a voice is: by what the ears heard, where they have listened. */
function likelihoodOf({ voiceLikelihood, heard }: TrackRow): number | null {
  const logOdds = heard === null ? undefined : heardIn(heard);
  return voiceLikelihood === null || !logOdds ? voiceLikelihood : voiceIn(logOdds, voiceLikelihood);
}

const MEASURED_FIELDS = [...MEASURES.map(({ field }) => field), ...WITNESS_FIELDS];
const STORED = [
  ...MEASURES.flatMap(({ field, stored }) => (stored === null ? [] : [`${stored} AS ${field}`])),
  ...MADE_OF.map((name) => `a.features ->> '$.${name}' AS ${name}`),
];

function selectTracks(db: Db, ownerId: LibraryId, list: string): TrackRow[] {
  return db.$client
    .query<TrackRow, { list: string; ownerId: LibraryId; ears: string }>(
      `SELECT t.seq, t.created_at AS createdAt, ${OTHER_BPM} AS otherBpm, t.key, t.language,
              trim(coalesce(t.lyrics, ''), char(9, 10, 13, 32)) <> '' AS hasLyrics, t.owner_fields AS ownerFields,
              ${STORED.join(", ")},
              a.features ->> '$.voiceLikelihood' AS voiceLikelihood, a.features ->> '$.minorLead' AS minorLead,
              concat_ws(char(10), t.title, t.artist, t.name, t.album, t.composer) AS names,
              h.embedding AS heard, m.family_id AS familyId, m.kind AS familyKind, m.edit_sec AS editSec
       FROM json_each($list) list CROSS JOIN tracks t ON t.seq = list.value
       LEFT JOIN analyses a ON a.version_id = t.analysis_version_id
       LEFT JOIN track_vectors h ON h.track_id = t.id AND h.provider = 'ears' AND h.dimensions > 1
                                  AND h.version IN (SELECT value FROM json_each($ears))
       LEFT JOIN family_members m ON m.track_id = t.id
       WHERE t.owner_id = $ownerId AND t.analysis_version_id IS NOT NULL AND t.deleted_at IS NULL
       ORDER BY t.seq`,
    )
    .all({ list, ownerId, ears: JSON.stringify(SAME_TAGS_VERSIONS) });
}

/**
 * Returns the number of each family that tracks are in: the least number of its tracks. A change of its members is a change
 * of all of them in the feed.
 */
function familyNumbers(db: Db, rows: readonly TrackRow[]): Map<string, number> {
  const ids = new Set(rows.flatMap(({ familyId }) => familyId ?? []));
  if (ids.size === 0) return new Map();
  const numbers = db.$client
    .query<{ id: string; number: number }, [string]>(
      `SELECT m.family_id AS id, min(t.seq) AS number
       FROM json_each(?) list CROSS JOIN family_members m ON m.family_id = list.value
       CROSS JOIN tracks t ON t.id = m.track_id
       GROUP BY m.family_id`,
    )
    .all(JSON.stringify([...ids]));
  return new Map(numbers.map(({ id, number }) => [id, number]));
}

/** Returns written tags and suggestions; only suggestions have a confidence. */
function selectTags(db: Db, ownerId: LibraryId, list: string): TagRow[] {
  return db.$client
    .query<TagRow, { list: string; ownerId: LibraryId }>(
      `SELECT t.seq, g.category, g.tag_id AS tagId, g.source = 'owner' AS isOwners, NULL AS confidence
       FROM json_each($list) list CROSS JOIN tracks t ON t.seq = list.value CROSS JOIN track_tags g ON g.track_id = t.id
       WHERE t.owner_id = $ownerId AND g.category <> 'tags'
       UNION ALL
       SELECT t.seq, s.category, s.tag_id, 0, s.confidence
       FROM json_each($list) list CROSS JOIN tracks t ON t.seq = list.value
       CROSS JOIN tag_suggestions s ON s.track_id = t.id
       WHERE t.owner_id = $ownerId`,
    )
    .all({ list, ownerId });
}
