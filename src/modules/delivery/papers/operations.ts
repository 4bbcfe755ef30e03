import { Type } from "@sinclair/typebox";
import { madeFileResponse } from "../../../http/files/pieces.ts";
import { op } from "../../../http/operation.ts";
import type { Member } from "../../../kernel/actor.ts";
import { requireNeed } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  type Paper,
  PaperRequest,
  type PaperWhere,
  PlaylistPaperParams,
  Registration,
  RegistrationRequest,
  TrackPaperParams,
} from "./shapes.ts";

const tag = "Tracks";
const answer = Type.String({ format: "binary" });
const sends = { contentType: "*/*", description: "The paper" };
const description =
  "Splits (`split-sheet`), credits, a cue sheet, or for what generative tools were used. Tables are CSV in UTF-8 with a byte order mark; " +
  "cells that a spreadsheet would take for a formula have an apostrophe in front.";

/** The papers that go along with music. They are for those who see splits. */
export const paperOperations = [
  op({
    at: "GET /tracks/:trackId/papers/:paper",
    id: "getTrackPaper",
    key: "read:tracks",
    input: { params: TrackPaperParams },
    tag,
    summary: "Download a paper of a track",
    description,
    answer,
    sends,
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => fileOf(deps, actor, { ids: [params.trackId] }, params.paper),
  }),
  op({
    at: "GET /playlists/:playlistId/papers/:paper",
    id: "getPlaylistPaper",
    key: "read:tracks",
    input: { params: PlaylistPaperParams },
    tag,
    summary: "Download a paper of the tracks of a playlist or an album",
    description,
    answer,
    sends,
    refusals: ["playlist_not_found"],
    run: (deps, { actor, params }) => fileOf(deps, actor, { playlistId: params.playlistId }, params.paper),
  }),
  op({
    at: "POST /papers",
    id: "makePaper",
    session: "read:composers",
    input: { body: PaperRequest },
    tag,
    summary: "Download a paper of several tracks",
    description,
    answer,
    sends,
    refusals: ["track_not_found", "playlist_not_found"],
    run: (deps, { actor, body }) => fileOf(deps, actor, body.where, body.paper),
  }),
  op({
    at: "POST /registrations",
    id: "makeRegistration",
    session: "update:composer",
    input: { body: RegistrationRequest },
    tag: "Composers",
    summary: "Make a registration of works (CWR) for a society",
    description:
      "For publishers with a sender code of CISAC. Works whose data a registration cannot have are left out and named. Each file has a " +
      "number of its own. Whether a society accepts it is for the society to say.",
    answer: Registration,
    refusals: ["track_not_found", "playlist_not_found"],
    run: async (deps, { actor, body }) =>
      (await writers()).register(deps, actor.accountId, body.where, body.version),
  }),
];

/** What writes papers is loaded with the first one. */
const writers = () => import("./papers.ts");

async function fileOf(
  deps: Pick<Deps, "db" | "now">,
  actor: Member,
  where: PaperWhere,
  paper: Paper,
): Promise<Response> {
  const { name, text } = (await writers()).paperOf(deps, actor.accountId, where, paper);
  requireNeed(actor, "read:composers");
  const mediaType = paper.endsWith(".html") ? "text/html; charset=utf-8" : "text/csv; charset=utf-8";
  return madeFileResponse(text, { filename: name, mediaType });
}
