import type { Deps } from "../../../../kernel/deps.ts";
import { pageRootOf } from "../../../../pages/paths.ts";
import type { EarlierVersion, PlayerAnswers, ReviewedNote } from "../../../../pages/player/model.ts";
import { isBeingPrepared, listPlayable } from "../../../library/renditions/service.ts";
import { labelOf, listLinkRound, type ThreadNote } from "../../comments/service.ts";
import { MARKED_SOURCES } from "../../marks/service.ts";
import { proofOf } from "../access/proofs.ts";
import { type ComparedRow, opensTrack, selectCompared } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import { listenQuery } from "./media.ts";
import { fitting } from "./page-budget.ts";
import type { MusicSource } from "./player-data.ts";
import { sourcesOf } from "./sources.ts";
import { noteBytes, type PageParts, pageHref, toPlayerNotes } from "./thread-views.ts";

/** How many notes a page asks about, or fewer long ones; the others are among its comments. */
const MAX_NOTES = 50;
const MAX_NOTES_BYTES = 100_000;
/** The most bytes of what is asked about a note, with the version that it is about. */
const ASKING_BYTES = 4000;
/** How long before a note it is heard, and how long after a moment. */
const BEFORE_SEC = 2;
const AFTER_SEC = 6;

type Parts = Pick<PageParts, "after"> & Partial<Pick<PageParts, "right">>;

/**
 * Returns the notes of a link on earlier versions, with what is said of them. They are the same on each part of a list.
 *
 * @param parts What the page shows of its lists.
 */
export function answersOf(deps: Deps, share: ShareRow, source: MusicSource, parts: Parts): PlayerAnswers {
  const round = roundOf(deps, share);
  const some = round.slice(0, MAX_NOTES);
  const ids = some.flatMap(({ versionId, playing }) => [versionId ?? [], playing.versionId].flat());
  const compared = new Map(selectCompared(deps.db, ids).map((row) => [row.versionId, row]));
  const notes = toReviewed(deps, share, source, { round: some, parts, compared });
  const shown = fitting(notes, MAX_NOTES_BYTES, (note) => noteBytes(note) + ASKING_BYTES);
  const earlier = [...new Set(shown.flatMap(({ old }) => old?.versionId ?? []))];
  return {
    answers: wordsOf(share, round),
    notes: shown,
    earlier: earlier.flatMap((id) => {
      const row = compared.get(id);
      return row ? toEarlier(deps, share, source, row) : [];
    }),
  };
}

/** The notes on earlier versions about which a link is asked. */
function roundOf(deps: Deps, share: ShareRow): ThreadNote[] {
  const round = listLinkRound(deps, share);
  const opened = new Map<string, boolean>();
  return round.filter(({ trackId }) => {
    const isOpened = opened.get(trackId) ?? opensTrack(deps.db, share, trackId);
    opened.set(trackId, isOpened);
    return isOpened;
  });
}

/** `v8 answers 5 of your 7 notes.`; undefined without notes. */
function wordsOf({ entity }: ShareRow, round: readonly ThreadNote[]): string | undefined {
  const [first] = round;
  if (!first) return undefined;
  const total = round.length;
  const answered = round.filter(({ isAnswered }) => isAnswered).length;
  const who = entity === "track" ? `${first.playing.label} answers` : "The new versions answer";
  if (answered > 0) return total === 1 ? `${who} your note.` : `${who} ${answered} of your ${total} notes.`;
  return total === 1
    ? "Your note on an earlier version is still open."
    : `Your ${total} notes on earlier versions are still open.`;
}

type Compared = ReadonlyMap<string, ComparedRow>;

function toReviewed(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  { round, parts, compared }: { round: readonly ThreadNote[]; parts: Parts; compared: Compared },
): ReviewedNote[] {
  const items = toPlayerNotes(deps, share, source, { notes: round, ...parts });
  return round.flatMap((note, index) => {
    const [item, now] = [items[index], compared.get(note.playing.versionId)];
    if (!item || !now) return [];
    const old = compared.get(note.versionId ?? "");
    return {
      ...item,
      action: `${pageHref(deps, source, {})}/comments/${note.id}/answered`,
      proof: proofOf(deps, share, "review", now.versionId),
      nowVersionId: now.versionId,
      ...heardIn(deps, share, source, { note, old, now }),
    };
  });
}

type Pair = { note: ThreadNote; old: ComparedRow | undefined; now: ComparedRow };

/** Returns where a note's passage is heard in both versions. */
function heardIn(
  deps: Deps,
  share: ShareRow,
  { pagePath, prove }: MusicSource,
  { note, old, now }: Pair,
): Pick<ReviewedNote, "old" | "whyNot" | "now" | "seconds"> {
  const { positionSec, endSec, place, versionLabel } = note;
  const seconds = BEFORE_SEC + (endSec === null ? AFTER_SEC : endSec - (positionSec ?? 0));
  const path = `${pageRootOf(deps.settings)}${pagePath}/listen`;
  const passage = (atSec: number, gainDb: number, address: string) => {
    const fromSec = Math.max(0, Math.round(10 * (atSec - BEFORE_SEC)) / 10);
    return {
      fromSec,
      gainDb,
      plainPath: `${path}/${address}&plain#t=${fromSec},${Math.ceil(fromSec + seconds)}`,
    };
  };
  const isReady = old && (share.isMarked || !isBeingPrepared(deps, old));
  const name = versionLabel ?? "That version";
  const at = place === undefined ? (positionSec ?? 0) : place.positionSec;
  return {
    seconds,
    old: isReady
      ? {
          versionId: old.versionId,
          ...passage(
            positionSec ?? 0,
            softer(old, now),
            `${old.versionId}?${listenQuery(deps, share, "compare", old.versionId)}`,
          ),
        }
      : undefined,
    whyNot: isReady ? undefined : whyNot(name, old),
    now:
      at === null
        ? undefined
        : passage(at, softer(now, old), `${now.versionId}?${prove("listen", now.versionId)}`),
  };
}

const whyNot = (name: string, old: ComparedRow | undefined) =>
  old ? `${name} is still being prepared for listening.` : `${name} was deleted.`;

/** Returns the gain in dB that makes a version as loud as another one, if that is softer. */
function softer(own: ComparedRow, other: ComparedRow | undefined): number {
  const [from, to] = [own.integratedLufs, other?.integratedLufs ?? null];
  return from === null || to === null ? 0 : Math.round(10 * Math.min(0, to - from)) / 10;
}

function toEarlier(deps: Deps, share: ShareRow, { pagePath }: MusicSource, row: ComparedRow): EarlierVersion {
  const { versionId, durationSec } = row;
  const root = pageRootOf(deps.settings) + pagePath;
  const address = `${versionId}?${listenQuery(deps, share, "compare", versionId)}`;
  return {
    versionId,
    label: labelOf(row),
    sources: sourcesOf(
      `${root}/listen/${address}`,
      share.isMarked ? MARKED_SOURCES : listPlayable(deps, row),
    ),
    waveformPath: `${root}/waveform/${address}`,
    durationSec,
  };
}
