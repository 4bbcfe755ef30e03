import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { discardStaged, originalsOf, stageFile } from "../../../../blobs/store.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { newId } from "../../../../kernel/ids.ts";
import { MAX_FILE_BYTES } from "../../../../kernel/limits.ts";
import { sniffAudio } from "../../../../media/formats/sniff.ts";
import { isAccount } from "../../../people/accounts/service.ts";
import { requestAnalysis } from "../../analysis/service.ts";
import { recordActivity, userActor } from "../../analytics/service.ts";
import { placeArtwork, removeUnshown } from "../../artwork/service.ts";
import { insertTrack, insertVersion } from "../../catalog/service.ts";
import { checkShareholders, writeShareholders } from "../../composers/service.ts";
import { resolveTagNames, type TagNames, withNearest, writeTags } from "../../tags/service.ts";
import type { TagCategory } from "../../tags/shapes.ts";
import { applyDetails, type Details } from "../details/apply-details.ts";
import type { AudioProfileInput } from "../profile.ts";
import { discardDescribed } from "./describe.ts";
import type { StagedTrackFile } from "./track-file.ts";

/** A staged file that becomes a new track. */
export type NewTrackFile = StagedTrackFile & {
  visible: boolean;
  /** Which version of the piece the file is, such as `v3`; left out: it does not say. */
  label?: string | null;
  /** The sender, when it is a visitor without an account; left out when the owner uploads. */
  sentBy?: { name: string };
  profile?: AudioProfileInput;
  /** Written after the profile, which they override. */
  details?: Details;
};

export type CreatedTrack = { id: string; versionId: string; name: string; visible: boolean };

type AddDeps = Pick<Deps, "db" | "now" | "settings">;
type TagEntries = [category: TagCategory, names: string[]][];

/**
 * Receives one audio file of at most {@link MAX_FILE_BYTES}. If anything fails, the partial file is removed.
 *
 * @throws DomainError `invalid_file_type` when the content is not audio, and the errors of `stageFile`.
 */
export async function stageTrackFile(
  deps: Pick<Deps, "settings">,
  { filename, bytes }: { filename: string; bytes: AsyncIterable<Uint8Array> },
): Promise<StagedTrackFile> {
  const staged = await stageFile(deps, bytes, { maxBytes: MAX_FILE_BYTES });
  const format = sniffAudio(staged.head);
  if (format) return { staged, format, filename };
  await discardStaged(staged);
  throw new DomainError("invalid_file_type", `${filename} is not an audio file in a supported format`);
}

/** Removes a staged file that did not become a track. Does nothing if it did. */
export async function discardTrackFile(file: StagedTrackFile): Promise<void> {
  await discardStaged(file.staged);
  await discardDescribed(file);
}

/**
 * Makes the bytes of staged files safe where the library has its originals. Call it before {@link addTracks} and
 * `addVersion`.
 *
 * @throws DomainError `storage_unavailable`.
 */
export async function keepTrackFiles(
  deps: Pick<Deps, "db" | "now" | "settings">,
  files: readonly StagedTrackFile[],
): Promise<void> {
  const originals = originalsOf(deps.settings);
  for (const { staged } of files) await originals.keep(deps, staged);
}

/**
 * Makes a track from every file, or changes nothing. Files, rows and analysis jobs are written in one transaction. On
 * success the staged files have been moved; otherwise the caller discards them.
 *
 * @throws DomainError `validation_failed` with `data.unknown` for tag names that are not in the taxonomy,
 *   `composer_not_found` for a shareholder of another account, `invalid_key` when the account was deleted meanwhile.
 */
export function addTracks(deps: AddDeps, ownerId: LibraryId, files: readonly NewTrackFile[]): CreatedTrack[] {
  const tags = canonicalTags(files.map(({ profile }) => profile ?? {}));
  try {
    return transact(deps.db, (tx) => {
      const at = deps.now();
      if (!isAccount({ db: tx }, ownerId))
        throw new DomainError("invalid_key", "This account was deleted while the file was on its way");
      return files.map((file, index) => addTrack(tx, deps, { ownerId, file, tags: tags[index] ?? [], at }));
    });
  } catch (error) {
    removeUnused(deps, files);
    throw error;
  }
}

type Addition = { ownerId: LibraryId; file: NewTrackFile; tags: TagEntries; at: number };

/** Writes one track with its only version. Its tags must be canonical. */
function addTrack(tx: Db, deps: AddDeps, { ownerId, file, tags, at }: Addition): CreatedTrack {
  const { staged, format, filename, visible, label = null, described } = file;
  const [id, versionId] = [newId("trk"), newId("ver")];
  originalsOf(deps.settings).place(tx, staged);
  const cover = file.details?.cover === undefined ? described?.cover : undefined;
  if (cover) placeArtwork(deps.settings, cover);

  const owned = ownerValues(file.profile ?? {});
  insertTrack(tx, {
    id,
    ownerId,
    name: filename,
    createdAt: at,
    activeVersionId: versionId,
    analysisStatus: "pending",
    inInbox: file.sentBy !== undefined,
    ...described?.profile,
    ...(cover && { cover: cover.key }),
    ...owned,
    ownerFields: Object.keys(owned),
  });
  insertVersion(tx, {
    id: versionId,
    trackId: id,
    versionOrder: 0,
    label,
    name: filename,
    visible,
    sha256: staged.sha256,
    sizeBytes: staged.sizeBytes,
    mediaType: format.mediaType,
    container: format.container,
    createdAt: at,
  });
  for (const [category, names] of tags) writeTags(tx, ownerId, id, category, names, "owner");
  const { shareholders } = file.profile ?? {};
  if (shareholders) writeShareholders(tx, { ownerId, trackId: id, shareholders }, at);
  const applied = file.details && applyDetails(tx, deps, { trackId: id, details: file.details });
  requestAnalysis(tx, id, at);
  const actor = file.sentBy ? { type: "visitor" as const, name: file.sentBy.name } : userActor(tx, ownerId);
  // A trigger counts it once the track is kept.
  const leftOut = file.sentBy && ("waiting" as const);
  recordActivity(tx, { ownerId, entity: "track", entityId: id, metric: "uploaded", actor, leftOut }, at);
  return { id, versionId, name: applied?.name ?? filename, visible };
}

/**
 * Checks everything that does not need the files. Callers that fetch files call this first.
 *
 * @throws DomainError `validation_failed`, as {@link addTracks} does.
 */
export async function checkProfiles(profiles: readonly AudioProfileInput[]): Promise<void> {
  try {
    canonicalTags(profiles);
  } catch (error) {
    throw await withNearest(error);
  }
  for (const { shareholders } of profiles) if (shareholders) checkShareholders(shareholders);
}

/** Returns the profile columns that the owner wrote; blank texts are ignored. */
function ownerValues({ title, artist, key, bpm }: AudioProfileInput) {
  const written = (text: string | null | undefined): text is string =>
    typeof text === "string" && text.trim() !== "";
  return {
    ...(written(title) && { title }),
    ...(written(artist) && { artist }),
    ...(written(key) && { key }),
    ...(typeof bpm === "number" && { bpm }),
  };
}

/** Returns each profile's tags with canonical names. One unknown name refuses all of them (decision 2.16). */
function canonicalTags(profiles: readonly AudioProfileInput[]): TagEntries[] {
  const answers = profiles.map((profile) => resolveTagNames(tagNamesOf(profile)));
  const unknown: Partial<Record<TagCategory, string[]>> = {};
  for (const answer of answers)
    for (const [category, names] of Object.entries(answer.unknown) as TagEntries)
      unknown[category] = [...new Set([...(unknown[category] ?? []), ...names])];

  const errors = Object.keys(unknown).map((category) => ({
    path: `audioProfile.${category}`,
    code: "unknown_tag",
    detail: "not in the taxonomy",
  }));
  if (errors.length > 0)
    throw new DomainError("validation_failed", "Invalid request", { data: { errors, unknown } });
  return answers.map(({ resolved }) =>
    Array.from(resolved, ([category, tags]): TagEntries[number] => [category, tags.map(({ name }) => name)]),
  );
}

function tagNamesOf({
  title: _t,
  artist: _a,
  key: _k,
  bpm: _b,
  shareholders: _s,
  additionalTags,
  ...named
}: AudioProfileInput): TagNames {
  return { ...named, ...(additionalTags && { tags: additionalTags }) };
}

/** Removes the files that a failed transaction had placed, unless a track uses them. */
function removeUnused({ db, now, settings }: AddDeps, files: readonly NewTrackFile[]): void {
  transact(db, (tx) => {
    for (const { staged } of files) originalsOf(settings).takeBack(tx, staged);
  });
  removeUnshown(
    { db, now, settings },
    files.flatMap(({ details, described }) => [details?.cover?.key, described?.cover?.key]),
  );
}
