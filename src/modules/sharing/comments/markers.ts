import type { LibraryId } from "../../../../db/schema.ts";
import { type OwnerActor, requireNeed, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { oneLine } from "../../../kernel/display-name.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { FileSource } from "../../../kernel/file-source.ts";
import type { MarkerFormat } from "../../../kernel/marker-formats.ts";
import { fileStem, withoutExtension } from "../../../kernel/safe-names.ts";
import {
  audacityList,
  auditionList,
  type NotedMarker,
  noteTable,
  reaperList,
  scriptList,
  type TableNote,
} from "../../../media/markers/lists.ts";
import { markerName } from "../../../media/markers/marker.ts";
import { midiMarkers } from "../../../media/markers/midi.ts";
import { markedWav } from "../../../media/markers/wav.ts";
import { MediaError } from "../../../media/media-error.ts";
import { withSource } from "../../../media/view/file-window.ts";
import type { Piece } from "../../../media/view/piece.ts";
import { getOwnedTrack, type OwnedTrack, type VersionRow } from "../../library/catalog/service.ts";
import { originalFile } from "../../library/files/service.ts";
import { findTempo, listNotesIn, listSections, type SectionRow } from "./marker-queries.ts";
import { MAX_MARKERS, type MarkersQuery } from "./marker-shapes.ts";
import { lengthOf, versionOf } from "./places.ts";
import { type Comment, statesIn } from "./shapes.ts";
import { toComments } from "./shown.ts";

type MarkerDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

type Written =
  | { body: string | Uint8Array<ArrayBuffer> }
  /** Put together from parts of `source`. */
  | { source: FileSource; pieces: readonly Piece[] };

/** A file with notes. */
export type MarkerFile = { filename: string; mediaType: string } & Written;

/** What the file of each form is called and what it is. */
const FILES: Readonly<Record<MarkerFormat, { ending: string; extension: string; mediaType: string }>> = {
  reaper: { ending: " - notes for REAPER", extension: "csv", mediaType: "text/csv;charset=utf-8" },
  audacity: { ending: " - notes for Audacity", extension: "txt", mediaType: "text/plain;charset=utf-8" },
  audition: { ending: " - notes for Audition", extension: "csv", mediaType: "text/csv;charset=utf-8" },
  midi: { ending: " - notes", extension: "mid", mediaType: "audio/midi" },
  wav: { ending: " - notes", extension: "wav", mediaType: "audio/wav" },
  csv: { ending: " - notes", extension: "csv", mediaType: "text/csv;charset=utf-8" },
  tsv: { ending: " - notes", extension: "tsv", mediaType: "text/tab-separated-values;charset=utf-8" },
};

const USUAL_BPM = 120;
const UTF8 = new TextEncoder();
/** Without it Excel takes a table for one in the letters of the system. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Returns the notes on a track that have a place in one of its versions, as a file. A WAV is a copy of the original, for those
 * who may have it.
 *
 * @throws DomainError `track_not_found`, `version_not_found`; for WAV also `insufficient_scope`, `unsupported_format`,
 *   `file_missing`, `storage_unavailable`.
 */
export async function exportMarkers(
  deps: MarkerDeps,
  actor: OwnerActor | SessionActor,
  { trackId, versionId }: { trackId: string; versionId: string },
  query: MarkersQuery,
): Promise<MarkerFile> {
  const track = getOwnedTrack(deps.db, actor.accountId, trackId);
  const version = versionOf(deps.db, track, versionId);
  if (query.format === "wav") requireNeed(actor, "download:originals");
  const { notes, isCut } = notesIn(deps, actor.accountId, { track, version }, query);
  const { ending, extension, mediaType } = FILES[query.format];
  const cut = isCut ? `-first-${MAX_MARKERS}` : "";
  const filename = `${fileStem(withoutExtension(version.name))}${ending}${cut}.${extension}`;
  return { filename, mediaType, ...(await writtenAs(deps, notes, version, query)) };
}

/** Returns notes in the order of their places, and whether some were left out. */
function notesIn(
  deps: MarkerDeps,
  accountId: LibraryId,
  { track, version }: { track: OwnedTrack; version: VersionRow },
  { state, format }: MarkersQuery,
): { notes: Comment[]; isCut: boolean } {
  const states = statesIn(state);
  const rows = listNotesIn(deps.db, { version, states, hasWhole: format === "csv" }, MAX_MARKERS + 1);
  const placedIn = { versionId: version.id, lengthSec: lengthOf(deps.db, track, version) };
  const notes = toComments(deps, accountId, rows.slice(0, MAX_MARKERS), placedIn);
  const at = ({ place }: Comment) => place?.positionSec ?? -1;
  return { notes: notes.sort((one, two) => at(one) - at(two)), isCut: rows.length > MAX_MARKERS };
}

async function writtenAs(
  deps: MarkerDeps,
  notes: readonly Comment[],
  version: VersionRow,
  { format, bpm, sections }: MarkersQuery,
): Promise<Written> {
  if (format === "csv") return { body: UTF8.encode(BYTE_ORDER_MARK + noteTable(notes.map(toTableNote))) };
  const found = sections ? listSections(deps.db, version.id).map(toSectionMarker) : [];
  const markers = [...found, ...notes.flatMap((note, index) => toMarker(note, found.length + index + 1))];
  if (format === "wav") return markedCopy(deps, version, markers);
  if (format === "midi")
    return { body: midiMarkers(markers, bpm ?? findTempo(deps.db, version.id) ?? USUAL_BPM) };
  return { body: LISTS[format](markers) };
}

const LISTS = { reaper: reaperList, audacity: audacityList, audition: auditionList, tsv: scriptList };

/** Empty for a note on the whole track. */
function toMarker({ id, author, text, place }: Comment, number: number): NotedMarker[] {
  if (!place || place.positionSec === null) return [];
  const whole = oneLine(`${author.name}: ${text}`);
  return [
    {
      id,
      number,
      atSec: place.positionSec,
      endSec: place.endSec,
      name: markerName(whole),
      text: place.how === "about" ? `${whole} (about here)` : whole,
    },
  ];
}

/** Sections are called what they seem to be: `Verse-like`. */
function toSectionMarker({ kind, startSec: atSec, endSec }: SectionRow, index: number): NotedMarker {
  const name = kind === "other" ? "Section" : `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
  return { id: `section-${index + 1}`, number: index + 1, atSec, endSec, name, text: name };
}

const toTableNote = (note: Comment): TableNote => ({
  version: oneLine(note.versionLabel ?? ""),
  atSec: note.place?.positionSec ?? null,
  endSec: note.place?.endSec ?? null,
  isAbout: note.place?.how === "about",
  author: oneLine(note.author.name),
  state: note.answeredAt === null ? "open" : "answered",
  text: oneLine(note.text),
  replies: note.replyCount,
});

async function markedCopy(
  deps: MarkerDeps,
  version: VersionRow,
  markers: readonly NotedMarker[],
): Promise<Written> {
  if (version.mediaType !== "audio/wav")
    throw new DomainError("unsupported_format", "Only WAV files can carry cue points; choose another format");
  const { source, sizeBytes } = originalFile(deps, version);
  try {
    const pieces = await withSource(source, sizeBytes, (file) => markedWav(file, markers));
    return { source, pieces };
  } catch (error) {
    if (error instanceof MediaError) throw cannotCarry(error);
    throw error;
  }
}

const cannotCarry = (error: MediaError) =>
  new DomainError(
    "unsupported_format",
    "This WAV file is damaged or of a rare kind, and cannot carry cue points; choose another format",
    { cause: error },
  );
