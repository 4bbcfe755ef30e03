import { type Db, transact } from "../../../../db/client.ts";
import { PASSAGE_VERSION } from "../../../audio/descriptors/passages.ts";
import { recreateTable, VECTOR_TABLES } from "./chunks.ts";
import { composeSounds, floatsOf } from "./compose.ts";
import { fillSome } from "./fill.ts";
import { selectStray } from "./passage-queries.ts";
import { faultsOfPassages, type PassageFault } from "./passages.ts";
import {
  findSpace,
  readFill,
  type StoredSound,
  selectDangling,
  selectStored,
  selectTracksAfter,
  spaceFor,
  writeFill,
} from "./queries.ts";
import { SOUND_DIMENSIONS, SOUND_VERSION } from "./sound-vector.ts";

/** A fault of the stored vectors; `id` is a track's, or the number of one that is gone. */
export type SoundFault = { kind: "missing" | "dangling" | "damaged"; id: string; detail: string };

const DETAILS = {
  missing: "The track's sound has no vector",
  dangling: "A vector of a sound belongs to no track of its account",
  damaged: "The vector of the track's sound differs from its measurements",
} as const;

const OF_PASSAGES = {
  missing: "Passages of the track have no vectors",
  damaged: "The vectors of the track's passages differ from its measurements",
} as const;

/** True for a sentence of a {@link SoundFault}: everything that such a fault is about can be made again. */
export function isSoundFault(detail: string): boolean {
  return [DETAILS, OF_PASSAGES].some((details) => Object.values<string>(details).includes(detail));
}

const AT_ONCE = 1000;
/** As far as a number may be from what it is made again. */
const TOLERANCE = 1e-5;

/**
 * Reports vectors that are missing, that belong to no track, and that are not what was measured. While they are still
 * being made, what is missing or of another version is no fault.
 */
export function checkSounds(db: Db, report: (fault: SoundFault) => void): void {
  const space = findSpace(db, SOUND_VERSION);
  const fill = readFill(db);
  const isWhole = fill.soundSeq === null && fill.space === space;
  for (const seq of [...selectDangling(db).map((row) => row.seq), ...selectStray(db)])
    report({ kind: "dangling", id: String(seq), detail: DETAILS.dangling });
  for (const { id, wanted, row, passages } of pairsOf(db)) {
    const kind = faultOf(wanted, row, isWhole, space);
    if (kind) report({ kind, id, detail: DETAILS[kind] });
    if (passages && isWhole) report({ kind: passages, id, detail: OF_PASSAGES[passages] });
  }
}

function faultOf(
  wanted: Float32Array | undefined,
  row: StoredSound | undefined,
  isWhole: boolean,
  space: number | undefined,
): "missing" | "damaged" | undefined {
  if (!row) return wanted && isWhole ? "missing" : undefined;
  return (isWhole || row.space === space) && !isNear(row, wanted) ? "damaged" : undefined;
}

/** Yields the tracks of all accounts with the vectors that they should have and those that they have. */
function* pairsOf(db: Db): Generator<{
  id: string;
  wanted: Float32Array | undefined;
  row: StoredSound | undefined;
  passages: PassageFault | undefined;
}> {
  const space = findSpace(db, PASSAGE_VERSION) ?? 0;
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const tracks = selectTracksAfter(db, after, AT_ONCE);
    const last = tracks.at(-1);
    if (!last) return;
    const seqs = tracks.map(({ seq }) => seq);
    const composed = composeSounds(db, seqs).filter(({ version }) => version === SOUND_VERSION);
    const wanted = new Map(composed.map(({ seq, unit }) => [seq, unit]));
    const stored = new Map(selectStored(db, seqs).map((row) => [row.seq, row]));
    const passages = faultsOfPassages(db, seqs, space);
    for (const { seq, id } of tracks)
      yield { id, wanted: wanted.get(seq), row: stored.get(seq), passages: passages.get(seq) };
    after = last.seq;
  }
}

function isNear({ embedding }: StoredSound, wanted: Float32Array | undefined): boolean {
  const unit = floatsOf(embedding, SOUND_DIMENSIONS);
  if (!unit || !wanted) return false;
  return unit.every((value, i) => Math.abs(value - (wanted[i] as number)) <= TOLERANCE);
}

/** Rebuilds the tables of vectors, beside a running server, in steps that it hardly notices. */
export function rebuildSounds(db: Db): void {
  transact(db, (tx) => {
    for (const table of VECTOR_TABLES) recreateTable(tx, table);
    writeFill(tx, { space: spaceFor(tx, SOUND_VERSION, SOUND_DIMENSIONS), soundSeq: 0 });
  });
  while (fillSome(db));
}
