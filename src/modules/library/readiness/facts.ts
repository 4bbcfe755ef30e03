import { SERVICES } from "../../../../db/readiness.ts";
import type { SoundFaults } from "../../../audio/analyzer.ts";
import { toGtin, toIsrc } from "../../../kernel/identifiers.ts";
import type { MeasuredPicture } from "../artwork/service.ts";
import type { CreditedComposer } from "../composers/service.ts";
import type { TrackRights } from "../rights/shapes.ts";
import type { Facts, Parts } from "./judge.ts";
import type { TrackRow } from "./queries.ts";
import type { MeasuredFaults } from "./store.ts";
import { titleFaultOf } from "./title-style.ts";
import { plain, signed } from "./words.ts";

/** Returns what is known of the sound of a track's active version, beside what the checks of the sound found. */
export function soundFacts(row: TrackRow): Facts {
  // Written by this program from what it measured, or checked when it came from another server.
  const faults: MeasuredFaults | undefined = row.measured === null ? undefined : JSON.parse(row.measured);
  const checked = faults && checkedFacts(faults, row.lossless === 1 ? row.bitDepth : null);
  return {
    truePeakDbtp: row.truePeakDbtp ?? undefined,
    integratedLufs: row.integratedLufs ?? undefined,
    ...gainsOf(row.integratedLufs),
    ...checked,
    // A file that cannot be read has a finding of its own.
    isChecked: checked !== undefined || row.analysisStatus === "failed",
    startSec: 0,
    endSec: row.durationSec ?? undefined,
  };
}

/** Returns by how much services change the level of music as loud as this. */
export function gainsOf(lufs: number | null): Facts {
  if (lufs === null) return {};
  const gains = SERVICES.map(({ name, lufs: reference, turnsUp }) => ({
    name,
    gainDb: turnsUp ? reference - lufs : Math.min(0, reference - lufs),
  })).filter(({ gainDb }) => Math.abs(gainDb) >= 0.05);
  const byGain = Map.groupBy(gains, ({ gainDb }) => signed(gainDb, 1));
  return {
    largestGainDb: Math.max(0, ...gains.map(({ gainDb }) => Math.abs(gainDb))),
    gains: [...byGain]
      .map(([gain, services]) => `${services.map(({ name }) => name).join(", ")} ${gain} dB`)
      .join("; "),
  };
}

/** Containers that tags are written into (`src/media/retag`). */
const TAGGABLE: ReadonlySet<string> = new Set(["wav", "aiff", "flac", "mp3", "ogg", "mp4"]);
const CD_RATE_HZ = 44_100;

/** Returns what is known of the file of a track's active version. */
export function fileFacts(row: TrackRow): Facts {
  return {
    failure: row.analysisStatus === "failed" ? (row.analysisReason ?? "unknown format") : null,
    untaggable: TAGGABLE.has(row.container) ? null : row.container.toUpperCase(),
    ...(row.durationSec !== null && formFacts(row)),
  };
}

function formFacts(row: TrackRow): Facts {
  const { codec, lossless, sampleRateHz, channels } = row;
  // What lossy coders call a depth is none.
  const bitDepth = lossless === 1 ? row.bitDepth : null;
  return {
    isCutShort: row.truncated === 1,
    codec: codec ?? undefined,
    isLossless: lossless === null ? undefined : lossless === 1,
    sampleRateHz: sampleRateHz ?? undefined,
    channels: channels ?? undefined,
    bitDepth: bitDepth ?? undefined,
    cdForm: sampleRateHz === null ? undefined : formOf(sampleRateHz, bitDepth),
  };
}

function formOf(sampleRateHz: number, bitDepth: number | null): string {
  const rate = `${plain(sampleRateHz / 1000)} kHz`;
  if (bitDepth === null) return sampleRateHz === CD_RATE_HZ ? `${rate}, no 16 bits` : rate;
  return `${rate}, ${bitDepth} bits`;
}

/** Returns a text, or null where nothing is in it. */
const present = (text: string | null | undefined): string | null => text?.trim() || null;

/** Returns what is known of what is said about a track. */
export function metadataFacts(row: TrackRow, twin: { title: string } | undefined): Facts {
  const isrc = present(row.isrc);
  const title = present(row.title);
  return {
    title,
    titleFault: title === null ? null : titleFaultOf(title),
    artist: present(row.artist),
    genre: row.hasGenre === 1 ? "tagged" : present(row.trackGenre),
    isrc,
    badIsrc: isrc !== null && toIsrc(isrc) === undefined ? isrc : null,
    isrcAlsoOf: twin?.title ?? null,
  };
}

/** Returns where the file's own tags say something else. */
export function tagParts(row: TrackRow): Facts[] {
  // Written by the analysis, which checked each tag.
  const inFile: { title?: string; artist?: string; isrc?: string } = JSON.parse(row.embedded ?? "{}");
  return (["title", "artist", "isrc"] as const).flatMap((field) => {
    const there = present(inFile[field]);
    const here = present(row[field]);
    if (there === null || here === null) return [];
    const same = field === "isrc" ? compact(there) === compact(here) : isSame(there, here);
    return same ? [] : [{ field: field === "isrc" ? "ISRC" : field, inFile: there, fix: field }];
  });
}

const compact = (isrc: string) => isrc.toUpperCase().replace(/[\s-]/g, "");
const isSame = (one: string, other: string) => folded(one) === folded(other);
const folded = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** An edit of half a minute may be a second longer or shorter. */
const isHalfMinute = (editSec: number | null) => editSec !== null && Math.abs(editSec - 30) <= 1;

/** Returns what a song's set lacks. Only its main mix is asked, and a song without words needs no instrumental. */
export function gapParts(row: TrackRow, set: readonly { kind: string; editSec: number | null }[]): Facts[] {
  if (row.madeFrom !== null) return [];
  const hasInstrumental = row.isInstrumental === 1 || set.some(({ kind }) => kind === "instrumental");
  return [
    ...(hasInstrumental ? [] : [{ lacks: "instrumental" }]),
    ...(set.some(({ editSec }) => isHalfMinute(editSec)) ? [] : [{ lacks: "30 s edit" }]),
  ];
}

/** Returns what is known of what registrations and deliveries say of a track, as far as everybody sees it. */
export function statedFacts({ explicit, pLine, cLine }: TrackRights): Facts {
  return { explicit, pLine: present(pLine), cLine: present(cLine) };
}

/** Returns what is known of who has which share of a track. */
export function rightsFacts(credits: readonly CreditedComposer[], rights: TrackRights): Facts {
  return {
    badIswc: rights.problems.includes("bad_iswc") ? rights.iswc : null,
    aiUses: rights.aiUse.length,
    writers: credits.length,
    sharesPercent: credits.length === 0 ? undefined : credits.reduce((sum, { share }) => sum + share, 0),
  };
}

/** Returns what is known of each person with a share of a track. */
export function writerParts(credits: readonly CreditedComposer[]): NonNullable<Parts["writers"]> {
  const byId = new Map(credits.map((credit) => [credit.id, credit]));
  return [...byId.values()].map(({ id, name, ipi, isni, pro, problems }) => ({
    composerId: id,
    name,
    ipi,
    badIpi: problems.includes("bad_ipi") ? ipi : null,
    badIsni: problems.includes("bad_isni") ? isni : null,
    pro,
  }));
}

function coverFacts({ widthPx, heightPx, isWhole, isCmyk, isTransparent }: MeasuredPicture): Facts {
  const sidePx = Math.min(widthPx, heightPx);
  return {
    coverSize: `${widthPx} x ${heightPx}`,
    coverOffSquarePx: Math.abs(widthPx - heightPx),
    coverSidePx: isWhole ? sidePx : undefined,
    // How large it was is not known. This is what would go out.
    coverKeptSidePx: isWhole ? undefined : sidePx,
    coverIsCmyk: isCmyk,
    coverIsTransparent: isTransparent,
  };
}

/** What is said of a release: by its album or, where there is none, by the track that stands for itself. */
type Release = {
  cover: string | null;
  picture: MeasuredPicture | undefined;
  upc: string | null;
  releaseDate: string | null;
};

/** Returns what is known of a release. */
export function releaseFacts({ cover, picture, upc, releaseDate }: Release): Facts {
  const code = present(upc);
  return {
    hasCover: cover !== null,
    ...(picture && coverFacts(picture)),
    upc: code,
    badUpc: code !== null && toGtin(code) === undefined ? code : null,
    releaseDate: present(releaseDate),
  };
}

/** Returns what is known of tracks together. */
export function listFacts(rows: readonly TrackRow[]): Facts {
  const rates = distinct(rows.map(({ sampleRateHz }) => sampleRateHz));
  const depths = distinct(rows.map(({ bitDepth, lossless }) => (lossless === 1 ? bitDepth : null)));
  const lufs = rows.flatMap(({ integratedLufs }) => integratedLufs ?? []);
  return {
    sampleRates: rates.length,
    sampleRatesSaid: rates.map((hz) => `${plain(hz / 1000)} kHz`).join(", "),
    bitDepths: depths.length,
    bitDepthsSaid: depths.map((bits) => `${bits} bits`).join(", "),
    loudnessSpreadDb: lufs.length < 2 ? undefined : Math.max(...lufs) - Math.min(...lufs),
  };
}

const distinct = (values: readonly (number | null)[]): number[] =>
  [...new Set(values.filter((value) => value !== null))].sort((one, other) => one - other);

/** Returns what the checks of the sound found, as the rules name it. */
export function checkedFacts(
  faults: SoundFaults & { truePeakAtSec?: number },
  bitDepth: number | null,
): Facts {
  const { balanceDb, usedBits, ...rest } = faults;
  return {
    ...withoutNulls(rest),
    balanceDb: balanceDb === null ? undefined : Math.abs(balanceDb),
    // What was measured at 24 bits says the same of longer samples that are not whole there: nothing.
    emptyBits: usedBits === null || bitDepth === null ? undefined : Math.max(0, bitDepth - usedBits),
  };
}

const withoutNulls = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
