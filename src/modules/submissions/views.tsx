/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Button, ButtonLink, Card, Field, Notice } from "../../pages/components.tsx";
import { Cover, CoverShapes } from "../../pages/cover.tsx";
import { dayOf, momentOf } from "../../pages/dates.ts";
import { Page } from "../../pages/layout.tsx";
import type { Door } from "../briefs/service.ts";
import { type Draft, type KeptFile, MAX_ITEMS, type Problem, type SentFile } from "./model.ts";

const LAST_MILLISECOND_OF_DAY = 86_399_999;

/** Names that choosers of files go by; what a file is, its content says. */
const ACCEPT =
  "audio/*,.wav,.aif,.aiff,.flac,.mp3,.m4a,.mp4,.aac,.ogg,.opus,.caf,.w64,.wv,.wma,.au,.mp2,.ac3,.tta,.dsf,.ape";

export type SubmitPageProps = {
  root: string;
  door: Door;
  /** Of the page itself. */
  action: string;
  maxFileBytes: number;
  draft: Draft;
  kept: readonly KeptFile[];
  problems: readonly Problem[];
  /** Wrong with the form as a whole. */
  error?: string | undefined;
};

/** A brief for those who may send something to it: what is asked for, and a form that needs no JavaScript. */
export function SubmitPage(props: SubmitPageProps) {
  const { root, door } = props;
  const description = door.description ?? `Send your music to ${door.ownerName}.`;
  return (
    <Page
      title={`${door.name} · Submit music`}
      root={root}
      width="wide"
      script="submit.js"
      // Somebody's own link says nothing where it is pasted.
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
      <p class="brief-privacy">Only {ownerName} hears what you send. It is published nowhere.</p>
    </section>
  );
}

/** A deadline at the end of a day is that day. */
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
      {/* Left empty by people, who do not see it. */}
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
          label="Links, one a line"
          name="links"
          rows={2}
          maxLength={20_000}
          value={draft.links}
          error={wrong("links") && `${wrong("links")}.`}
          hint="To music that is somewhere else already. Whoever has the link must be able to listen."
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
          hint={`So that ${door.ownerName} can answer you.`}
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

/** What is chosen, and what is there already. */
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
          Up to {MAX_ITEMS} files and links, 1 GB a file. WAV, AIFF, FLAC, MP3, AAC, ALAC, Ogg, Opus or
          another usual audio format.
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
  /** Shows what was sent, for as long as the brief is there. */
  receiptHref: string;
  /** Where the form for a new account leads; undefined: this server takes nobody. */
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
          <a href={receiptHref}>Your receipt</a> shows what you sent. Keep its link to look at it later.
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
      <p class="soft">An account on this server: a library, links to share, numbers on who listened.</p>
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
    "Whoever asked for music has closed it. Ask them if you still want to send something.",
  ],
  closed: ["Submissions are closed", "This call for music is over. Thank you for your interest."],
  past: ["The deadline has passed", "This call for music is over. Thank you for your interest."],
} as const;

/** Says kindly that a page takes nothing any more. */
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
