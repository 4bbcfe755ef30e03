/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, ButtonLink, Card, Field, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { MAX_PASSWORD, MIN_PASSWORD } from "./shapes.ts";

/** `/reset` with a link that works. The address is shown for its owner, and for their password manager. */
export function ResetPage({
  root,
  token,
  email,
  error,
}: {
  root: string;
  token: string;
  email: string;
  error?: string | undefined;
}) {
  return (
    <Page title="Choose a new password" root={root}>
      <Card title="Choose a new password" lead={`For ${email}. It signs you out everywhere.`}>
        {error && <Notice kind="error">{error}.</Notice>}
        <form method="post" action={`${root}/reset`}>
          <input type="hidden" name="token" value={token} />
          <input
            class="sr-only"
            type="email"
            name="email"
            value={email}
            autocomplete="username"
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            required
            minLength={MIN_PASSWORD}
            maxLength={MAX_PASSWORD}
            hint={`At least ${MIN_PASSWORD} characters. A long sentence is a good password.`}
          />
          <Button>Set the password</Button>
        </form>
      </Card>
    </Page>
  );
}

/** `/reset` with a link that works, where only the operator signs in with a password. */
export function SignInByLinkPage({
  root,
  token,
  email,
  error,
}: {
  root: string;
  token: string;
  email: string;
  error?: string | undefined;
}) {
  return (
    <Page title="Sign in" root={root}>
      <Card
        title="Sign in"
        lead={`As ${email}. It signs you out everywhere else, and leads to where you set up another way to sign in.`}
      >
        {error && <Notice kind="error">{error}.</Notice>}
        <form method="post" action={`${root}/reset`}>
          <input type="hidden" name="token" value={token} />
          <Button>Sign in</Button>
        </form>
      </Card>
    </Page>
  );
}

/** `/reset` after the password was set. */
export function PasswordChangedPage({ root }: { root: string }) {
  return (
    <Page title="Your password is changed" root={root}>
      <Card title="Your password is changed" lead="All sessions have ended. Sign in with the new password.">
        <ButtonLink href={`${root}/signin`}>Sign in</ButtonLink>
      </Card>
    </Page>
  );
}
