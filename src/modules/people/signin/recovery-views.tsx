/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, Card, Field, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { MAX_EMAIL } from "../people/shapes.ts";
import { MAX_RECOVERY_CODE } from "./shapes.ts";

/** `/signin/recovery`. */
export function RecoveryPage({
  root,
  next,
  error,
  email,
}: {
  root: string;
  next: string;
  error?: string | undefined;
  email?: string | undefined;
}) {
  return (
    <Page title="Use a recovery code" root={root}>
      <Card
        title="Use a recovery code"
        lead="One of the ten that you kept when you set them up. It works once."
      >
        {error && <Notice kind="error">{error}.</Notice>}
        <form method="post" action={`${root}/signin/recovery`}>
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
            label="Recovery code"
            name="code"
            autocomplete="one-time-code"
            spellcheck={false}
            required
            maxLength={MAX_RECOVERY_CODE}
          />
          <Button>Sign in</Button>
        </form>
        <p class="soft">
          <a href={`${root}/signin?next=${encodeURIComponent(next)}`}>Sign in in another way</a>
        </p>
      </Card>
    </Page>
  );
}
