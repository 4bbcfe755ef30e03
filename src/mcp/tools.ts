import * as analytics from "./tools/analytics.ts";
import * as briefs from "./tools/briefs.ts";
import * as composers from "./tools/composers.ts";
import * as playlists from "./tools/playlists.ts";
import { searchTracks } from "./tools/search.ts";
import * as tags from "./tools/tags.ts";
import type { Tool } from "./tools/tool.ts";
import * as tracks from "./tools/tracks.ts";
import * as versions from "./tools/versions.ts";

/** Every tool, in the order of the specification's table. The number stays at 39: some clients accept at most 40. */
export const TOOLS: readonly Tool[] = [
  tracks.listTracks,
  tracks.getTrackCount,
  tracks.getTrack,
  tracks.updateTrackDetails,
  tracks.uploadTrackByUrl,
  tracks.findDuplicateTracks,
  versions.listTrackVersions,
  versions.uploadTrackVersion,
  versions.activateTrackVersion,
  versions.updateTrackVersion,
  versions.deleteTrackVersion,
  searchTracks,
  tags.getTagTaxonomy,
  tags.updateTrackTags,
  tags.triggerAutoTag,
  tags.batchAutoTag,
  tags.getSuggestedTags,
  tags.waitForAutoTag,
  tags.applySuggestedTags,
  tracks.uploadArtwork,
  playlists.listPlaylists,
  playlists.getPlaylist,
  playlists.createPlaylist,
  playlists.updatePlaylist,
  playlists.addTracksToPlaylist,
  playlists.removeTrackFromPlaylist,
  playlists.reorderPlaylist,
  composers.listComposers,
  composers.getComposerCount,
  composers.getComposer,
  composers.createComposer,
  composers.updateComposer,
  composers.deleteComposer,
  analytics.getDashboard,
  analytics.getEntityStats,
  analytics.getTopTracks,
  briefs.listBriefs,
  briefs.getBriefSubmissions,
  tracks.getTrackSubmissions,
];
