import { matchedGain } from "../../../pages/playback/matched-gain.ts";
import type { Playable } from "../../../pages/playback/playable.ts";
import { OVER } from "../../../pages/playback/recovery.ts";
import { trackTitle } from "../../shared/names.ts";
import { api, dataOf, send } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { onChanged } from "../api/queries.ts";
import { hasScreens, href, samePlace } from "../first-data.ts";
import { type Outline, readOutline } from "./outline.ts";

/** A version of a track, ready to play. */
export type Sound = Playable & {
  trackId: string;
  versionId: string;
  title: string;
  artist: string;
  picture: string | undefined;
};

/** Addresses of sounds work for an hour. */
const FRESH_MS = 50 * 60_000;
/** An address must work for so long, or a long track might not play to its end. */
const LEFT_MS = 10 * 60_000;

type Known = { sound: Promise<Sound>; at: number };
const known = new Map<string, Known>();

// Another version may be the active one, or its loudness known by now.
onChanged((topic, ids) => {
  if (!["tracks", "versions", "analysis"].includes(topic)) return;
  for (const key of known.keys())
    if (ids === null || ids.includes(key.split(" ")[0] ?? "")) known.delete(key);
});

type Find = (trackId: string, versionId?: string) => Promise<Sound | undefined>;
let findKept: Find | undefined;

/** Has what is kept on this device play from there. */
export function playKept(find: Find): void {
  findKept = find;
}

type FindOutline = (versionId: string) => Promise<Outline | undefined>;
let findKeptOutline: FindOutline | undefined;

/** Has what is kept on this device be drawn from there while the server cannot be asked. */
export function drawKept(find: FindOutline): void {
  findKeptOutline = find;
}

/**
 * Returns what plays for a track: its active version, or the one that is named. Asks the server at most once an hour.
 *
 * @throws ApiError `track_not_found`, `version_not_found`.
 */
export async function soundOf(trackId: string, versionId?: string): Promise<Sound> {
  return (await findKept?.(trackId, versionId)) ?? soundOfServer(trackId, versionId);
}

function soundOfServer(trackId: string, versionId?: string): Promise<Sound> {
  const key = `${trackId} ${versionId ?? ""}`;
  const before = known.get(key);
  if (before && Date.now() - before.at < FRESH_MS) return before.sound;
  const sound = readSound(trackId, versionId);
  known.set(key, { sound, at: Date.now() });
  sound.catch(() => known.delete(key));
  return sound;
}

/** What a list knows of the active version of a track. */
type Listed = {
  id: string;
  activeVersionId: string;
  title: string;
  artist: string | null;
  durationSec: number | null;
  playbackUrl: string;
  integratedLufs: number | null;
  truePeakDbtp: number | null;
};

/** Takes what a list knows of a track, so that a tap on it plays without another request. */
export function offerSound(row: Listed): void {
  const key = `${row.id} `;
  const before = known.get(key);
  const endsAt = 1000 * Number(new URL(row.playbackUrl).searchParams.get("expires"));
  if ((before && Date.now() - before.at < FRESH_MS) || endsAt - Date.now() < LEFT_MS) return;
  const sound: Sound = {
    trackId: row.id,
    versionId: row.activeVersionId,
    src: samePlace(row.playbackUrl),
    seconds: row.durationSec ?? undefined,
    gain: matchedGain(row),
    title: row.title,
    artist: row.artist ?? "",
    picture: undefined,
  };
  known.set(key, { sound: Promise.resolve(sound), at: endsAt - LEFT_MS - FRESH_MS });
}

/** Asks for the address of a sound anew, because it does not play any more. */
export async function renew(old: Sound, signal: AbortSignal): Promise<"renewed" | "over" | "lost"> {
  forgetSound(old);
  try {
    old.src = (await soundOf(old.trackId, old.versionId)).src;
    return signal.aborted ? "lost" : "renewed";
  } catch (thrown) {
    return thrown instanceof ApiError && OVER.includes(thrown.status) ? "over" : "lost";
  }
}

function forgetSound({ trackId, versionId }: Sound): void {
  known.delete(`${trackId} `);
  known.delete(`${trackId} ${versionId}`);
}

async function readSound(trackId: string, wanted: string | undefined): Promise<Sound> {
  const [{ track }, { versions, activeVersionId }] = await Promise.all([
    dataOf(api.GET("/app/library/tracks/single", { params: { query: { id: trackId } } })),
    dataOf(api.GET("/app/library/tracks/{trackId}/versions", { params: { path: { trackId } } })),
  ]);
  if (!track) throw new ApiError(404, "track_not_found", "This track is no longer in your library");
  const version = versions.find(({ id }) => id === (wanted ?? activeVersionId));
  if (!version) throw new ApiError(404, "version_not_found", "This version no longer exists");
  const { audio_profile, analysis, name } = track;
  const measured = analysis.measured?.versionId === version.id ? analysis.measured : null;
  return {
    trackId,
    versionId: version.id,
    src: samePlace("playbackUrl" in version ? String(version.playbackUrl) : version.downloadUrl),
    seconds:
      measured?.durationSec ?? (wanted === undefined ? (audio_profile.durationSec ?? undefined) : undefined),
    gain: measured ? matchedGain(measured) : 0,
    title: trackTitle({ title: audio_profile.title, name }),
    artist: audio_profile.artist ?? "",
    picture: undefined,
  };
}

const outlines = new Map<string, Promise<Outline | undefined>>();

/** Returns the outline of a version; undefined while it has none, or the connection is lost. */
export function outlineOf({
  trackId,
  versionId,
}: {
  trackId: string;
  versionId: string;
}): Promise<Outline | undefined> {
  const before = outlines.get(versionId);
  if (before) return before;
  const asked = readOutlineOf(trackId, versionId).catch(() => undefined);
  outlines.set(versionId, asked);
  // What is not there yet will be after the analysis.
  void asked.then((outline) => outline ?? outlines.delete(versionId));
  return asked.then((outline) => outline ?? findKeptOutline?.(versionId).catch(() => undefined));
}

/** Returns the outline that the server has of a version; undefined while it has none. @throws When it cannot be asked. */
export async function readOutlineOf(trackId: string, versionId: string): Promise<Outline | undefined> {
  if (!hasScreens) return undefined;
  const address = `/app/library/tracks/${trackId}/versions/${versionId}/waveform`;
  const response = await send(new Request(href(address)));
  return response.ok ? readOutline(await response.arrayBuffer()) : undefined;
}
