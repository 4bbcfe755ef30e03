/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Button, ButtonLink, Card, Field, Notice } from "../../pages/components.tsx";
import { Cover, CoverShapes } from "../../pages/cover.tsx";
import { dayOf, momentOf } from "../../pages/dates.ts";
import { Page } from "../../pages/layout.tsx";
import type { Door } from "../briefs/service.ts";
import { type Draft, type KeptFile, MAX_ITEMS, type Problem, type SentFile } from "./model.ts";

const LAST_MILLISECOND_OF_DAY = 86_399_999;

/** Names for the browser's file chooser; the server checks the content of each file instead. */
const ACCEPT =
  "audio/*,.wav,.aif,.aiff,.flac,.mp3,.m4a,.mp4,.aac,.ogg,.opus,.caf,.w64,.wv,.wma,.au,.mp2,.ac3,.tta,.dsf,.ape";

export type SubmitPageProps = {
  root: string;
  door: Door;
  /** Address of the page itself. */
  action: string;
  maxFileBytes: number;
  draft: Draft;
  kept: readonly KeptFile[];
  problems: readonly Problem[];
  /** An error that concerns the whole form. */
  error?: string | undefined;
};

/** A brief as submitters see it: what the owner asks for, and a form that needs no JavaScript. */
export function SubmitPage(props: SubmitPageProps) {
  const { root, door } = props;
  const description = door.description ?? `Send your music to ${door.ownerName}.`;
  return (
    <Page
      title={`${door.name} · Submit music`}
      root={root}
      width="wide"
      script="submit.js"
      // A personal link shows no preview where it is pasted.
      preview={door.request ? undefined : { title: door.name, description }}
    >
      <CoverShapes />
      <div class="submit">
        <Brief door={door} />
        <SubmitForm {...props} />
      </div>
    </Page>
  );
}

function Brief({ door }: { door: Door }) {
  const { briefId, name, ownerName, description, deadline, contactEmail, request } = door;
  return (
    <section class="brief">
      <div class="brief-cover">
        <Cover seed={briefId} />
      </div>
      <p class="brief-from">{ownerName} asks for music</p>
      <h1>{name}</h1>
      {request?.message && (
        <blockquote class="brief-note">
          <p>{request.message}</p>
          <footer>{ownerName}, to you</footer>
        </blockquote>
      )}
      {description && <p class="brief-description">{description}</p>}
      <dl class="facts">
        <dt>Open</dt>
        <dd>{deadline === null ? "Until further notice" : <>Until {deadlineText(deadline)}</>}</dd>
        {request && (
          <>
            <dt>For</dt>
            <dd>{request.email}</dd>
          </>
        )}
        {contactEmail && (
          <>
            <dt>Questions</dt>
            <dd>
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </dd>
          </>
        )}
      </dl>
      <p class="brief-privacy">Only {ownerName} hears what you send. It is not published anywhere.</p>
    </section>
  );
}

/** Shows a deadline at the end of a day as that day. */
function deadlineText(deadline: number) {
  const isDay = deadline % (LAST_MILLISECOND_OF_DAY + 1) === LAST_MILLISECOND_OF_DAY;
  const text = isDay ? `the end of ${dayOf(deadline)}` : `${momentOf(deadline)}`;
  return <time dateTime={new Date(deadline).toISOString()}>{text} (UTC)</time>;
}

function SubmitForm({ door, action, maxFileBytes, draft, kept, problems, error }: SubmitPageProps) {
  const wrong = (field: Problem["field"]) => problems.find((problem) => problem.field === field)?.words;
  const isAllKnown = door.request !== null;
  return (
    <form
      class="card submit-form"
      method="post"
      action={action}
      encType="multipart/form-data"
      id="submit-form"
      data-max-bytes={maxFileBytes}
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
          maxLength={20_000}
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
        maxLength={200}
        value={draft.name}
        error={wrong("name") && `${wrong("name")}.`}
      />
      {!isAllKnown && (
        <Field
          label="E-mail (optional)"
          name="email"
          type="email"
          autocomplete="email"
          maxLength={254}
          value={draft.email}
          error={wrong("email") && `${wrong("email")}.`}
          hint={`Lets ${door.ownerName} answer you.`}
        />
      )}
      <Field
        label="Message (optional)"
        name="message"
        rows={4}
        maxLength={2000}
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
          Up to {MAX_ITEMS} files and links, 1 GB per file. WAV, AIFF, FLAC, MP3, AAC, ALAC, Ogg, Opus or
          another common audio format.
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

export type ThanksPageProps = {
  root: string;
  door: Door;
  files: readonly SentFile[];
  links: readonly string[];
  count: number;
  formHref: string;
  /** Address of the page that shows what was sent, for as long as the brief exists. */
  receiptHref: string;
  /** Address of the form for a new account; undefined when registration is closed. */
  signUpAction: string | undefined;
  signUp?: { email: string; name: string; error: string } | undefined;
};

/** Says what was received, and thanks for it. */
export function ThanksPage({
  root,
  door,
  files,
  links,
  count,
  formHref,
  receiptHref,
  signUpAction,
  signUp,
}: ThanksPageProps) {
  const items = [...files.map(({ name }) => name), ...links];
  return (
    <Page title={`Sent to ${door.ownerName}`} root={root} script="submit.js">
      <Card
        title="Thank you"
        lead={
          <>
            {door.ownerName} has received {count === 1 ? "your music" : `${count} pieces of music from you`}{" "}
            for {door.name}.
          </>
        }
      >
        {items.length > 0 && (
          <ul class="received" id="received">
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
        {items.length === 0 && <p id="received" hidden />}
        <p>
          <a href={receiptHref}>Your receipt</a> shows what you sent. Keep its link to see it again later.
        </p>
        {door.state === "open" && (
          <ButtonLink kind="secondary" href={formHref}>
            Send something else
          </ButtonLink>
        )}
      </Card>
      {signUpAction && <SignUp action={signUpAction} {...(signUp && { retry: signUp })} />}
    </Page>
  );
}

function SignUp({
  action,
  retry,
}: {
  action: string;
  retry?: { email: string; name: string; error: string };
}) {
  return (
    <section class="card sign-up" aria-labelledby="sign-up">
      <h2 id="sign-up">Keep your own music here</h2>
      <p class="soft">
        An account on this server gives you a library, links to share, and figures on who listened.
      </p>
      <form method="post" action={action}>
        {retry && <Notice kind="error">{retry.error}.</Notice>}
        <Field
          label="Your name"
          name="name"
          autocomplete="name"
          required
          maxLength={200}
          value={retry?.name}
        />
        <Field
          label="E-mail"
          name="email"
          type="email"
          autocomplete="email"
          required
          maxLength={254}
          value={retry?.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minLength={8}
          maxLength={200}
          hint="At least 8 characters."
        />
        <Button kind="secondary">Make an account</Button>
      </form>
    </section>
  );
}

const CLOSED = {
  off: [
    "This page is not open",
    "The person who asked for music has closed it. Ask them if you still want to send something.",
  ],
  closed: ["Submissions are closed", "This call for music is over. Thank you for your interest."],
  past: ["The deadline has passed", "This call for music is over. Thank you for your interest."],
} as const;

/** Says kindly that a page no longer takes submissions. */
export function ClosedPage({
  root,
  door,
  reason,
}: {
  root: string;
  door: Door;
  reason: keyof typeof CLOSED;
}) {
  const [title, lead] = CLOSED[reason];
  const words: ComponentChildren = reason === "past" ? `${door.name}: ${lead}` : lead;
  return (
    <Page title={title} root={root}>
      <Card title={title} lead={words}>
        {reason !== "off" && door.contactEmail && (
          <p>
            Questions: <a href={`mailto:${door.contactEmail}`}>{door.contactEmail}</a>
          </p>
        )}
      </Card>
    </Page>
  );
}
