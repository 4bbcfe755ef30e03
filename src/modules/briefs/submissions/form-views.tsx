/** @jsxRuntime automatic @jsxImportSource preact */

import { MAX_FILE_BYTES, MAX_FILE_SIZE } from "../../../kernel/limits.ts";
import { Button, Field, Notice } from "../../../pages/components.tsx";
import { MAX_EMAIL } from "../../people/people/shapes.ts";
import type { Door } from "../briefs/service.ts";
import { MAX_MESSAGE, MAX_SUBMITTER_NAME } from "../briefs/shapes.ts";
import { type Draft, type KeptFile, MAX_ITEMS, MAX_LINKS, type Problem } from "./shapes.ts";

/** Names for the browser's file chooser; the server checks the content of each file instead. */
const ACCEPT =
  "audio/*,.wav,.aif,.aiff,.flac,.mp3,.m4a,.mp4,.aac,.ogg,.opus,.caf,.w64,.wv,.wma,.au,.mp2,.ac3,.tta,.dsf,.ape";

export type SubmitFormProps = {
  door: Door;
  /** Address of the page itself. */
  action: string;
  draft: Draft;
  kept: readonly KeptFile[];
  problems: readonly Problem[];
  /** An error that concerns the whole form. */
  error?: string | undefined;
};

/** The form to send music with; it needs no JavaScript. */
export function SubmitForm({ door, action, draft, kept, problems, error }: SubmitFormProps) {
  const wrong = (field: Problem["field"]) => problems.find((problem) => problem.field === field)?.words;
  // Who was asked by name alone may have an address to answer to.
  const isAllKnown = door.request !== null && door.request.email !== "";
  return (
    <form
      class="card submit-form"
      method="post"
      action={action}
      encType="multipart/form-data"
      id="submit-form"
      data-max-bytes={MAX_FILE_BYTES}
      data-max-size={MAX_FILE_SIZE}
      data-max-items={MAX_ITEMS}
    >
      {error && <Notice kind="error">{error}.</Notice>}
      {/* A trap for bots: people do not see it and leave it empty. */}
      <input class="sr-only" name="website" tabIndex={-1} autocomplete="off" aria-hidden="true" />
      <input type="hidden" name="uploads" id="uploads" value={kept.map(({ id }) => id).join(" ")} />
      <fieldset>
        <legend>Your music</legend>
        {problems
          .filter(({ field }) => field === "files")
          .map(({ words }) => (
            <p key={words} class="field-error" role="alert">
              {words}.
            </p>
          ))}
        <Files kept={kept} />
        <Field
          label="Links, one per line"
          name="links"
          rows={2}
          maxLength={MAX_LINKS}
          value={draft.links}
          error={wrong("links") && `${wrong("links")}.`}
          hint="Links to music that is already online. Anyone with the link must be able to listen."
        />
      </fieldset>
      <Field
        label="Your name"
        name="name"
        autocomplete="name"
        required
        maxLength={MAX_SUBMITTER_NAME}
        value={draft.name || (door.request?.name ?? "")}
        error={wrong("name") && `${wrong("name")}.`}
      />
      {!isAllKnown && (
        <Field
          label="E-mail (optional)"
          name="email"
          type="email"
          autocomplete="email"
          maxLength={MAX_EMAIL}
          value={draft.email}
          error={wrong("email") && `${wrong("email")}.`}
          hint={`Lets ${door.ownerName} answer you.`}
        />
      )}
      <Field
        label="Message (optional)"
        name="message"
        rows={4}
        maxLength={MAX_MESSAGE}
        value={draft.message}
        error={wrong("message") && `${wrong("message")}.`}
      />
      <p class="notice error" id="submit-error" role="alert" hidden />
      <Button id="submit-button">Send to {door.ownerName}</Button>
      <p class="sr-only" id="submit-status" role="status" />
    </form>
  );
}

/** The file chooser, and the files that are already on the server. */
function Files({ kept }: { kept: readonly KeptFile[] }) {
  return (
    <>
      <div class="drop" id="drop">
        <label for="field-files" class="drop-label">
          Choose audio files
          <span class="needs-script drop-hint">, or drop them here</span>
        </label>
        <input
          type="file"
          id="field-files"
          name="files"
          multiple
          accept={ACCEPT}
          aria-describedby="files-hint"
        />
        <p class="field-hint" id="files-hint">
          Up to {MAX_ITEMS} files and links, {MAX_FILE_SIZE} per file. WAV, AIFF, FLAC, MP3, AAC, ALAC, Ogg,
          Opus or another common audio format.
        </p>
      </div>
      <ul class="uploads" id="upload-list">
        {kept.map(({ id, name, sizeBytes }) => (
          <li key={id} class="upload done" data-id={id} data-name={name} data-size={sizeBytes}>
            <span class="upload-name">{name}</span>
            <span class="upload-state">Received</span>
          </li>
        ))}
      </ul>
    </>
  );
}
