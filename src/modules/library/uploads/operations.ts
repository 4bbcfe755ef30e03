import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { PageQuery } from "../../../http/page-query.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { arrivedAlbums } from "../albums/service.ts";
import { finishUploads, letWait, listWaiting, matchFiles } from "./service.ts";
import {
  AskedUpload,
  FinishedUploads,
  FinishUploads,
  Matched,
  MatchFiles,
  UploadParams,
  WaitingUpload,
} from "./shapes.ts";

const tag = "Tracks";

/** What becomes of files that have arrived. Those that nobody said yet what they are wait: any browser of the account may say. */
export const uploadOperations = ({ turns }: { turns: Turns }) => [
  op({
    at: "POST /uploads/finish",
    id: "finishUploads",
    session: true,
    input: { body: FinishUploads },
    tag,
    summary: "Put uploads that have arrived into the library",
    description:
      "Each upload becomes a track, or a new version of the track that it names. One whose bytes the library has " +
      "already becomes nothing, and the answer names that track. Each has an outcome of its own, and asking again " +
      "gives the same outcome. Songs of a folder that share the name of an album, or are numbered, are put onto an album.",
    answer: FinishedUploads,
    refusals: [],
    isLong: true,
    async run(deps, { actor, body }) {
      const uploads = await finishUploads(deps, turns, actor.accountId, body.uploads);
      const albumIds = uploads.map(({ albumId }) => albumId);
      return { uploads, albums: arrivedAlbums(deps, actor.accountId, albumIds) };
    },
  }),
  op({
    at: "POST /uploads/:id/wait",
    id: "waitWithUpload",
    session: true,
    input: { params: UploadParams },
    tag,
    summary: "Let a file that has arrived wait for somebody to say what it is",
    description:
      "It waits when its name says that it is a version of a track, and the library does not have its bytes. Asking again " +
      "changes nothing.",
    answer: AskedUpload,
    refusals: ["not_found", "upload_incomplete"],
    run: async (deps, { actor, params }) => ({
      upload: await letWait(deps, turns, actor.accountId, params.id),
    }),
  }),
];

/** Files by their names, and files that wait. */
export const arrivedOperations = [
  op({
    at: "POST /uploads/match",
    id: "matchFiles",
    session: true,
    input: { body: MatchFiles },
    tag,
    summary: "See which tracks files are new versions of",
    description:
      "Goes by the files' names without what only says which version they are, such as `v7`, `final mix` or a date. A " +
      "name that fits several tracks fits none.",
    answer: Matched,
    refusals: [],
    run: (deps, { actor, body }) => matchFiles(deps, actor.accountId, body.files),
  }),
  op({
    at: "GET /uploads/waiting",
    id: "listWaitingUploads",
    session: true,
    input: { query: PageQuery },
    tag,
    summary: "List files that wait for somebody to say what they are, newest first",
    description:
      "Each has arrived, and is named like a version of a track. `POST /app/uploads/finish` decides, with `trackId` or " +
      "without. After 30 days it becomes a track of its own.",
    answer: Type.Array(WaitingUpload),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listWaiting(deps, actor.accountId, query),
  }),
];
