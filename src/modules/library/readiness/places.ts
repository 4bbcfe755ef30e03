import type { Fix } from "../../../../db/readiness.ts";

/** What a finding is about. */
type About = { trackId?: string; playlistId?: string | undefined; composerId: string | null; fix: Fix };

/** The tab of a track's sheet on which something is mended. */
const TABS: Readonly<Record<string, string>> = {
  credits: "credits",
  version: "versions",
  set: "set",
  genre: "tags",
  iswc: "rights",
  explicit: "rights",
  pLine: "rights",
  cLine: "rights",
  releaseDate: "rights",
  upc: "rights",
  aiUse: "rights",
};

/** Returns the path of the console where a finding is mended. */
export function placeOf({ trackId, playlistId, composerId, fix }: About): string {
  if (composerId !== null) return `/library/composers/${composerId}`;
  if (trackId === undefined)
    return playlistId === undefined ? "/library" : `/library/playlists/${playlistId}`;
  const tab = TABS[fix ?? ""];
  return `/library/tracks/${trackId}${tab ? `?tab=${tab}` : ""}`;
}
