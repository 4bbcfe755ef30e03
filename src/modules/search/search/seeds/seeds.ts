import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Interpretation } from "../../../../brief/interpretation.ts";
import { WITNESS_FIELDS } from "../../../../kernel/made.ts";
import { MEASURES, type Measured } from "../../../../kernel/measures.ts";
import type { MusicalKey } from "../../../../kernel/musical-key.ts";
import { type PassageTarget, soundOfPart, soundsOf } from "../../../library/sounds/service.ts";
import { keeping } from "../index/bounded.ts";
import { keyOfCode } from "../index/codes.ts";
import type { Kept } from "../index/kept.ts";
import { type FactRecord, loadFacts } from "../index/load.ts";
import { type OwnTrack, selectCalled, selectOwn } from "../queries.ts";
import { titleOf } from "../ranking/diversity.ts";
import type { Origin } from "../signals/moves.ts";
import { centreOf, type Target } from "../signals/sound.ts";

/** The tracks that a search starts from, named in the prose or by their ids. They are never among its results. */
export type Seeds = {
  /** By their ids in the request, as far as the owner has them. */
  asked: readonly OwnTrack[];
  /** Numbers of all tracks to leave out. */
  seqs: readonly number[];
  /** One entry for each thing named: a track, or an artist with the artist's tracks. */
  named: readonly { kind: "track" | "artist"; name: string; ids: readonly string[] }[];
  records: readonly FactRecord[];
  /** What sounds are compared with: the tracks that only the prose names as a whole, others one by one. */
  targets: readonly Target[];
  /** Names for reasons; undefined where tracks are given by their ids alone. */
  soundName: string | undefined;
  origin: Origin;
};

/** Seeds whose rows are kept: those of an artist take some 200 kB. */
const MOST_KEPT = 4;
const PART = "that part";
/** Names beyond this many make a reason too long. */
const MOST_NAMES = 3;

/** Returns the seeds of a search; undefined without any. Of the seed that `part` names, only a part counts. */
export function seedsOf(
  { db, ownerId, kept }: { db: Db; ownerId: LibraryId; kept: Kept },
  { seeds }: Pick<Interpretation, "seeds">,
  seedIds: readonly string[],
  part?: { seq: number; target: PassageTarget },
): Seeds | undefined {
  const asked = selectOwn(db, ownerId, seedIds);
  if (asked.length === 0 && seeds.length === 0) return undefined;
  const ofTracks = [
    ...new Set(seeds.filter(({ kind }) => kind === "track").flatMap(({ trackSeqs }) => trackSeqs)),
  ];
  const ofArtists = seeds.filter(({ kind }) => kind === "artist").flatMap(({ trackSeqs }) => trackSeqs);
  const seqs = [...new Set([...asked.map(({ seq }) => seq), ...ofTracks, ...ofArtists])];
  const { records, rows } = keeping(kept.seeds, MOST_KEPT, seqs.join(" "), () => ({
    records: loadFacts(db, ownerId, seqs),
    rows: selectCalled(db, ownerId, seqs),
  }));
  const heard = new Set([...asked.map(({ seq }) => seq), ...ofTracks]);
  const found = records.map(({ seq }) => seq).filter((seq) => heard.has(seq));
  // The sound of an artist is that of a reference, which is read elsewhere.
  const sounds = soundsOf(db, ownerId, found);
  const soundOf = (seq: number) => {
    const whole = sounds.get(seq);
    return whole && part?.seq === seq ? soundOfPart(whole, part.target) : whole;
  };
  const vectors = (some: readonly number[]) => some.flatMap((seq) => soundOf(seq) ?? []);
  const centre = asked.length === 0 ? centreOf(vectors(ofTracks)) : undefined;
  const rowOf = new Map(rows.map((row) => [row.seq, row]));
  const idsOf = (some: readonly number[]) => some.flatMap((seq) => rowOf.get(seq)?.id ?? []);
  const titles = asked.flatMap(({ seq }) => rowOf.get(seq) ?? []).map(titleOf);
  const [only, ...more] = asked.map(({ seq }) => seq);
  const isPart = more.length === 0 && only === part?.seq;
  return {
    asked,
    seqs,
    named: seeds.map(({ kind, name, trackSeqs }) => ({ kind, name, ids: idsOf(trackSeqs) })),
    records,
    targets: centre ? [centre] : vectors([...asked.map(({ seq }) => seq), ...ofTracks]),
    soundName:
      only === undefined ? joined(seeds.filter(({ kind }) => kind === "track")) : isPart ? PART : undefined,
    origin: originOf(records, [...seeds.map(({ name }) => name), ...titles]),
  };
}

function joined(seeds: Interpretation["seeds"]): string | undefined {
  return seeds.length === 0 ? undefined : seeds.map(({ name }) => name).join(" and ");
}

/** Returns what the moves of a brief compare with: the mean of sounds, and what they are called. */
export function originOf(records: readonly (Measured & { key: number })[], names: readonly string[]): Origin {
  const mean = (field: keyof Measured): number | null => {
    const values = records.map((record) => record[field]).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const all = names.length > MOST_NAMES ? "the seed tracks" : names.join(" and ");
  const values = MEASURES.map(({ name, field }) => [name, mean(field)]);
  const witnesses = WITNESS_FIELDS.map((field) => [field, mean(field)]);
  return {
    name: records.length === 1 ? (names[0] ?? all) : `the average of ${all}`,
    // `Object.fromEntries` loses the type of the keys.
    values: Object.fromEntries(values) as Origin["values"],
    witnesses: Object.fromEntries(witnesses) as Origin["witnesses"],
    keys: keysOf(records),
  };
}

function keysOf(records: readonly { key: number }[]): MusicalKey[] {
  return [...new Set(records.map(({ key }) => key))].flatMap((code) => keyOfCode(code) ?? []);
}
