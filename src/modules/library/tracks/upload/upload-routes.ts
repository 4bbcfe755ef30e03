import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { receiveForm } from "../../../../http/body/multipart.ts";
import { ok, shape } from "../../../../http/envelope.ts";
import { displayName } from "../../../../http/files/file-name.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import type { DetailsInput } from "../details/details-shapes.ts";
import { matchProfiles, parseAudioProfiles } from "../profile.ts";
import { addTracks, discardTrackFile, keepTrackFiles, stageTrackFile } from "./create.ts";
import { describeTrackFiles } from "./describe.ts";
import type { StagedTrackFile } from "./track-file.ts";

const MAX_FILES = 25;

const UploadForm = Type.Object({
  files: Type.Array(Type.String({ format: "binary" }), {
    minItems: 1,
    maxItems: MAX_FILES,
    description: "Audio files of at most 1 GB each; the content decides the format",
  }),
  visible: Type.Optional(
    Type.Union(
      ["true", "false", "1", "0"].map((text) => Type.Literal(text)),
      {
        description: "Shown in the app's library; default false",
      },
    ),
  ),
  audioProfiles: Type.Optional(
    Type.String({
      description:
        "JSON array of `{name: <file name>, audioProfile: {title, artist, key, bpm, genres, moods, …, shareholders}, " +
        "details: {album, year, isrc, …}}`; the details are those of `PATCH /tracks/details`, without `cover`",
    }),
  ),
});

const Uploaded = shape("Uploaded", {
  uploaded: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), visible: Type.Boolean() }), {
    description: "In the same order as the files",
  }),
});

/** `POST /tracks/upload`. */
export const uploadRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" })
    .use(guard)
    .post("/upload", async ({ actor, request }) => ok(await uploadTracks(deps, actor.accountId, request)), {
      uploadScope: "create:tracks",
      parse: "none",
      detail: describe({
        operationId: "uploadTracks",
        tag: "Tracks",
        summary: "Upload tracks",
        description:
          "All files become tracks, or none does. Analysis runs afterwards: `POST /tracks/wait` answers when it has ended.",
        answer: Uploaded,
        requestBody: { contentType: "multipart/form-data", schema: UploadForm },
        refusals: [
          "missing_file",
          "too_many_files",
          "invalid_file_type",
          "file_too_large",
          "composer_not_found",
          "insufficient_storage",
        ],
      }),
    });

async function uploadTracks(deps: Deps, ownerId: string, request: Request): Promise<Static<typeof Uploaded>> {
  const staged: StagedTrackFile[] = [];
  try {
    const { fields, files } = await receiveForm(request, "files", { maxFiles: MAX_FILES }, async (file) => {
      const received = await stageTrackFile(deps, file);
      staged.push(received);
      return received;
    });
    if (files.length === 0)
      throw new DomainError("missing_file", "Send at least one file in the field `files`");
    const visible = parseVisible(fields.get("visible"));
    const profiles = matchProfiles(
      files.map(({ filename }) => filename),
      parseAudioProfiles(fields.get("audioProfiles") ?? "[]"),
      spelling,
    );
    await describeTrackFiles(deps, ownerId, files);
    const toAdd = files.map((file, index) => ({
      ...file,
      visible,
      profile: profiles[index]?.audioProfile ?? {},
      ...(profiles[index]?.details && { details: withoutCover(profiles[index].details) }),
    }));
    await keepTrackFiles(deps, toAdd);
    return { uploaded: addTracks(deps, ownerId, toAdd).map(({ id, name }) => ({ id, name, visible })) };
  } finally {
    // Files that became tracks have already been moved; discarding them does nothing.
    await Promise.all(staged.map(discardTrackFile));
  }
}

/** A form has no cover: `POST /tracks/cover-art` sets it. */
const withoutCover = ({ cover: _, ...details }: DetailsInput) => details;

function parseVisible(text: string | undefined): boolean {
  if (text === undefined || text === "false" || text === "0") return false;
  if (text === "true" || text === "1") return true;
  throw invalidField("visible", "literal", 'must be "true" or "false"');
}

/** Clients may spell a file's name differently in its profile: some systems send decomposed accents. */
const spelling = (name: string) => displayName(name).normalize("NFC");
