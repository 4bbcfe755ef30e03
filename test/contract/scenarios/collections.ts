import { newWord } from "../library.ts";
import { type Scenarios, unknownId } from "./scenario.ts";

const noTrack = unknownId("track");
const noPlaylist = { params: { playlistId: unknownId("playlist") } };
const missing = async (rest: object = {}) => ({ ...noPlaylist, ...rest });

/** Section 4, "Playlists". */
export const playlistScenarios: Scenarios = {
  "GET /playlists": {
    happy: async (person) => {
      await person.playlist([await person.track()]);
      return {};
    },
  },
  "GET /playlists/single/{playlistId}": {
    happy: async (person) => ({ params: { playlistId: await person.playlist(await person.analysed()) } }),
    inBody: { PLAYLIST_NOT_FOUND: () => missing() },
  },
  "POST /playlists": {
    happy: async (person) => ({ body: { name: newWord("List"), trackIds: [await person.track()] } }),
    inBody: {
      TRACKS_NOT_FOUND: async (person) => ({
        body: { name: "x", trackIds: [await person.track(), noTrack] },
      }),
    },
    // The happy request names one track once; a track named twice would count twice.
    defaults: { "body.dedupe": ({ tracks }) => tracks.count === tracks.ids.length },
  },
  "PATCH /playlists/{playlistId}": {
    happy: async (person) => ({
      params: { playlistId: await person.playlist([await person.track()]) },
      body: { name: "New name" },
    }),
    inBody: { PLAYLIST_NOT_FOUND: () => missing({ body: { name: "x" } }) },
  },
  "POST /playlists/{playlistId}/tracks": {
    happy: async (person) => {
      const trackId = await person.track();
      return { params: { playlistId: await person.playlist([trackId]) }, body: { trackIds: [trackId] } };
    },
    inBody: {
      PLAYLIST_NOT_FOUND: async (person) => missing({ body: { trackIds: [await person.track()] } }),
      TRACKS_NOT_FOUND: async (person) => ({
        params: { playlistId: await person.playlist([await person.track()]) },
        body: { trackIds: [noTrack] },
      }),
    },
  },
  "DELETE /playlists/{playlistId}/tracks/{trackId}": {
    happy: async (person) => {
      const trackId = await person.track();
      return { params: { playlistId: await person.playlist([trackId, await person.track()]), trackId } };
    },
    inBody: { PLAYLIST_NOT_FOUND: async () => ({ params: { ...noPlaylist.params, trackId: noTrack } }) },
  },
  "PATCH /playlists/{playlistId}/order": {
    happy: async (person) => {
      const trackIds = [await person.track(), await person.track()];
      return {
        params: { playlistId: await person.playlist(trackIds) },
        body: { trackIds: trackIds.toReversed() },
      };
    },
    inBody: { PLAYLIST_NOT_FOUND: () => missing({ body: { trackIds: [noTrack] } }) },
    refusals: {
      "400 validation_failed": async (person) => {
        const trackId = await person.track();
        return {
          params: { playlistId: await person.playlist([trackId]) },
          body: { trackIds: [trackId, trackId] },
        };
      },
    },
    sized: {
      "body.trackIds": async (size, call, person) => {
        const trackIds = Array(size).fill(call.body?.trackIds[0]);
        // No playlist can be one past the limit.
        if (size <= 1000) call.params = { playlistId: await person.playlist(trackIds) };
        return trackIds;
      },
    },
  },
};

const noComposer = unknownId("composer");

/** Section 4, "Composers". */
export const composerScenarios: Scenarios = {
  "GET /composers": {
    happy: async (person) => {
      const { id } = await person.composer();
      const shareholders = [{ shareholderId: id, share: 50, role: "Writer" }];
      await person.api("PUT", `/tracks/shareholders?id=${await person.track()}`, { shareholders });
      // Starts at the composer before the newest one.
      return { query: { cursor: (await person.composer()).id } };
    },
    refusals: { "400 validation_failed": async () => ({ query: { cursor: noComposer } }) },
  },
  "GET /composers/count": { happy: async () => ({}) },
  "GET /composers/single": { happy: async (person) => ({ query: { id: (await person.composer()).id } }) },
  "POST /composers": {
    happy: async () => ({ body: { fullName: "Ada Writer", email: `${newWord("ada")}@example.com` } }),
    refusals: {
      "400 duplicate_email": async (person) => ({
        body: { fullName: "Ada", email: ` ${(await person.composer()).email.toUpperCase()} ` },
      }),
    },
  },
  "PATCH /composers": {
    happy: async (person) => ({
      body: {
        id: (await person.composer()).id,
        fullName: "Ada Penwright",
        email: `${newWord("ada")}@example.com`,
        artistName: "Ada P",
        publisher: "Night Songs",
        pro: "PRS",
        ipi: "00000000199",
      },
    }),
    refusals: {
      "400 duplicate_email": async (person) => ({
        body: { id: (await person.composer()).id, email: (await person.composer()).email },
      }),
      "404 composer_not_found": async () => ({ body: { id: noComposer, pro: "PRS" } }),
    },
  },
  "DELETE /composers": {
    happy: async (person) => ({ query: { id: (await person.composer()).id } }),
    refusals: { "404 composer_not_found": async () => ({ query: { id: noComposer } }) },
  },
};

/** Section 4, "Briefs". */
export const briefScenarios: Scenarios = {
  "GET /briefs": {
    happy: async (person) => {
      await person.brief();
      return {};
    },
  },
  "GET /briefs/{briefId}/submissions": {
    happy: async (person) => {
      const briefId = await person.brief();
      await person.submit(briefId, await person.track());
      return { params: { briefId } };
    },
    inBody: { BRIEF_NOT_FOUND: async () => ({ params: { briefId: unknownId("brief") } }) },
  },
};
