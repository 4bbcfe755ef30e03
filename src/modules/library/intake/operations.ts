import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { coverFolder } from "../albums/service.ts";
import { Covered } from "../albums/shapes.ts";
import { base64Picture } from "../artwork/service.ts";
import { listIntakes, listRemembered, takeUploaded, undoIntake } from "./service.ts";
import {
  FolderCover,
  Intake,
  IntakeParams,
  IntakesQuery,
  RememberedFile,
  RememberedQuery,
  TakeFiles,
  TakenFiles,
} from "./shapes.ts";

const tag = "Tracks";

/** Taking in the files of folders, and what was taken in. */
export const intakeOperations = ({ turns }: { turns: Turns }) => [...taking(turns), ...taken];

const taking = (turns: Turns) => [
  op({
    at: "POST /uploads/take",
    id: "takeFiles",
    key: "update:tracks",
    input: { body: TakeFiles },
    tag,
    summary: "Take files of a folder into the library",
    description:
      "Each file becomes a version of the track that its name or its path points at, or a track. Bytes that the library " +
      "has are recognised; others are asked for: send them to `POST /uploads` (tus 1.0.0), then ask again with `uploadId`. " +
      "Asking again gives the same outcome.",
    answer: TakenFiles,
    refusals: [],
    isLong: true,
    run: async (deps, { actor, body }) => ({ files: await takeUploaded(deps, turns, actor.accountId, body) }),
  }),
];

const taken = [
  op({
    at: "POST /uploads/cover",
    id: "coverTakenFolder",
    key: "update:tracks",
    input: { body: FolderCover },
    tag,
    summary: "Set the cover of what came from a folder",
    description:
      "The picture of the folder becomes the cover of its album and of the songs without a cover; a cover that the owner chose stays.",
    answer: Covered,
    refusals: ["invalid_image_type", "insufficient_storage"],
    run: (deps, { actor, body, request }) =>
      coverFolder(
        deps,
        { accountId: actor.accountId, source: body.source, path: body.path, ...base64Picture(body.image) },
        signalOf(request),
      ),
  }),
  op({
    at: "GET /uploads/remembered",
    id: "listRememberedFiles",
    key: "read:tracks",
    input: { query: RememberedQuery },
    tag,
    summary: "List the files of a folder that were taken in",
    description: "The last that was taken in from each path, so that nothing has to be read twice.",
    answer: Type.Array(RememberedFile),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listRemembered(deps, actor.accountId, query),
  }),
  op({
    at: "GET /intakes",
    id: "listIntakes",
    session: "read:tracks",
    input: { query: IntakesQuery },
    tag,
    summary: "List what was taken in from folders, newest first",
    description: "By a watched folder, by `dubplate send` and by `dubplate import`.",
    answer: Type.Array(Intake),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listIntakes(deps, actor.accountId, query),
  }),
  op({
    at: "POST /intakes/:intakeId/undo",
    id: "undoIntake",
    session: "update:tracks",
    input: { params: IntakeParams },
    tag,
    summary: "Undo the intake of a file from a folder",
    description:
      "A track goes into the bin; a version is deleted, and the track plays again what it played before. The file itself " +
      "stays in its folder and is not taken in again.",
    answer: Intake,
    refusals: ["undo_not_found", "changed_since"],
    run: (deps, { actor, params }) => undoIntake(deps, actor.accountId, params.intakeId),
  }),
];
