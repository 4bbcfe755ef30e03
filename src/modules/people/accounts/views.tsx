/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, ButtonLink, Card, Field, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { MAX_EMAIL, MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from "../people/shapes.ts";
import { MAX_SETUP_CODE } from "./shapes.ts";

type Common = { root: string };
type FormProps = Common & { error?: string | undefined; email?: string | undefined };

/** `/signin`. */
export function SignInPage({
  root,
  next,
  error,
  email,
  mayRegister,
  hasPasskeys,
  hasPasswords,
  mayForget,
  provider,
}: FormProps & {
  next: string;
  mayRegister: boolean;
  hasPasskeys: boolean;
  /** False: only the operator has one. */
  hasPasswords: boolean;
  /** The server sends mails. */
  mayForget: boolean;
  /** What people call the house's own provider. */
  provider: string | undefined;
}) {
  const asked = `next=${encodeURIComponent(next)}`;
  const byPassword = <PasswordForm root={root} next={next} email={email} />;
  return (
    <Page title="Sign in" root={root} {...(hasPasskeys && { script: "signin.js" })}>
      <Card title="Sign in" lead="To your library on this server.">
        {error && <Notice kind="error">{error}.</Notice>}
        {hasPasswords && byPassword}
        {hasPasswords && mayForget && <ForgottenLink root={root} />}
        {hasPasskeys && <PasskeyForm root={root} next={next} />}
        {provider !== undefined && (
          <p class="other-way">
            <ButtonLink kind="secondary" href={`${root}/auth/provider?${asked}`}>
              Sign in with {provider}
            </ButtonLink>
          </p>
        )}
        <p class="soft">
          <a href={`${root}/signin/recovery?${asked}`}>Use a recovery code</a>
        </p>
        {!hasPasswords && (
          <details open={error !== undefined}>
            <summary>Sign in as the operator</summary>
            {byPassword}
            {mayForget && <ForgottenLink root={root} />}
          </details>
        )}
        {mayRegister && (
          <p class="soft">
            No account yet? <a href={`${root}/signup`}>Create one</a>.
          </p>
        )}
      </Card>
    </Page>
  );
}

function ForgottenLink({ root }: Common) {
  return (
    <p class="soft">
      <a href={`${root}/forgot`}>Forgotten your password?</a>
    </p>
  );
}

function PasswordForm({ root, next, email }: Common & { next: string; email: string | undefined }) {
  return (
    <form method="post" action={`${root}/signin`}>
      <input type="hidden" name="next" value={next} />
      <Field
        label="E-mail address"
        name="email"
        type="email"
        autocomplete="username"
        required
        value={email}
        maxLength={MAX_EMAIL}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxLength={MAX_PASSWORD}
      />
      <Button>Sign in</Button>
    </form>
  );
}

/** A script shows it, asks the devices of the person, and sends their answer. */
function PasskeyForm({ root, next }: Common & { next: string }) {
  return (
    <form
      class="other-way"
      id="passkey"
      method="post"
      action={`${root}/signin`}
      data-options={`${root}/auth/passkey/options`}
      hidden
    >
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="answer" id="passkey-answer" />
      <Button kind="secondary">Sign in with a passkey</Button>
      <p class="field-error" id="passkey-problem" role="alert" hidden />
    </form>
  );
}

/** `/setup` for the first account, `/signup` for later ones where registration is open. */
export function RegisterPage({
  root,
  isFirst,
  error,
  email,
  name,
}: FormProps & { isFirst: boolean; name?: string | undefined }) {
  const title = isFirst ? "Set up your library" : "Create an account";
  const lead = isFirst
    ? "Create the first account on this server. It belongs to you alone."
    : "Get your own library on this server.";
  return (
    <Page title={title} root={root}>
      <Card title={title} lead={lead}>
        {error && <Notice kind="error">{error}.</Notice>}
        <form method="post" action={`${root}/${isFirst ? "setup" : "signup"}`}>
          {isFirst && (
            <Field
              label="Set-up code"
              name="setupCode"
              required
              autocomplete="off"
              spellcheck={false}
              maxLength={MAX_SETUP_CODE}
              hint="The server printed it at its first start, in the terminal or the log."
            />
          )}
          <Field
            label="Your name"
            name="name"
            autocomplete="name"
            required
            maxLength={MAX_NAME}
            value={name}
          />
          <Field
            label="E-mail address"
            name="email"
            type="email"
            autocomplete="username"
            required
            maxLength={MAX_EMAIL}
            value={email}
          />
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
          <Button>Create account</Button>
        </form>
      </Card>
    </Page>
  );
}

/** `/signup` where registration is closed. */
export function SignUpClosedPage({ root }: Common) {
  return (
    <Page title="Sign-up is closed" root={root}>
      <Card
        title="Sign-up is closed"
        lead="The person who runs this server creates its accounts. Ask them for one, or sign in if you have one."
      >
        <ButtonLink href={`${root}/signin`}>Sign in</ButtonLink>
      </Card>
    </Page>
  );
}

/** `/signout` by GET: asks first, because a link must not sign a visitor out. */
export function SignOutPage({ root, isEverywhere }: Common & { isEverywhere: boolean }) {
  const words = isEverywhere
    ? { title: "Sign out everywhere", lead: "On every device and in every browser, this one included." }
    : { title: "Sign out", lead: "Your library stays as it is." };
  return (
    <Page title={words.title} root={root}>
      <Card title={`${words.title}?`} lead={words.lead}>
        <form method="post" action={`${root}/signout${isEverywhere ? "?everywhere=on" : ""}`}>
          <div class="actions">
            <Button>{words.title}</Button>
            <ButtonLink kind="secondary" href={`${root}/`}>
              Stay
            </ButtonLink>
          </div>
        </form>
        {!isEverywhere && (
          <div class="other-way">
            <ButtonLink kind="quiet" href={`${root}/signout?everywhere=on`}>
              Sign out everywhere
            </ButtonLink>
          </div>
        )}
      </Card>
    </Page>
  );
}
