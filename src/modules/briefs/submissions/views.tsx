/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Card } from "../../../pages/components.tsx";
import { Cover, CoverShapes } from "../../../pages/cover.tsx";
import { Page } from "../../../pages/layout.tsx";
import { timeLeft } from "../../../pages/time-left.ts";
import { type Door, deadlineWords } from "../briefs/service.ts";
import { SubmitForm, type SubmitFormProps } from "./form-views.tsx";

type SubmitPageProps = SubmitFormProps & {
  root: string;
  /** The time, for what is left until the deadline. */
  at: number;
};

/** A brief as submitters see it: what the owner asks for, and a form that needs no JavaScript. */
export function SubmitPage(props: SubmitPageProps) {
  const { root, door, at } = props;
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
        <Brief door={door} at={at} />
        <SubmitForm {...props} />
      </div>
    </Page>
  );
}

function Brief({ door, at }: { door: Door; at: number }) {
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
        <dd>
          {deadline === null ? (
            "Until further notice"
          ) : (
            <>
              Until <time dateTime={new Date(deadline).toISOString()}>{deadlineWords(deadline)}</time>
              <span class="time-left" id="time-left" data-left={deadline - at}>
                {timeLeft(deadline - at)}
              </span>
            </>
          )}
        </dd>
        {request && (
          <>
            <dt>For</dt>
            <dd>{request.name ?? request.email}</dd>
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
      <Card title={title} lead={words} sender={door.ownerId}>
        {reason !== "off" && door.contactEmail && (
          <p>
            Questions: <a href={`mailto:${door.contactEmail}`}>{door.contactEmail}</a>
          </p>
        )}
      </Card>
    </Page>
  );
}
