import { RULES, RULES_VERSION, type Rule } from "../../../../db/readiness.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { mayDo, type Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { measurePicture } from "../artwork/service.ts";
import { titleOf } from "../catalog/service.ts";
import { rightsOfTracks } from "../composers/service.ts";
import { rightsOfTracks as statedOf } from "../rights/service.ts";
import type { TrackRights } from "../rights/shapes.ts";
import {
  fileFacts,
  gapParts,
  listFacts,
  metadataFacts,
  releaseFacts,
  rightsFacts,
  soundFacts,
  statedFacts,
  tagParts,
  writerParts,
} from "./facts.ts";
import { countFailures, type Facts, type Failure, judge, type Parts } from "./judge.ts";
import { profileFor } from "./limits.ts";
import { placeOf } from "./places.ts";
import * as queries from "./queries.ts";
import {
  type Finding,
  type ListReadiness,
  MAX_READY_TRACKS,
  type ProfileId,
  type ReadinessCounts,
  type ReadyTrack,
  type TrackReadiness,
} from "./shapes.ts";

export { transferLimits } from "./limits.ts";
export type { ListReadiness, ProfileId, ReadinessCounts } from "./shapes.ts";
export { putFaults } from "./store.ts";

type ReadDeps = Pick<Deps, "db" | "settings">;
/** Whoever reads what is missing. Rights are left out for those who do not see splits. */
type Reader = Viewer & { accountId: LibraryId };

/**
 * Returns what a track lacks for a purpose.
 *
 * @throws DomainError `track_not_found`.
 */
export function readinessOfTrack(
  deps: ReadDeps,
  reader: Reader,
  trackId: string,
  profile: ProfileId = "store",
): TrackReadiness {
  const [track] = judgeTracks(deps, reader, [trackId], { profile, isRelease: false });
  if (!track) throw new DomainError("track_not_found", "There is no such track");
  return { profile, rules: RULES_VERSION, ...track };
}

/** Returns how many findings the store's rules make for a track that the reader sees; undefined when there is no such track. */
export function readinessCounts(
  deps: ReadDeps,
  reader: Reader,
  trackId: string,
): ReadinessCounts | undefined {
  const [known] = factsOfTracks(deps, reader, [trackId]);
  if (!known) return undefined;
  return countFailures(
    rulesFor(reader, { isRelease: false }),
    profileFor(deps.db, reader.accountId, "store"),
    known.facts,
    known.parts,
  );
}

/**
 * Returns what a playlist or an album lacks for a purpose: each track, and all of them together.
 *
 * @throws DomainError `playlist_not_found`.
 */
export function readinessOfPlaylist(
  deps: ReadDeps,
  reader: Reader,
  playlistId: string,
  profile: ProfileId = "store",
): ListReadiness {
  const list = requireList(deps, reader, playlistId);
  return readinessOf(deps, reader, queries.selectTracksOf(deps.db, playlistId), profile, list);
}

function requireList({ db }: ReadDeps, { accountId }: Reader, playlistId: string): queries.ListRow {
  const list = queries.findList(db, accountId, playlistId);
  if (!list) throw new DomainError("playlist_not_found", "There is no such playlist");
  return list;
}

/**
 * Returns what the account's tracks among `trackIds` lack for a purpose, each and together.
 *
 * @param playlistId The album or playlist that they are handed over as.
 * @throws DomainError `playlist_not_found`.
 */
export function readinessOfTracks(
  deps: ReadDeps,
  reader: Reader,
  trackIds: readonly string[],
  profile: ProfileId = "store",
  playlistId?: string,
): ListReadiness {
  const list = playlistId === undefined ? undefined : requireList(deps, reader, playlistId);
  return readinessOf(deps, reader, [...new Set(trackIds)], profile, list);
}

function readinessOf(
  deps: ReadDeps,
  reader: Reader,
  trackIds: readonly string[],
  profile: ProfileId,
  list?: queries.ListRow,
): ListReadiness {
  const isRelease = list?.kind === "album";
  const tracks = judgeTracks(deps, reader, trackIds.slice(0, MAX_READY_TRACKS), { profile, isRelease });
  const together = judgeTogether(deps, reader, tracks, profile, isRelease ? list : undefined);
  const findings = worstFirst(together.map((failure) => toFinding(failure, { playlistId: list?.id })));
  return {
    profile,
    rules: RULES_VERSION,
    playlistId: list?.id ?? null,
    title: list?.name ?? null,
    counts: sumOf([countsOf(findings), ...tracks.map(({ counts }) => counts)]),
    findings,
    tracks,
    trackCount: list ? trackIds.length : tracks.length,
  };
}

type Judging = { profile: ProfileId; isRelease: boolean };

/** Returns the account's tracks among `ids` in that order. `isRelease`: rules of the release are asked of the album. */
function judgeTracks(
  deps: ReadDeps,
  reader: Reader,
  ids: readonly string[],
  { profile: profileId, isRelease }: Judging,
): ReadyTrack[] {
  const profile = profileFor(deps.db, reader.accountId, profileId);
  const rules = rulesFor(reader, { isRelease });
  return factsOfTracks(deps, reader, ids).map(({ row, facts, parts }) => {
    const findings = worstFirst(
      judge(rules, profile, facts, parts).map((failure) => toFinding(failure, { trackId: row.id })),
    );
    return {
      trackId: row.id,
      title: titleOf(row),
      versionId: row.versionId,
      isChecked: facts.isChecked === true,
      counts: countsOf(findings),
      findings,
    };
  });
}

const rulesFor = (reader: Reader, { isRelease }: Pick<Judging, "isRelease">) =>
  RULES_OF[mayDo(reader, "read:composers") ? "all" : "withoutRights"][isRelease ? "ofAlbum" : "ofTrack"];

const OF_TRACK = RULES.filter(({ of }) => of === "track");
const OF_SINGLE = RULES.filter(({ of }) => of === "track" || of === "release");
const withoutRights = (rules: readonly Rule[]) => rules.filter(({ scope }) => scope !== "rights");
const RULES_OF = {
  all: { ofTrack: OF_SINGLE, ofAlbum: OF_TRACK },
  withoutRights: { ofTrack: withoutRights(OF_SINGLE), ofAlbum: withoutRights(OF_TRACK) },
};

type Known = { row: queries.TrackRow; facts: Facts; parts: Parts };

/** Returns what is known of the account's tracks among `ids`, in that order. */
function factsOfTracks(deps: ReadDeps, reader: Reader, ids: readonly string[]): Known[] {
  const { db } = deps;
  const rows = queries.selectTracks(db, reader.accountId, ids);
  const known = ids.filter((id) => rows.has(id));
  const coded = known.filter((id) => rows.get(id)?.isrc);
  const twins = queries.selectTwins(db, reader.accountId, coded);
  const credits = mayDo(reader, "read:composers") ? rightsOfTracks(deps, known) : undefined;
  const stated = statedOf(db, known);
  const kin = queries.selectKin(db, known);
  return known.map((id) => {
    // It is among those that are known.
    const row = rows.get(id) as queries.TrackRow;
    const twin = twins.get(id);
    const own = credits?.get(id) ?? [];
    // Every track has rights, if only empty ones.
    const rights = stated.get(id) as TrackRights;
    const facts = {
      ...soundFacts(row),
      ...fileFacts(row),
      ...metadataFacts(row, twin && { title: titleOf(twin) }),
      ...statedFacts(rights),
      ...releaseFacts({ ...rights, cover: row.cover, picture: pictureOf(deps, row.cover) }),
      ...(credits && rightsFacts(own, rights)),
    };
    const parts = { tags: tagParts(row), writers: writerParts(own), gaps: gapParts(row, kin.get(id) ?? []) };
    return { row, facts, parts };
  });
}

function judgeTogether(
  deps: ReadDeps,
  { accountId }: Reader,
  tracks: readonly ReadyTrack[],
  profileId: ProfileId,
  release: queries.ListRow | undefined,
): Failure[] {
  const rows = queries.selectTracks(
    deps.db,
    accountId,
    tracks.map(({ trackId }) => trackId),
  );
  const rules = RULES.filter(({ of }) => of === "list" || (of === "release" && release !== undefined));
  return judge(rules, profileFor(deps.db, accountId, profileId), {
    ...listFacts([...rows.values()]),
    ...(release &&
      releaseFacts({ ...release, cover: release.image, picture: pictureOf(deps, release.image) })),
  });
}

const pictureOf = ({ settings }: ReadDeps, cover: string | null) =>
  cover === null ? undefined : measurePicture(settings, cover);

function toFinding(failure: Failure, of: { trackId?: string; playlistId?: string | undefined }): Finding {
  const { rule, level, message, value, limit, unit, atSec, facts } = failure;
  const composerId = typeof facts.composerId === "string" ? facts.composerId : null;
  const composerName = composerId !== null && typeof facts.name === "string" ? facts.name : null;
  const { code, scope, suppliedBy, source } = rule;
  // One rule may be about several fields.
  const fix = typeof facts.fix === "string" ? facts.fix : rule.fix;
  const place = placeOf({ ...of, composerId, fix });
  return {
    code,
    level,
    scope,
    message,
    value,
    limit,
    unit,
    atSec,
    suppliedBy,
    composerId,
    composerName,
    place,
    fix,
    source,
  };
}

const GRAVITY = { stop: 0, warn: 1, note: 2 } as const;

const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((one, other) => GRAVITY[one.level] - GRAVITY[other.level]);

function countsOf(findings: readonly Finding[]): ReadinessCounts {
  const count = (level: Finding["level"]) => findings.filter((each) => each.level === level).length;
  return { stop: count("stop"), warn: count("warn"), note: count("note") };
}

function sumOf(counts: readonly ReadinessCounts[]): ReadinessCounts {
  const sum = (level: keyof ReadinessCounts) => counts.reduce((all, each) => all + each[level], 0);
  return { stop: sum("stop"), warn: sum("warn"), note: sum("note") };
}
