import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { PageQuery } from "../../../http/page-query.ts";
import { type TusDoor, type TusUpload, tus } from "../../../http/tus.ts";
import { mayDo } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { MAX_FILE_BYTES } from "../../../kernel/limits.ts";
import { apiRootOf } from "../../../kernel/settings.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { pageRootOf } from "../../../pages/paths.ts";
import { arrivedAlbums } from "../albums/service.ts";
import { MAX_PATH } from "../albums/shapes.ts";
import { allowedItem, requireReach, requireSending, type Sender } from "./guests.ts";
import {
  appendToUpload,
  beginUpload,
  dropUpload,
  findUpload,
  finishUploads,
  letWait,
  listWaiting,
  matchFiles,
  type UploadRow,
} from "./service.ts";
import {
  AskedUpload,
  FinishedUploads,
  FinishUploads,
  Matched,
  MatchFiles,
  UploadParams,
  WAITING_DAYS,
  WaitingUpload,
} from "./shapes.ts";

const tag = "Tracks";
const EXTENSIONS = "creation,creation-with-upload,expiration,termination";

/** How owners send files, and what becomes of those that have arrived. */
export const uploadOperations = ({ turns }: { turns: Turns }) => [
  ...pieces(turns),
  ...preflights,
  ...arrivals(turns),
  ...names,
];

/** Sending, so that nothing on its way is lost: tus 1.0.0. The file's path and its track are in `Upload-Metadata`. */
const pieces = (turns: Turns) => [
  op({
    at: "POST /uploads",
    id: "beginUpload",
    key: "create:tracks",
    session: "create:tracks",
    rooms: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "Begin an upload",
    answer: Type.Any(),
    refusals: [],
    run: (deps, { actor, request }) =>
      tus.create(request, openDoor(deps, turns, actor), addressIn(deps, actor)),
  }),
  op({
    at: "HEAD /uploads/:id",
    id: "askUpload",
    key: "create:tracks",
    session: "create:tracks",
    rooms: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "Get how much of an upload has arrived",
    answer: Type.Any(),
    refusals: [],
    input: { params: UploadParams },
    run: (deps, { actor, params, request }) => tus.head(request, openDoor(deps, turns, actor), params.id),
  }),
  op({
    at: "PATCH /uploads/:id",
    id: "appendToUpload",
    key: "create:tracks",
    session: "create:tracks",
    rooms: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "Add a piece to an upload",
    answer: Type.Any(),
    refusals: [],
    input: { params: UploadParams },
    run: (deps, { actor, params, request }) => tus.patch(request, openDoor(deps, turns, actor), params.id),
  }),
  op({
    at: "DELETE /uploads/:id",
    id: "dropUpload",
    session: "create:tracks",
    rooms: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "End an upload",
    answer: Type.Any(),
    refusals: [],
    input: { params: UploadParams },
    run: (deps, { actor, params, request }) => tus.delete(request, openDoor(deps, turns, actor), params.id),
  }),
];

const whatTusCan = {
  isAtRoot: true,
  reads: "pieces",
  isUnlisted: true,
  tag,
  summary: "See what uploads can do",
  answer: Type.Any(),
  refusals: [],
  run: () => tus.options(EXTENSIONS, MAX_FILE_BYTES),
} as const;

/** What browsers ask before they send. */
const preflights = [
  op({ ...whatTusCan, at: "OPTIONS /app/uploads", id: "askUploads" }),
  op({ ...whatTusCan, at: "OPTIONS /app/uploads/:id", id: "askUploadOptions" }),
];

/** What becomes of files that have arrived. */
const arrivals = (turns: Turns) => [
  op({
    at: "POST /uploads/finish",
    id: "finishUploads",
    session: "create:tracks",
    rooms: true,
    input: { body: FinishUploads },
    tag,
    summary: "Put uploads that have arrived into the library",
    description:
      "Each upload becomes a track, or a new version of the track that it names. An upload whose bytes the library " +
      "already has is dropped, and the answer names that track. Each upload has its own outcome, and asking again gives " +
      "the same one. Songs of a folder that name the same album, or are numbered, become an album.",
    answer: FinishedUploads,
    refusals: [],
    isLong: true,
    async run(deps, { actor, body }) {
      const uploads = await finishUploads(deps, turns, actor.accountId, body.uploads, (item) =>
        allowedItem(deps, actor, item),
      );
      // What else of the library has to do with these songs is no guest's business.
      if (actor.rooms) return { uploads: uploads.map((each) => ({ ...each, albumId: null })), albums: [] };
      const albumIds = uploads.map(({ albumId }) => albumId);
      return { uploads, albums: arrivedAlbums(deps, actor.accountId, albumIds) };
    },
  }),
  op({
    at: "POST /uploads/:id/wait",
    id: "waitWithUpload",
    session: "create:tracks",
    input: { params: UploadParams },
    tag,
    summary: "Hold an uploaded file until you decide what it is",
    description:
      "It waits when its name says that it is a version of a track, and the library does not have its bytes. Asking again " +
      "changes nothing.",
    answer: AskedUpload,
    refusals: ["not_found", "upload_incomplete"],
    async run(deps, { actor, params }) {
      requireReach(deps, actor, params.id);
      return { upload: await letWait(deps, turns, actor.accountId, params.id) };
    },
  }),
];

/** Files by their names, and those that wait until somebody says what they are: any browser of whoever sent them may. */
const names = [
  op({
    at: "POST /uploads/match",
    id: "matchFiles",
    session: "create:tracks",
    input: { body: MatchFiles },
    tag,
    summary: "Match files with the tracks that they are new versions of",
    description:
      "Compares the files' names without the part that only names the version, such as `v7`, `final mix` or a date. A " +
      "name that fits several tracks is not matched.",
    answer: Matched,
    refusals: [],
    run: (deps, { actor, body }) => matchFiles(deps, actor.accountId, body.files),
  }),
  op({
    at: "GET /uploads/waiting",
    id: "listWaitingUploads",
    session: "create:tracks",
    input: { query: PageQuery },
    tag,
    summary: "List uploaded files that await a decision, newest first",
    description:
      "Each has arrived, and is named like a version of a track. `POST /app/uploads/finish` decides, with `trackId` or " +
      `without. After ${WAITING_DAYS} days it becomes a separate track.`,
    answer: Type.Array(WaitingUpload),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listWaiting(deps, actor, query),
  }),
];

/** Where the sender finds an upload again: behind the door that they came by. */
function addressIn({ settings }: Deps, actor: Sender): (id: string) => string {
  const base = "keyId" in actor ? `${apiRootOf(settings)}/api/v1` : `${pageRootOf(settings)}/app`;
  return (id) => `${base}/uploads/${id}`;
}

const openDoor = (deps: Deps, turns: Turns, sender: Sender) => (): TusDoor => ({
  create: async ({ sizeBytes, texts }) => {
    const announced = {
      path: texts.get("filename")?.slice(0, MAX_PATH) || "untitled",
      sizeBytes,
      senderKey: senderKeyOf(sender, texts.get("key")),
      trackId: texts.get("trackId") || undefined,
    };
    requireSending(deps, sender, announced.trackId);
    const { row, offset } = await beginUpload(deps, turns, sender.accountId, announced);
    return toTus(row, offset);
  },
  find: async (id) => {
    requireReach(deps, sender, id);
    const { row, offset } = await findUpload(deps, turns, sender.accountId, id);
    return toTus(row, offset);
  },
  append: async (id, offset, body) => {
    requireReach(deps, sender, id);
    const reached = await appendToUpload(deps, turns, sender.accountId, { id, offset, body });
    return { ...toTus(reached.row, reached.offset), isTaken: reached.isTaken };
  },
  drop: async (id) => {
    requireReach(deps, sender, id);
    await dropUpload(deps, turns, sender.accountId, id);
  },
});

/** A member's key is theirs alone: those without a name before them are of the owner, and of programs of nobody. */
function senderKeyOf({ personId, ...sender }: Sender, key: string | undefined): string | undefined {
  if (!key) return undefined;
  return mayDo(sender, "own:library") ? key : `${personId} ${key}`;
}

const toTus = ({ id, sizeBytes, expiresAt }: UploadRow, offset: number): TusUpload => ({
  id,
  sizeBytes,
  expiresAt,
  offset,
});
