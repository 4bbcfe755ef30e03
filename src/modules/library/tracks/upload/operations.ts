import { receiveForm } from "../../../../http/body/multipart.ts";
import { displayName } from "../../../../http/files/file-name.ts";
import { op } from "../../../../http/operation.ts";
import { signalOf } from "../../../../http/request-state.ts";
import { checkNamesIn } from "../../../../http/unknown.ts";
import { type OwnerActor, requireNeed, type Viewer } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField, invalidRequest } from "../../../../kernel/errors.ts";
import { MAX_FILE_SIZE } from "../../../../kernel/limits.ts";
import type { DetailsInput } from "../details/details-shapes.ts";
import { type AudioProfileInput, AudioProfiles, matchProfiles, parseAudioProfiles } from "../profile.ts";
import { addTracks, discardTrackFile, keepTrackFiles, stageTrackFile } from "./create.ts";
import { describeTrackFiles } from "./describe.ts";
import { MAX_FILES, Uploaded, UploadForm, UrlUpload, UrlUploaded } from "./shapes.ts";
import type { StagedTrackFile } from "./track-file.ts";
import { uploadFromUrls } from "./upload-urls.ts";

const tag = "Tracks";

/** Making tracks of files, as a form or by address. */
export const trackUploadOperations = [
  op({
    at: "POST /tracks/upload",
    id: "uploadTracks",
    key: "create:tracks",
    reads: "form",
    tag,
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
    run: (deps, { actor, request }) => uploadTracks(deps, actor, request),
  }),
  op({
    at: "POST /tracks/upload/url",
    id: "uploadTracksByUrl",
    key: "create:tracks",
    input: { body: UrlUpload },
    tag,
    summary: "Upload tracks by URL",
    description:
      `Downloads each file, at most ${MAX_FILE_SIZE}, and makes a track of it. If an item fails, \`failed\` names it and the ` +
      "other items go ahead. Private addresses are refused.",
    answer: UrlUploaded,
    refusals: [],
    isLong: true,
    run(deps, { actor, body, request }) {
      checkAddresses(body);
      requireSplits(
        actor,
        body.items.map(({ audioProfile }) => audioProfile ?? {}),
      );
      return uploadFromUrls(deps, actor.accountId, body.items, signalOf(request));
    },
  }),
];

async function uploadTracks(deps: Deps, actor: OwnerActor, request: Request): Promise<Uploaded> {
  const ownerId = actor.accountId;
  const staged: StagedTrackFile[] = [];
  try {
    const { fields, files } = await receiveForm(
      request,
      "files",
      { maxFiles: MAX_FILES, known: Object.keys(UploadForm.properties) },
      async (file) => {
        const received = await stageTrackFile(deps, file);
        staged.push(received);
        return received;
      },
    );
    if (files.length === 0)
      throw new DomainError("missing_file", "Send at least one file in the field `files`");
    const visible = parseVisible(fields.get("visible"));
    const sent = parseAudioProfiles(fields.get("audioProfiles") ?? "[]");
    checkNamesIn(request, AudioProfiles, sent, "audioProfiles");
    requireSplits(
      actor,
      sent.map(({ audioProfile }) => audioProfile),
    );
    const names = files.map(({ filename }) => filename);
    const profiles = matchProfiles(names, sent, spelling);
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

/** Writing splits with a new track needs what writing them later needs. @throws DomainError `insufficient_scope`. */
function requireSplits(actor: Viewer, profiles: readonly Pick<AudioProfileInput, "shareholders">[]): void {
  if (profiles.some(({ shareholders }) => shareholders !== undefined)) requireNeed(actor, "update:composer");
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

/** Refuses texts that match the schema's pattern but do not parse as addresses. */
function checkAddresses({ items }: UrlUpload): void {
  const issues = items.flatMap(({ fileUrl }, index) =>
    URL.canParse(fileUrl)
      ? []
      : [
          {
            path: `items.${index}.fileUrl`,
            code: "string_pattern",
            detail: "must be an http or https address",
          },
        ],
  );
  if (issues.length > 0) throw invalidRequest(issues);
}
