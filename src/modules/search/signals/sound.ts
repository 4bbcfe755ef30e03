import type { Db } from "../../../../db/client.ts";
import type { Candidates, Eligibility } from "../candidates.ts";
import type { Signal } from "./signal.ts";

/** The vectors that every analysed track has. */
const PROVIDER = "descriptors";
const FLOAT_BYTES = 4;
/** Cosine similarities below this are not worth a reason. */
const ALIKE = 0.8;

/** A point among the vectors of one version: float32, L2-normalised. */
export type Centre = { version: string; dimensions: number; embedding: Float32Array };

/**
 * Returns the mean direction of the owner's tracks among `ids`, or undefined when none has a usable vector. Where
 * versions differ, the one that most of the tracks have decides.
 */
export function centreOf(db: Db, ownerId: string, ids: readonly string[]): Centre | undefined {
  const rows = db.$client
    .query<{ version: string; dimensions: number; embedding: Uint8Array }, [string, string, string]>(
      `SELECT v.version, v.dimensions, v.embedding FROM track_vectors v JOIN tracks t ON t.id = v.track_id
       WHERE t.owner_id = ? AND v.provider = ? AND v.track_id IN (SELECT value FROM json_each(?))`,
    )
    .all(ownerId, PROVIDER, JSON.stringify(ids));
  const vectors = rows.flatMap((row) => {
    const unit = unitVector(toFloats(row.embedding));
    return unit?.length === row.dimensions ? [{ version: row.version, unit }] : [];
  });
  const groups = [...Map.groupBy(vectors, ({ version, unit }) => `${version} ${unit.length}`).values()];
  const [group] = groups.toSorted(
    (a, b) => b.length - a.length || (a[0]?.version ?? "").localeCompare(b[0]?.version ?? ""),
  );
  const first = group?.[0];
  const embedding = group && unitVector(sum(group.map(({ unit }) => unit)));
  return first && embedding && { version: first.version, dimensions: embedding.length, embedding };
}

/** Nearness of sound to a centre. Exact: every candidate with a vector of the same version is measured. */
export function soundSignal(
  db: Db,
  candidates: Candidates,
  { where, params }: Eligibility,
  { version, dimensions, embedding }: Centre,
  { weight, reason }: { weight: number; reason: string },
): Signal {
  const rows = db.$client
    .query<{ id: string; distance: number | null }, [Record<string, string | number | Uint8Array>]>(
      `SELECT t.id, vec_distance_cosine(v.embedding, $centre) AS distance
       FROM tracks t JOIN track_vectors v ON v.track_id = t.id AND v.provider = $provider
       WHERE v.version = $version AND v.dimensions = $dimensions AND length(v.embedding) = $bytes AND ${where}`,
    )
    .all({
      ...params,
      centre: new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength),
      provider: PROVIDER,
      version,
      dimensions,
      bytes: dimensions * FLOAT_BYTES,
    });
  const scores = new Float32Array(candidates.rows.length);
  for (const { id, distance } of rows) {
    const index = candidates.indexOf.get(id);
    // A vector of zeros has no direction: its distance is null.
    if (index !== undefined && distance !== null && Number.isFinite(distance))
      scores[index] = Math.min(1, Math.max(0, 1 - distance));
  }
  return { weight, scores, explain: (index) => ((scores[index] ?? 0) >= ALIKE ? reason : undefined) };
}

function toFloats(bytes: Uint8Array): Float32Array {
  // A copy: the driver's bytes need not be aligned to four.
  return new Float32Array(bytes.slice(0, bytes.length - (bytes.length % FLOAT_BYTES)).buffer);
}

function sum(vectors: readonly Float32Array[]): Float32Array {
  const total = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (const [index, value] of vector.entries()) total[index] = (total[index] ?? 0) + value;
  return total;
}

/** Undefined for a vector with no direction: empty, zero, or not finite. */
function unitVector(vector: Float32Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : undefined;
}
