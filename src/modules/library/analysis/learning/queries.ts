import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { tagById } from "../../../../../db/taxonomy.ts";
import { DESCRIPTOR_VERSION } from "../../../../audio/descriptors/descriptors.ts";
import type { HeardPassages } from "../../../../ears/places.ts";
import { EARS_VERSION, HEARD_TAGS, SAME_TAGS_VERSIONS } from "../../../../ears/tags.ts";
import { storeModel } from "../../tags/service.ts";
import type { CategorizedTag, TagCategory } from "../../tags/shapes.ts";
import { selectHeardPassages } from "../places/store.ts";
import type { Learnt, SuggestionBasis } from "../suggest/suggest.ts";
import { tagKey } from "../suggest/suggest.ts";
import { decodeModel, encodeModel, type TagModel } from "./tag-classifier.ts";
import { BASIS } from "./versions.ts";

type BasisRow = {
  trackId: string;
  durationSec: number;
  integratedLufs: number | null;
  rangeLu: number | null;
  bpm: number | null;
  key: string | null;
  keyConfidence: number;
  features: string;
  embedded: string;
  filename: string;
  descriptors: Uint8Array | null;
  heard: Uint8Array | null;
  ears: string | null;
};

/** Returns the data that suggestions for the account's tracks are made from; unanalysed tracks are left out. */
export function selectBases(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
): Map<string, SuggestionBasis> {
  const rows = db.$client
    .query<BasisRow, [string, string, string, string]>(
      `SELECT t.id AS trackId, a.duration_sec AS durationSec, a.integrated_lufs AS integratedLufs,
              a.range_lu AS rangeLu, a.bpm, a.key, a.key_confidence AS keyConfidence, a.features, a.embedded,
              v.name AS filename, d.embedding AS descriptors, h.embedding AS heard,
              h.version AS ears
       FROM tracks t
       JOIN analyses a ON a.version_id = t.analysis_version_id
       JOIN versions v ON v.id = t.analysis_version_id
       LEFT JOIN track_vectors d ON d.track_id = t.id AND d.provider = 'descriptors' AND d.version = ?
       LEFT JOIN track_vectors h ON h.track_id = t.id AND h.provider = 'ears' AND h.dimensions > 1
                                  AND h.version IN (SELECT value FROM json_each(?))
       WHERE t.owner_id = ? AND t.id IN (SELECT value FROM json_each(?))`,
    )
    .all(DESCRIPTOR_VERSION, JSON.stringify(SAME_TAGS_VERSIONS), ownerId, JSON.stringify(trackIds));
  const passages = selectHeardPassages(db, trackIds);
  return new Map(rows.map((row) => [row.trackId, { ...basisOf(row), ...passagesIn(passages, row.trackId) }]));
}

function passagesIn(all: ReadonlyMap<string, HeardPassages>, trackId: string) {
  const passages = all.get(trackId);
  return passages && { passages };
}

function basisOf(row: BasisRow): SuggestionBasis {
  const { durationSec, integratedLufs, rangeLu, bpm, key, keyConfidence, filename, descriptors, heard } = row;
  return {
    features: JSON.parse(row.features),
    analysis: {
      durationSec,
      loudness: { integratedLufs, rangeLu },
      tempo: { bpm },
      key: { name: key, confidence: keyConfidence },
    },
    embedded: JSON.parse(row.embedded),
    filename,
    descriptors: descriptors && new Float32Array(bytesOf(descriptors)),
    heard: heard && heardBy(row.ears, new Float32Array(bytesOf(heard))),
  };
}

/** Returns what was heard; of older ears the tags alone, as what is behind them has another meaning. */
function heardBy(ears: string | null, heard: Float32Array): Float32Array {
  return ears === EARS_VERSION ? heard : heard.slice(0, HEARD_TAGS.length);
}

/** Returns a copy that is aligned for reading numbers. */
const bytesOf = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;

/** A tag of an account whose model is out of date. */
export type StaleTag = CategorizedTag & { revision: number };

/** Returns the tags whose models need retraining. */
export function selectStale(db: Db, ownerId: LibraryId): StaleTag[] {
  return db.$client
    .query<StaleTag, [string, string]>(
      `SELECT category, m.tag_id AS id, m.name, r.revision
       FROM tag_revisions r JOIN tag_models m USING (owner_id, category)
       WHERE r.owner_id = ? AND (m.trained_revision IS NOT r.revision OR m.basis IS NOT ?)
       ORDER BY category, m.tag_id`,
    )
    .all(ownerId, BASIS);
}

/** An account's verdict on a tag of one of its tracks. */
export type TrackVerdict = {
  trackId: string;
  tagId: string;
  name: string;
  isWanted: boolean;
  /** Accepted together with all other suggestions at once. */
  isApplied: boolean;
};

/**
 * Returns the verdicts in force on the tags of a category, by track id and tag id; withdrawn verdicts are left out.
 * Served by index `tag_feedback_by_tag`.
 */
export function selectCategoryVerdicts(db: Db, ownerId: LibraryId, category: TagCategory): TrackVerdict[] {
  return db.$client
    .query<
      { trackId: string; tagId: string; name: string; verdict: string; source: string },
      [string, string]
    >(
      // With max(), SQLite takes the other columns from the row that holds the maximum.
      `SELECT track_id AS trackId, tag_id AS tagId, name, verdict, source, max(seq) FROM tag_feedback
       WHERE owner_id = ? AND category = ? GROUP BY track_id, tag_id ORDER BY track_id, tag_id`,
    )
    .all(ownerId, category)
    .filter(({ verdict }) => verdict !== "withdrawn")
    .map(({ trackId, tagId, name, verdict, source }) => ({
      trackId,
      tagId,
      name,
      isWanted: verdict !== "rejected",
      isApplied: source === "apply",
    }));
}

/** A model, and the number of examples of each kind that it was trained on. */
export type TrainedTag = { name: string; model: TagModel | undefined; positives: number; negatives: number };

/** Stores a trained model. If new verdicts came in meanwhile, the tag stays marked for training. */
export function putModel(tx: Db, ownerId: LibraryId, tag: StaleTag, trained: TrainedTag): void {
  const { model, ...rest } = trained;
  const parameters = model ? Buffer.from(encodeModel(model).buffer) : null;
  storeModel(tx, { ...tag, ...rest, ownerId, parameters, basis: BASIS });
}

type ModelRow = CategorizedTag & { parameters: Uint8Array };

/** Returns every stored model of an account, in a fixed order. Models with another basis are not in force. */
export function selectParameters(db: Db, ownerId: LibraryId): ModelRow[] {
  return db.$client
    .query<ModelRow, [string, string]>(
      `SELECT category, tag_id AS id, name, parameters FROM tag_models
       WHERE owner_id = ? AND basis = ? AND parameters IS NOT NULL ORDER BY category, tag_id`,
    )
    .all(ownerId, BASIS);
}

/** Returns the models of an account. Tags in the taxonomy get their names from it. */
export function selectModels(db: Db, ownerId: LibraryId): Learnt["models"] {
  return selectParameters(db, ownerId).map(({ category, id, name, parameters }) => ({
    category,
    id,
    name: tagById(id)?.name ?? name,
    model: decodeModel(new Float64Array(bytesOf(parameters))),
  }));
}

/** Returns the account's verdicts on the tags of its tracks, by track. Served by index `tag_feedback_by_track`. */
export function selectTrackVerdicts(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
): Map<string, Learnt["verdicts"]> {
  const rows = db.$client
    .query<CategorizedTag & { trackId: string; verdict: string; source: string }, [string, string]>(
      `SELECT track_id AS trackId, category, tag_id AS id, name, verdict, source, max(seq) FROM tag_feedback
       WHERE owner_id = ? AND track_id IN (SELECT value FROM json_each(?)) GROUP BY track_id, category, tag_id`,
    )
    .all(ownerId, JSON.stringify(trackIds))
    .filter(({ verdict }) => verdict !== "withdrawn");
  return new Map(
    [...Map.groupBy(rows, ({ trackId }) => trackId)].map(([trackId, said]) => [
      trackId,
      new Map(
        said.map(({ category, id, name, verdict, source }) => [
          tagKey({ category, id }),
          { category, id, name, isWanted: verdict !== "rejected", isApplied: source === "apply" },
        ]),
      ),
    ]),
  );
}
