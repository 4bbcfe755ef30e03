import { receiveForm } from "../../../http/body/multipart.ts";
import { op } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
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

const tag = "Versions";
const description =
  "The new version becomes the active one unless `activate` is false. The track then plays it, keeps its tags, " +
  "details, playlists and links, and is analysed again; the owner is notified.";
const refusals = ["track_not_found", "invalid_file_type", "file_too_large", "insufficient_storage"] as const;

/** Adding a version to a track, as a form or by address. */
export const versionUploadOperations = [
  op({
    at: "POST /tracks/:trackId/versions",
    id: "uploadVersion",
    key: "update:tracks",
    input: { params: VersionListParams },
    reads: "form",
    tag,
    summary: "Upload a version of a track",
    description,
    answer: Version,
    requestBody: { contentType: "multipart/form-data", schema: VersionForm },
    refusals: [...refusals, "missing_file", "too_many_files"],
    run(deps, { actor, params, request }) {
      const target = { ownerId: actor.accountId, trackId: params.trackId };
      return uploadVersion(deps, target, request);
    },
  }),
  op({
    at: "POST /tracks/:trackId/versions/url",
    id: "uploadVersionByUrl",
    key: "update:tracks",
    input: { params: VersionListParams, body: VersionByUrl },
    tag,
    summary: "Fetch a version of a track from a URL",
    description,
    answer: Version,
    refusals: [...refusals, "url_not_allowed", "download_failed"],
    isLong: true,
    run(deps, { actor, params, body, request }) {
      const target = { ownerId: actor.accountId, trackId: params.trackId };
      return fetchVersion(deps, target, body, signalOf(request));
    },
  }),
];

async function uploadVersion(deps: Deps, { ownerId, trackId }: Target, request: Request): Promise<Version> {
  let staged: StagedTrackFile | undefined;
  try {
    const { fields } = await receiveForm(
      request,
      "file",
      { maxFiles: 1, known: Object.keys(VersionForm.properties) },
      async (file) => {
        // Check this before receiving a gigabyte for nothing.
        getOwnedTrack(deps.db, ownerId, trackId);
        staged = await stageTrackFile(deps, file);
      },
    );
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
