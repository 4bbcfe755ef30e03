import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { DESCRIPTOR_VERSION, FRAME_DESCRIPTORS } from "../../../../audio/descriptors/descriptors.ts";
import { HEARD_TAGS } from "../../../../ears/tags.ts";
import { passagesIn, type Span, soundVector } from "../../../library/sounds/service.ts";
import { keyNumberOf, measuredOf } from "../index/load.ts";
import { selectOwn } from "../queries.ts";
import { originOf, type Seeds } from "../seeds/seeds.ts";
import type { WireInterpretation } from "../shapes.ts";
import type { ReferenceWish } from "./form-shapes.ts";
import type { Part } from "./part.ts";

/** A sound that is not in the library, as it was measured. Nothing in it says where it came from. */
export type Reference = {
  descriptors: Float32Array;
  heard: Float32Array | null;
  features: Readonly<Record<string, number>>;
  loudness: number | null;
  /** What answers say of it. */
  said: Omit<NonNullable<WireInterpretation["appliedTuning"]["reference"]>, "passages">;
  /** The part of it that was measured, where it was chosen. */
  span: Span | undefined;
};

/** A sound that was sent, and what is asked for beside it. */
export type Asked = { wish: ReferenceWish; reference: Reference };

/** What a reference is called in reasons. */
const NAME = "the reference";

/** Returns what a search compares the parts of tracks with. */
export function partOfReference(reference: Reference | undefined): Part | undefined {
  if (!reference) return undefined;
  const { descriptors, span } = reference;
  // Passages have the first ones.
  const target = descriptors.subarray(0, FRAME_DESCRIPTORS);
  return { target, count: span ? passagesIn(span) : 1, isChosen: span !== undefined };
}

/** Returns what a search starts from: the tracks that it names, and the reference. */
export function withReference(
  db: Db,
  ownerId: LibraryId,
  seeds: Seeds | undefined,
  reference: Reference | undefined,
): Seeds | undefined {
  if (!reference) return seeds;
  const { descriptors, heard, features, loudness, said } = reference;
  const { bpm, key, durationSec, sameRecordingAs } = said;
  const sound = soundVector(DESCRIPTOR_VERSION, descriptors, heard?.subarray(0, HEARD_TAGS.length));
  const same = sameRecordingAs === null ? [] : selectOwn(db, ownerId, [sameRecordingAs]);
  const values = { ...measuredOf(features, { bpm, durationSec, loudness }), key: keyNumberOf(key) };
  return {
    asked: seeds?.asked ?? [],
    seqs: [...(seeds?.seqs ?? []), ...same.map(({ seq }) => seq)],
    named: seeds?.named ?? [],
    records: seeds?.records ?? [],
    targets: [...(sound ? [sound] : []), ...(seeds?.targets ?? [])],
    soundName: seeds?.soundName === undefined ? NAME : `${NAME} and ${seeds.soundName}`,
    origin: originOf([values], [NAME]),
  };
}
