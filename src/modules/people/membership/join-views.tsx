/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { dayOf } from "../../../kernel/dates.ts";
import type { DomainError } from "../../../kernel/errors.ts";
import { Button, ButtonLink, Card, Field, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from "../people/shapes.ts";
import type { GivenRole } from "../team/shapes.ts";
import type { Visitor } from "./service.ts";

/** What becomes of somebody in each role. */
const WILL_BE: Readonly<Record<GivenRole, string>> = {
  manager: "You will be a manager: you may do everything except appoint managers and hand the library over.",
  producer: "You will be a producer: you add and change music, playlists and links, and work with briefs.",
  artist: "You will be an artist: you listen, comment, send music in and make playlists of your own.",
  listener: "You will be a listener: you listen and comment. You get no original files.",
};

/** The same for a guest of one playlist. */
const WILL_SEE: Readonly<Record<"artist" | "listener", string>> = {
  artist:
    "You will see this playlist, its tracks and what is said about them, and nothing else. You comment, get the original files and send versions in.",
  listener:
    "You will see this playlist, its tracks and what is said about them, and nothing else. You listen and comment.",
};

type Invited = {
  /** The playlist of a guest; null: the whole library. */
  room: string | null;
  email: string;
  role: GivenRole;
  library: string;
  accountId: string;
  /** Null: the operator, or an import. */
  inviter: string | null;
  memberUntil: number | null;
};

type JoinProps = {
  root: string;
  token: string;
  invitation: Invited;
  visitor: Exclude<Visitor, "late">;
  signedInAs?: string | undefined;
  error?: DomainError | undefined;
  name?: string | undefined;
  /** How people sign in on this server. */
  ways: { passwords: boolean; passkeys: boolean; provider: string | undefined };
};

/** `/join` with a link that works, or for somebody who is in the library already. */
export function JoinPage(props: JoinProps) {
  const { root, invitation, visitor, error } = props;
  const { inviter, library, role, memberUntil, room } = invitation;
  const where = room === null ? library : `“${room}” of ${library}`;
  const lead = room === null ? WILL_BE[role] : WILL_SEE[role === "artist" ? role : "listener"];
  const isIn = visitor === "member";
  const title = isIn
    ? `You are in ${library} already`
    : inviter === null
      ? `You are invited to ${where}`
      : `${inviter} invites you to ${where}`;
  return (
    <Page title={title} root={root}>
      <Card title={title} lead={isIn ? undefined : lead}>
        {!isIn && memberUntil !== null && <p>{`Until ${dayOf(memberUntil)}.`}</p>}
        {error && !isIn && <Notice kind="error">{sentenceOf(error)}</Notice>}
        <Way {...props} />
      </Card>
    </Page>
  );
}

/** How this visitor may join. */
function Way(props: JoinProps) {
  const { root, token, invitation, visitor, signedInAs } = props;
  const { email, library, accountId } = invitation;
  const here = encodeURIComponent(`${root}/join?token=${token}`);
  switch (visitor) {
    case "new":
      return (
        <>
          {(props.ways.passwords || props.ways.passkeys) && <NewForm {...props} />}
          <ByProvider {...props} />
        </>
      );
    case "no-way":
      return (
        <p>
          New people cannot sign in with a password on this server. Ask the person who runs it how to join.
        </p>
      );
    case "locked-out":
      return (
        <>
          <p>You already have a sign-in on this server. Sign in to join.</p>
          <JoinForm {...props}>
            <Address email={email} />
            <Field
              label="Password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              maxLength={MAX_PASSWORD}
            />
          </JoinForm>
        </>
      );
    case "known":
      return (
        <>
          <p>You already have a sign-in on this server. Sign in to join.</p>
          <ButtonLink href={`${root}/signin?next=${here}`}>Sign in</ButtonLink>
          <ByProvider {...props} />
        </>
      );
    case "invited":
      return (
        <JoinForm {...props}>
          <p class="soft">{`You are signed in as ${email}.`}</p>
        </JoinForm>
      );
    case "other":
      return (
        <>
          <p>{`You are signed in as ${signedInAs}. This invitation is for ${email}.`}</p>
          <form method="post" action={`${root}/signout?next=${here}`}>
            <Button>Sign out</Button>
          </form>
        </>
      );
    case "member":
      return <ButtonLink href={`${root}/library?in=${accountId}`}>{`Open ${library}`}</ButtonLink>;
  }
}

function NewForm(props: JoinProps) {
  return (
    <JoinForm {...props}>
      <Address email={props.invitation.email} />
      <Field
        label="Your name"
        name="name"
        autocomplete="name"
        required
        maxLength={MAX_NAME}
        value={props.name}
      />
      {props.ways.passwords ? (
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minLength={MIN_PASSWORD}
          maxLength={MAX_PASSWORD}
          hint={`At least ${MIN_PASSWORD} characters. A long sentence is a good password.`}
        />
      ) : (
        <p class="soft">Add a passkey right after joining: without one you cannot come back.</p>
      )}
    </JoinForm>
  );
}

/** Joins with the house's own provider, if it confirms the address. */
function ByProvider({ root, token, ways }: Pick<JoinProps, "root" | "token" | "ways">) {
  if (ways.provider === undefined) return null;
  const next = encodeURIComponent(`${root}/join?token=${token}`);
  return (
    <p class="other-way">
      <ButtonLink kind="secondary" href={`${root}/auth/provider?invitation=${token}&next=${next}`}>
        Join with {ways.provider}
      </ButtonLink>
    </p>
  );
}

/** For whom the invitation is. Password managers keep it with the password. */
const Address = ({ email }: { email: string }) => (
  <Field label="E-mail address" name="email" type="email" autocomplete="username" value={email} readOnly />
);

function JoinForm({
  root,
  token,
  children,
}: Pick<JoinProps, "root" | "token"> & { children: ComponentChildren }) {
  return (
    <form method="post" action={`${root}/join`}>
      <input type="hidden" name="token" value={token} />
      {children}
      <Button>Join</Button>
    </form>
  );
}

/** What was wrong, as a sentence. */
function sentenceOf({ message, data }: DomainError): string {
  const [issue] = (data?.errors ?? []) as readonly { path: string; detail: string }[];
  return issue ? `The ${issue.path} ${issue.detail}.` : `${message}.`;
}

/** `/join` with a link that was used, has ended or was withdrawn. */
export function LatePage({ root, title, library }: { root: string; title: string; library: string }) {
  return (
    <Page title={title} root={root}>
      <Card title={title} lead={`Ask ${library} for a new one.`} />
    </Page>
  );
}
