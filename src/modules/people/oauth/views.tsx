/** @jsxRuntime automatic @jsxImportSource preact */
import type { Need } from "../../../kernel/roles.ts";
import { ASSIGNABLE_SCOPES, isAssignable } from "../../../kernel/scopes.ts";
import { Button, ButtonLink, Card, Checkbox, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import type { Client } from "./client.ts";
import { isLoopback, redirectHost } from "./redirect-uri.ts";
import { isReading, SCOPE_SENTENCES, TOOL_SCOPES } from "./scopes.ts";
import { GRANT_IDLE_DAYS } from "./shapes.ts";

type ConsentProps = {
  root: string;
  user: { email: string };
  client: Client;
  question: { redirectUri: string; scopes: readonly string[] };
  /** Sent with the answer; works once. */
  token: string;
  /** What it is let into, and what it is called there. */
  library: { id: string; name: string };
  /** What the person's role allows: an app gets nothing else. */
  needs: ReadonlySet<Need>;
  error: string | undefined;
};

/** Asks whether to let a client in, and for what. It shows, in order: who, where to, what, then the two answers. */
export function ConsentView({ root, user, client, question, token, library, needs, error }: ConsentProps) {
  // A client that asks for every scope has rarely thought about it, so the owner ticks the scopes that change data.
  const wantsAll = question.scopes.length === ASSIGNABLE_SCOPES.length;
  const scopes = question.scopes.filter(isAssignable).filter((scope) => needs.has(scope));
  const further = TOOL_SCOPES.filter((scope) => !scopes.includes(scope) && needs.has(scope));
  return (
    <Page title={`Let ${client.name} in?`} root={root} aside={user.email}>
      <Card title={`Let ${client.name} into ${library.name}?`}>
        {error && <Notice kind="error">{error}.</Notice>}
        <dl class="facts">
          {client.host !== null && <dt>Comes from</dt>}
          {client.host !== null && (
            <dd>
              <strong>{client.host}</strong>
            </dd>
          )}
          <dt>Answer goes to</dt>
          <dd>
            <strong>{redirectHost(question.redirectUri)}</strong>
            {isLoopback(question.redirectUri) && ", this computer"}
          </dd>
        </dl>
        {client.host === null && (
          <Notice>
            This app registered itself, and any app can use this name. Continue only if you started connecting
            it just now.
          </Notice>
        )}
        <form method="post" action={`${root}/oauth/consent`}>
          <input type="hidden" name="request" value={token} />
          <input type="hidden" name="library" value={library.id} />
          {scopes.length === 0 ? (
            <Notice>Your role in this library allows none of what it asks for.</Notice>
          ) : (
            <fieldset>
              <legend>It may</legend>
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  name="scope"
                  value={scope}
                  label={SCOPE_SENTENCES[scope]}
                  hint={scope}
                  checked={!wantsAll || isReading(scope)}
                />
              ))}
            </fieldset>
          )}
          {further.length > 0 && (
            <details>
              <summary>Let it do more</summary>
              <fieldset>
                <legend>It did not ask for this. Tick what it may do as well</legend>
                {further.map((scope) => (
                  <Checkbox
                    key={scope}
                    name="further"
                    value={scope}
                    label={SCOPE_SENTENCES[scope]}
                    hint={scope}
                  />
                ))}
              </fieldset>
            </details>
          )}
          <p class="field-hint">
            You can shut it out at any time. After {GRANT_IDLE_DAYS} days without a visit, its access ends
            automatically.
          </p>
          <div class="actions">
            <Button name="decision" value="allow">
              Let it in
            </Button>
            <Button kind="secondary" name="decision" value="deny">
              Refuse
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  );
}

type ChoiceProps = {
  root: string;
  client: Client;
  choices: readonly { id: string; name: string; href: string }[];
};

/** Asks somebody with several libraries which of them a client is let into. */
export function LibraryChoiceView({ root, client, choices }: ChoiceProps) {
  return (
    <Page title="Which library?" root={root}>
      <Card title="Which library?" lead={`${client.name} would be let into one of them.`}>
        <div class="actions">
          {choices.map(({ id, name, href }) => (
            <ButtonLink key={id} kind="secondary" href={href}>
              {name}
            </ButtonLink>
          ))}
        </div>
      </Card>
    </Page>
  );
}

/** Says that the answer is on its way, with a link for browsers that do not refresh. */
export function LeavingView({
  root,
  clientName,
  location,
}: {
  root: string;
  clientName: string;
  location: string;
}) {
  return (
    <Page title="Going back" root={root}>
      <Card title={`Going back to ${clientName}`} lead="You can close this page once the app takes over.">
        <div class="actions">
          <ButtonLink href={location}>Go back now</ButtonLink>
        </div>
      </Card>
    </Page>
  );
}

/** What to do about an app that cannot be let in. */
export function RefusalDetail({ code }: { code: string }) {
  return (
    <>
      <p>
        Nothing was shared. Go back to the app and connect it again. If that does not help, tell its
        developers:
      </p>
      <p>
        <code>{code}</code>
      </p>
    </>
  );
}
