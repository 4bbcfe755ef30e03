/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, ButtonLink, Card, Field, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { MAX_EMAIL, MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from "../../people/people/shapes.ts";
import type { Door } from "../briefs/service.ts";
import type { SentFile } from "./shapes.ts";

export type ThanksPageProps = {
  root: string;
  door: Door;
  files: readonly SentFile[];
  links: readonly string[];
  count: number;
  formHref: string;
  /** Address of the page that shows the submission, for as long as the brief exists. */
  receiptHref: string;
  /** Address of the form for a new account; undefined when registration is closed. */
  signUpAction: string | undefined;
  signUp?: { email: string; name: string; error: string } | undefined;
};

/** Lists the files received, and thanks for them. */
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
          maxLength={MAX_NAME}
          value={retry?.name}
        />
        <Field
          label="E-mail"
          name="email"
          type="email"
          autocomplete="email"
          required
          maxLength={MAX_EMAIL}
          value={retry?.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minLength={MIN_PASSWORD}
          maxLength={MAX_PASSWORD}
          hint={`At least ${MIN_PASSWORD} characters.`}
        />
        <Button kind="secondary">Make an account</Button>
      </form>
    </section>
  );
}
