import { transact } from "../../../../db/client.ts";
import { findSign } from "../families/service.ts";
import { MAX_STEMS } from "../families/shapes.ts";
import { type Ask, type RelateDeps, withFiles } from "./ask.ts";
import { keepOrAsk, namedPart } from "./decide.ts";
import { isCalled } from "./judge.ts";
import type { Namesake } from "./names.ts";
import type { KinTrack } from "./queries.ts";
import { KINSHIP_RULES, type Summed } from "./task.ts";

/** The most that may be left of a mix when all its stems are taken from it: a limiter on the master leaves more than none. */
const MAX_SUM_DB = -20;
/** Stems begin together and end together, but for what rings on. */
const SAME_LENGTH_SEC = 2;
const MIN_STEMS = 2;

type Summing = {
  own: Namesake;
  namesakes: readonly Namesake[];
  isNew: boolean;
  ask: Ask;
  signal: AbortSignal;
};

/**
 * Takes the sum of what is called a stem of a song from its mix. When hardly anything is left, all of them are its stems. Does nothing
 * when that is known, or there is no mix.
 */
export async function sumStems(
  deps: RelateDeps,
  { own, namesakes, isNew, ask, signal }: Summing,
): Promise<void> {
  const all = [own, ...namesakes];
  const mix = mixAmong(all);
  if (!mix) return;
  const stems = all.filter((each) => isStemOf(each, mix)).slice(0, MAX_STEMS);
  const isKnown = stems.every(({ track }) => findSign(deps.db, track.id, mix.id)?.soundKind === "stem");
  if (stems.length < MIN_STEMS || isKnown) return;
  const files = [mix, ...stems.map(({ track }) => track)];
  const sum = await withFiles(
    deps,
    files,
    ([first, ...others]) =>
      first ? ask<Summed>({ kind: "sum", mix: first, stems: others }) : Promise.resolve(undefined),
    signal,
  );
  if (!sum || sum.residualDb > MAX_SUM_DB) return;
  const at = deps.now();
  transact(deps.db, (tx) => {
    for (const { track, reading } of stems) {
      const place = isCalled(reading);
      if (!place) continue;
      const sound = {
        soundKind: "stem",
        soundEditSec: null,
        offsetMs: 0,
        residualDb: sum.residualDb,
      } as const;
      const unknown = { bitErrorRate: null, overlap: null, residualVoice: null };
      const pair = { askedId: track.id, ofId: mix.id, rules: KINSHIP_RULES, at };
      keepOrAsk(tx, { sign: { ...pair, ...namedPart(place), ...sound, ...unknown }, place, isSure: isNew });
    }
  });
}

/** Returns the mix of a song: the main mix of a set, else the only one that is called nothing else. */
function mixAmong(all: readonly Namesake[]): KinTrack | undefined {
  const main = all.find(({ track }) => track.familyId !== null && track.mainTrackId === track.id);
  const plain = all.filter(({ reading: { kind, isEdit } }) => !isEdit && (kind === null || kind === "main"));
  return (main ?? (plain.length === 1 ? plain[0] : undefined))?.track;
}

function isStemOf({ track, reading }: Namesake, mix: KinTrack): boolean {
  if (track.id === mix.id || reading.kind !== "stem" || reading.isEdit) return false;
  return Math.abs((track.durationSec ?? 0) - (mix.durationSec ?? 0)) <= SAME_LENGTH_SEC;
}
