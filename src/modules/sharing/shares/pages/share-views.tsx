/** @jsxRuntime automatic @jsxImportSource preact */

import { momentInYear } from "../../../../kernel/dates.ts";
import { Button, Card, Field, Notice } from "../../../../pages/components.tsx";
import { Page } from "../../../../pages/layout.tsx";
import { MAX_LINK_PASSWORD, type SharedEntity } from "../shapes.ts";

type Common = {
  root: string;
  /** The account that shares. Its disc is all that the page shows of it. */
  ownerId: string;
};

/** Asks for a link's password, and reveals nothing behind it. */
export function PasswordPage({
  root,
  ownerId,
  action,
  error,
}: Common & { action: string; error?: string | undefined }) {
  return (
    <Page title="A private link" root={root}>
      <Card
        title="A private link"
        lead="Ask the person who sent it to you for the password."
        sender={ownerId}
      >
        {error && <Notice kind="error">{error}.</Notice>}
        <form method="post" action={action}>
          <Field
            label="Password"
            name="password"
            type="password"
            required
            autocomplete="off"
            maxLength={MAX_LINK_PASSWORD}
          />
          <Button>Open</Button>
        </form>
      </Card>
    </Page>
  );
}

const ENDINGS = {
  "not-yet": (entity) => [
    `This ${entity} is not shared yet`,
    "The person who made it has not opened this link. Ask them to share it.",
  ],
  off: (entity) => [
    `This ${entity} is not shared at the moment`,
    "The person who sent the link has turned it off. Ask them if you still need it.",
  ],
  revoked: () => [
    "This link was closed",
    "The person who sent it has closed it. Ask them for a new one if you still need it.",
  ],
  expired: () => [
    "This link has ended",
    "It was open only for a limited time. Ask the person who sent it for a new one.",
  ],
  closed: () => [
    "This link is not available",
    "The library that it belongs to is closed at the moment. Ask the person who sent it.",
  ],
  "used-up": () => [
    "This link has been used",
    "It was open for a limited number of visits. Ask the person who sent it for a new one.",
  ],
  gone: () => [
    "This music is no longer here",
    "It was removed from the library. Ask the person who sent you the link.",
  ],
} as const satisfies Record<string, (entity: SharedEntity) => readonly [title: string, lead: string]>;

/** Explains that a link opens nothing: not any more, or not yet. */
export function EndedPage({
  root,
  ownerId,
  entity,
  reason,
}: Common & { entity: SharedEntity; reason: keyof typeof ENDINGS }) {
  const [title, lead] = ENDINGS[reason](entity);
  return (
    <Page title={title} root={root}>
      <Card title={title} lead={lead} sender={ownerId} />
    </Page>
  );
}

/** Says when a link opens, and nothing of what it leads to. */
export function EarlyPage({ root, ownerId, opensAt, now }: Common & { opensAt: number; now: number }) {
  const sentence = `This opens on ${momentInYear(opensAt, now)}.`;
  return (
    <Page title={sentence} root={root} script="opens.js">
      <Card title={sentence} sender={ownerId}>
        <p class="lead" id="opens" data-at={opensAt} data-left={opensAt - now}>
          The time is in UTC.
        </p>
      </Card>
    </Page>
  );
}

/**
 * Shows bots a link with limited visits: the name for a preview, and nothing to play. A person mistaken for a bot
 * presses the button.
 */
export function PreviewPage({
  root,
  ownerId,
  preview,
  entity,
  action,
  proof,
}: Common & {
  preview: { title: string; description: string };
  entity: "track" | "playlist";
  action: string;
  proof: { e: string; s: string };
}) {
  return (
    <Page title={preview.title} root={root} preview={preview}>
      <Card title={preview.title} lead={preview.description} sender={ownerId}>
        <p>This link opens a limited number of times, so it waits for a person.</p>
        <form method="post" action={action}>
          <input type="hidden" name="e" value={proof.e} />
          <input type="hidden" name="s" value={proof.s} />
          <Button>Open the {entity}</Button>
        </form>
      </Card>
    </Page>
  );
}
