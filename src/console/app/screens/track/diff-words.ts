import { tenths } from "../../ui/numbers.ts";
import { tempo } from "./names.ts";

type Change = { version: number | null; against: number | null; change: number | null };
type Band = { centreHz: number; changeDb: number | null; matchedDb: number | null };

/** What `GET …/versions/{versionId}/diff` says. */
export type Diff = {
  similarity: number | null;
  offsetMs: number | null;
  durationSec: Change;
  integratedLufs: Change;
  rangeLu: Change;
  truePeakDbtp: Change;
  bpm: Change;
  key: { version: string | null; against: string | null; isChanged: boolean };
  balance: readonly Band[];
};

/** Smaller differences are not heard, or are within what a measurement is good for. */
const HEARD_LU = 0.3;
const HEARD_DB = 0.7;
const HEARD_RANGE_LU = 1;
const HEARD_PEAK_DB = 0.3;
const HEARD_OFFSET_SEC = 0.005;
const HEARD_LENGTH_SEC = 0.05;
const HEARD_BPM = 0.2;
const OTHER_RECORDING = 0.3;

/** Says in words what one version has become, seen from the other. */
export function changesOf(diff: Diff): string[] {
  const { similarity, offsetMs } = diff;
  if (similarity !== null && offsetMs === null && similarity < OTHER_RECORDING)
    return ["A different recording: the two cannot be lined up", ...loudnessOf(diff), ...lengthOf(diff)];
  const changes = [
    ...loudnessOf(diff),
    ...balanceOf(diff.balance),
    ...dynamicsOf(diff),
    ...startOf(offsetMs),
    ...lengthOf(diff),
    ...musicOf(diff),
  ];
  return changes.length > 0 ? changes : ["No audible change"];
}

function loudnessOf({ integratedLufs: { change } }: Diff): string[] {
  if (change === null) return [];
  if (Math.abs(change) < HEARD_LU) return ["As loud as before"];
  return [`${tenths(Math.abs(change))} dB ${change > 0 ? "louder" : "softer"}`];
}

/** Joins neighbouring octaves that changed alike: "brighter above 6 kHz" says more than three numbers. */
function balanceOf(balance: readonly Band[]): string[] {
  const runs: Band[][] = [];
  const known = balance.filter(({ matchedDb }) => matchedDb !== null);
  for (const band of known) {
    const last = runs.at(-1);
    if (Math.abs(band.matchedDb ?? 0) < HEARD_DB) runs.push([]);
    else if (last?.at(-1) && Math.sign(last.at(-1)?.matchedDb ?? 0) === Math.sign(band.matchedDb ?? 0))
      last.push(band);
    else runs.push([band]);
  }
  const [lowest, highest] = [known[0], known.at(-1)];
  return runs.filter((run) => run.length > 0).map((run) => runWords(run, lowest, highest));
}

function runWords(run: readonly Band[], lowest: Band | undefined, highest: Band | undefined): string {
  const [first, last] = [run[0] as Band, run.at(-1) as Band];
  const strongest = tenths(Math.max(...run.map(({ matchedDb }) => Math.abs(matchedDb ?? 0))));
  const isMore = (first.matchedDb ?? 0) > 0;
  const more = isMore ? "more" : "less";
  if (run.length === 1) return `${strongest} dB ${more} at ${hertz(first.centreHz)}, once matched`;
  const where = placeOf(isMore, [first, last], [first === lowest, last === highest]);
  return `${where}, by up to ${strongest} dB`;
}

function placeOf(isMore: boolean, [first, last]: [Band, Band], [isLow, isHigh]: [boolean, boolean]): string {
  const [from, to] = [hertz(first.centreHz / Math.SQRT2), hertz(last.centreHz * Math.SQRT2)];
  if (isHigh && !isLow) return `${isMore ? "Brighter" : "Darker"} above ${from}`;
  if (isLow && !isHigh) return `${isMore ? "More" : "Less"} bass below ${to}`;
  return `${isMore ? "More" : "Less"} from ${from} to ${to}`;
}

function hertz(value: number): string {
  if (value < 1000) return `${Math.round(value / 10) * 10 || Math.round(value)} Hz`;
  return `${Math.round(value / 100) / 10} kHz`.replace(".0 ", " ");
}

function dynamicsOf({ rangeLu, truePeakDbtp }: Diff): string[] {
  const said: string[] = [];
  if (rangeLu.change !== null && Math.abs(rangeLu.change) >= HEARD_RANGE_LU)
    said.push(`${rangeLu.change > 0 ? "More" : "Less"} dynamic: ${tenths(rangeLu.version ?? 0)} LU of range`);
  if (truePeakDbtp.change !== null && Math.abs(truePeakDbtp.change) >= HEARD_PEAK_DB)
    said.push(
      `Peaks ${truePeakDbtp.change > 0 ? "higher" : "lower"}, at ${tenths(truePeakDbtp.version ?? 0)} dBTP`,
    );
  return said;
}

function startOf(offsetMs: number | null): string[] {
  const sec = (offsetMs ?? 0) / 1000;
  if (Math.abs(sec) < HEARD_OFFSET_SEC) return [];
  return [sec < 0 ? `${seconds(-sec)} cut from the start` : `Begins ${seconds(sec)} later`];
}

function lengthOf({ durationSec: { change } }: Diff): string[] {
  if (change === null || Math.abs(change) < HEARD_LENGTH_SEC) return [];
  return [`${seconds(Math.abs(change))} ${change > 0 ? "longer" : "shorter"}`];
}

function musicOf({ bpm, key }: Diff): string[] {
  const isFaster = bpm.change !== null && Math.abs(bpm.change) >= HEARD_BPM;
  const tempoWords = isFaster ? `${tempo(bpm.version ?? 0)}, was ${tempo(bpm.against ?? 0)}` : undefined;
  const keyWords = key.isChanged
    ? `${key.version ?? "No key"}, was ${key.against ?? "without a key"}`
    : undefined;
  if (!tempoWords && !keyWords) return ["Tempo and key unchanged"];
  return [tempoWords ?? "Tempo unchanged", keyWords ?? "Key unchanged"];
}

const seconds = (sec: number) => (sec < 1 ? `${sec.toFixed(2)} s` : `${tenths(sec)} s`);
