import {
  cursorPage,
  type Input,
  type Inputs,
  idOf,
  oneOf,
  orNull,
  type Row,
  required,
  text,
} from "../notation.ts";
import { brief, briefSubmission, composer, playlistDetail, playlistListItem } from "./objects.ts";

const playlistParam: Inputs = { playlistId: idOf("playlist") };
const owned: Input = { is: "list", item: idOf("track"), min: 1, max: 1000 };
const PLAYLIST_NOT_FOUND = ["PLAYLIST_NOT_FOUND"];

/** Section 4, "Playlists". */
export const playlistRows: readonly Row[] = [
  {
    method: "GET",
    path: "/playlists",
    needs: "read:playlists",
    query: cursorPage,
    answer: [playlistListItem],
    paging: true,
  },
  {
    method: "GET",
    path: "/playlists/single/{playlistId}",
    needs: "read:playlists",
    params: playlistParam,
    answer: playlistDetail,
    inBody: PLAYLIST_NOT_FOUND,
  },
  {
    method: "POST",
    path: "/playlists",
    needs: "create:playlists",
    body: {
      name: required(text({ min: 1, max: 120 })),
      description: text({ max: 2000 }),
      trackIds: required({ ...owned, orCsv: true }),
      dedupe: { is: "boolean", default: false },
    },
    answer: {
      ok: oneOf(true),
      playlist: {
        id: "string",
        privateLink: "url",
        publicLink: "url",
        name: "string",
        description: "string|null",
      },
      tracks: { count: "integer", ids: ["string"] },
    },
    inBody: ["TRACKS_NOT_FOUND"],
  },
  {
    method: "PATCH",
    path: "/playlists/{playlistId}",
    needs: "update:playlists",
    params: playlistParam,
    body: { name: text({ min: 1, max: 120 }), description: { ...text({ max: 2000 }), clears: true } },
    answer: { ok: oneOf(true), playlist: playlistListItem },
    inBody: PLAYLIST_NOT_FOUND,
  },
  {
    method: "POST",
    path: "/playlists/{playlistId}/tracks",
    needs: "create:playlists",
    params: playlistParam,
    body: { trackIds: required(owned) },
    answer: { ok: oneOf(true), playlistId: "string", added: "integer", trackCount: "integer" },
    inBody: [...PLAYLIST_NOT_FOUND, "TRACKS_NOT_FOUND"],
  },
  {
    method: "DELETE",
    path: "/playlists/{playlistId}/tracks/{trackId}",
    needs: "update:playlists",
    params: { ...playlistParam, trackId: idOf("track") },
    answer: { ok: oneOf(true), playlistId: "string", trackId: "string", removed: "integer" },
    inBody: PLAYLIST_NOT_FOUND,
  },
  {
    method: "PATCH",
    path: "/playlists/{playlistId}/order",
    needs: "update:playlists",
    params: playlistParam,
    body: { trackIds: required({ is: "list", item: idOf("track"), max: 1000 }) },
    answer: { ok: oneOf(true), playlistId: "string", trackIds: ["string"] },
    inBody: PLAYLIST_NOT_FOUND,
    refuses: ["400 validation_failed"],
  },
];

const composerFields: Inputs = {
  artistName: text(),
  publisher: text(),
  pro: text(),
  ipi: text(),
};

/** Section 4, "Composers". */
export const composerRows: readonly Row[] = [
  {
    method: "GET",
    path: "/composers",
    needs: "read:composers",
    query: { cursor: idOf("composer") },
    answer: [composer],
    paging: true,
    refuses: ["400 validation_failed"],
  },
  { method: "GET", path: "/composers/count", needs: "read:composers", answer: { count: "integer" } },
  {
    method: "GET",
    path: "/composers/single",
    needs: "read:composer",
    query: { id: required(idOf("composer")) },
    answer: { composer: orNull(composer), id: "string", userId: "string|null" },
  },
  {
    method: "POST",
    path: "/composers",
    needs: "create:composer",
    body: { fullName: required(text({ min: 1 })), email: required({ is: "email" }), ...composerFields },
    answer: composer,
    refuses: ["400 duplicate_email"],
  },
  {
    method: "PATCH",
    path: "/composers",
    needs: "update:composer",
    body: {
      id: required(idOf("composer")),
      fullName: text({ min: 1 }),
      email: { is: "email" },
      ...composerFields,
    },
    answer: {
      success: oneOf(true),
      composer: {
        id: "string",
        fullName: "string",
        email: "string",
        artistName: "string",
        publisher: "string",
        pro: "string",
        ipi: "string",
      },
    },
    refuses: ["400 duplicate_email", "404 composer_not_found"],
  },
  {
    method: "DELETE",
    path: "/composers",
    needs: "delete:composer",
    query: { id: required(idOf("composer")) },
    answer: { success: oneOf(true) },
    refuses: ["404 composer_not_found"],
  },
];

/** Section 4, "Briefs". */
export const briefRows: readonly Row[] = [
  { method: "GET", path: "/briefs", needs: "read:briefs", answer: [brief] },
  {
    method: "GET",
    path: "/briefs/{briefId}/submissions",
    needs: "read:briefs",
    params: { briefId: idOf("brief") },
    answer: {
      brief: { id: "string", name: "string", status: "string", deadline: "timestamp|null" },
      submissions: [briefSubmission],
    },
    inBody: ["BRIEF_NOT_FOUND"],
  },
];
