/** @jsxRuntime automatic @jsxImportSource preact */
import { account } from "../../first-data.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { draftOf } from "../../ui/draft.ts";
import { draftName, fieldText } from "./form.tsx";
import type { Brief } from "./types.ts";

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** The page of a brief as people see it, while it is written. */
export function Preview({ brief }: { brief: Brief }) {
  const textOf = (name: "name" | "description" | "contactEmail" | "deadline") =>
    (draftOf(draftName(brief.id, name)).value ?? fieldText(brief, name)).trim();
  const [deadline, contact] = [textOf("deadline"), textOf("contactEmail")];
  return (
    <section class="brief-preview" aria-label="Preview">
      <p class="brief-preview-label">Preview of the page</p>
      <div class="brief-preview-page">
        <div class="brief-preview-cover">
          <CoverPicture seed={brief.id} cover={null} />
        </div>
        <p class="soft">{account.name} asks for music</p>
        <p class="brief-preview-name">{textOf("name")}</p>
        {textOf("description") !== "" && <p class="brief-preview-text">{textOf("description")}</p>}
        <dl>
          <dt>Open</dt>
          <dd>
            {deadline === "" || Number.isNaN(Date.parse(deadline))
              ? "Until further notice"
              : `Until the end of ${DAY.format(Date.parse(deadline))} (UTC)`}
          </dd>
          {contact !== "" && (
            <>
              <dt>Questions</dt>
              <dd>{contact}</dd>
            </>
          )}
        </dl>
        <p class="soft brief-preview-small">
          Only {account.name} hears what you send. It is not published anywhere.
        </p>
        <div class="brief-preview-form" aria-hidden="true">
          <span>Choose audio files, or drop them here</span>
          <span>Your name</span>
          <span>Message (optional)</span>
          <span class="brief-preview-send">Send to {account.name}</span>
        </div>
      </div>
    </section>
  );
}
