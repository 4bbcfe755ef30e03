import { Elysia } from "elysia";
import { receiveForm } from "../../../http/body/multipart.ts";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import {
  discardTrackFile,
  keepTrackFiles,
  type StagedTrackFile,
  stageFromUrl,
  stageTrackFile,
} from "../tracks/service.ts";
import { addVersion, type NewVersion } from "./add.ts";
import { readLabel, readVersionName } from "./change.ts";
import { MAX_LABEL, MAX_NAME, Version, VersionByUrl, VersionForm, VersionListParams } from "./shapes.ts";

type Target = { ownerId: string; trackId: string };
type Description = Omit<NewVersion, "file">;

const description =
  "The new version becomes the active one unless `activate` is false. The track then plays it, keeps its tags, " +
  "details, playlists and links, and is analysed again; the owner is notified.";
const refusals = ["track_not_found", "invalid_file_type", "file_too_large", "insufficient_storage"] as const;

/** `POST /tracks/{trackId}/versions` and its twin by URL. */
export const versionUploadRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks/:trackId/versions" })
    .use(guard)
    .post(
      "",
      async ({ actor, params, request }) => {
        const target = { ownerId: actor.accountId, trackId: params.trackId };
        return ok(await uploadVersion(deps, target, request));
      },
      {
        uploadScope: "update:tracks",
        parse: "none",
        params: VersionListParams,
        detail: describe({
          operationId: "uploadVersion",
          tag: "Versions",
          summary: "Upload a version of a track",
          description,
          answer: Version,
          requestBody: { contentType: "multipart/form-data", schema: VersionForm },
          refusals: [...refusals, "missing_file", "too_many_files"],
        }),
      },
    )
    .post(
      "/url",
      async ({ actor, params, body, request }) => {
        // The download may take as long as it needs, like an upload (decision 8.6).
        stateOf(request).hasNoTimeout = true;
        const target = { ownerId: actor.accountId, trackId: params.trackId };
        return ok(await fetchVersion(deps, target, body, signalOf(request)));
      },
      {
        scope: "update:tracks",
        params: VersionListParams,
        body: VersionByUrl,
        detail: describe({
          operationId: "uploadVersionByUrl",
          tag: "Versions",
          summary: "Fetch a version of a track from a URL",
          description,
          answer: Version,
          refusals: [...refusals, "url_not_allowed", "download_failed"],
        }),
      },
    );

async function uploadVersion(deps: Deps, { ownerId, trackId }: Target, request: Request): Promise<Version> {
  let staged: StagedTrackFile | undefined;
  try {
    const { fields } = await receiveForm(request, "file", { maxFiles: 1 }, async (file) => {
      // Check this before receiving a gigabyte for nothing.
      getOwnedTrack(deps.db, ownerId, trackId);
      staged = await stageTrackFile(deps, file);
    });
    if (!staged) throw new DomainError("missing_file", "Send a file in the field `file`");
    await keepTrackFiles(deps, [staged]);
    return addVersion(deps, ownerId, trackId, { file: staged, ...readFields(fields) });
  } finally {
    if (staged) await discardTrackFile(staged);
  }
}

async function fetchVersion(
  deps: Deps,
  { ownerId, trackId }: Target,
  { fileUrl, name, label, activate = true }: VersionByUrl,
  signal: AbortSignal,
): Promise<Version> {
  if (!URL.canParse(fileUrl)) throw invalidField("fileUrl", "url", "must be a URL");
  const described = describedBy(name, label, activate);
  getOwnedTrack(deps.db, ownerId, trackId);
  const file = await stageFromUrl(deps, fileUrl, signal);
  try {
    await keepTrackFiles(deps, [file]);
    return addVersion(deps, ownerId, trackId, { file, ...described });
  } finally {
    await discardTrackFile(file);
  }
}

function readFields(fields: ReadonlyMap<string, string>): Description {
  const [name, label] = [fields.get("name"), fields.get("label")];
  checkLength("name", name, MAX_NAME);
  checkLength("label", label, MAX_LABEL);
  return describedBy(name, label, readActivate(fields.get("activate")));
}

function describedBy(
  name: string | undefined,
  label: string | null | undefined,
  activate: boolean,
): Description {
  return {
    activate,
    ...(name !== undefined && { name: readVersionName(name) }),
    ...(label !== undefined && { label: readLabel(label) }),
  };
}

function checkLength(field: string, text: string | undefined, max: number): void {
  if (text !== undefined && text.length > max)
    throw invalidField(field, "string_max_length", `must be a string, at most ${max} characters`);
}

function readActivate(text: string | undefined): boolean {
  if (text === undefined || text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw invalidField("activate", "literal", 'must be "true" or "false"');
}
