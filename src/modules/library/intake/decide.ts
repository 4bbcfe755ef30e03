import type { Db } from "../../../../db/client.ts";
import { findOwnedTrack } from "../catalog/service.ts";
import type { Described } from "../tracks/service.ts";
import {
  artistKey,
  findNamesakes,
  foldersOf,
  type PathReading,
  readPath,
  type TrackNames,
  titleIn,
} from "../uploads/service.ts";
import type { IntakeRow } from "./queries.ts";
import * as queries from "./queries.ts";

/** A file of a folder that is to be taken in. */
export type Offer = Pick<
  IntakeRow,
  "accountId" | "kind" | "source" | "path" | "sizeBytes" | "modifiedAt" | "inode" | "sha256"
> & {
  /** The track whose version it becomes; left out: its name says. */
  trackId?: string | undefined;
  /** The version's label; left out: its name says. */
  label?: string | undefined;
  /** What the file says about itself; left out: it was not read. */
  tags?: Described["tags"] | undefined;
};

/** What a file with new bytes becomes: a version of a track, or a track. */
export type Decision = { trackId?: string; label: string | null; title?: string; reason?: string };

/** Decides whose version a file is: of the named track, of the one that its path made before, or of its namesake. */
export function decide(db: Db, offer: Offer): Decision {
  const { accountId, path } = offer;
  const { tracks, reading } = findNamesakes(db, accountId, path);
  const label = offer.label ?? (reading.label || null);
  if (offer.trackId !== undefined) return { trackId: offer.trackId, label };
  const before = queries.findByPath(db, offer);
  if (before && before.undoneAt === null && findOwnedTrack(db, accountId, before.trackId))
    return { trackId: before.trackId, label };
  if (reading.isFolders && holdsOtherSongs(db, offer, reading.song)) return { label };
  return { label, ...amongNamesakes(db, offer, tracks, reading) };
}

function amongNamesakes(
  db: Db,
  offer: Offer,
  tracks: readonly TrackNames[],
  reading: PathReading,
): Omit<Decision, "label"> {
  const [only, another] = namesakesNear(db, offer, tracks, reading);
  if (only && !another) return { trackId: only.id };
  const reason = another ? "ambiguous" : tracks.length > 0 ? "another folder" : undefined;
  return { ...titleOf(reading), ...(reason && { reason }) };
}

/** A new track has its song's title, where the name says more than that. */
const titleOf = ({ song, isPlain }: PathReading) => (isPlain && song !== "" ? { title: titleIn(song) } : {});

/** True for a folder with songs that are called otherwise: a file that is only called `Demo` is no version of its name. */
function holdsOtherSongs(db: Db, { accountId, source, path }: Offer, folder: string): boolean {
  const parent = path.replace(/[^/\\]*$/, "");
  const paths = queries.selectPathsUnder(db, { accountId, source, folder: parent, limit: MAX_NEIGHBOURS });
  return paths.some((each) => {
    const [{ song, isFolders }] = readPath(each);
    return !isFolders && song !== "" && artistKey(song) !== artistKey(folder);
  });
}

/** So many files of a folder are looked at. */
const MAX_NEIGHBOURS = 200;

/**
 * Returns the tracks that a name may mean. In another folder, the same name without a mark is another piece: every record may
 * have its `Intro`. Of several tracks, those of the own folder count.
 */
function namesakesNear(
  db: Db,
  { accountId, source, path }: Offer,
  tracks: readonly TrackNames[],
  { label }: PathReading,
): TrackNames[] {
  const own = folderKey(path);
  const paths = new Map(tracks.map(({ id }) => [id, queries.selectPathsOf(db, id, accountId, source)]));
  const isHere = ({ id }: TrackNames) => paths.get(id)?.some((each) => folderKey(each) === own) ?? false;
  const isElsewhere = (track: TrackNames) => (paths.get(track.id)?.length ?? 0) > 0 && !isHere(track);
  const possible = label === "" ? tracks.filter((track) => !isElsewhere(track)) : tracks;
  const here = possible.filter(isHere);
  return here.length > 0 ? here : [...possible];
}

const folderKey = (path: string) => foldersOf(path).map(artistKey).join("/");
