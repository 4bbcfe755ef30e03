/** @jsxRuntime automatic @jsxImportSource preact */
import { Value } from "@sinclair/typebox/value";
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { Button, Card, Field, Notice } from "../../../pages/components.tsx";
import { formReader } from "../../../pages/form.ts";
import { Page } from "../../../pages/layout.tsx";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse } from "../../../pages/respond.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import { type AccountLimits, normaliseEmail } from "../people/service.ts";
import { Email, MAX_EMAIL } from "../people/shapes.ts";
import { askForReset } from "./forgot.ts";

const readForgot = formReader("email");
const NO_ADDRESS = "Please give an e-mail address, such as mara@label.example";

/** `/forgot`: asks for a link with which to choose a new password. It is there where mails are sent. */
export const forgotPages = (deps: Deps, visitors: Visitors, limits: AccountLimits): Route[] => {
  const root = pageRootOf(deps.settings);
  if (deps.settings.mail === undefined) return [];

  const note = (request: Request, email: string) => {
    if (!Value.Check(Email, email)) throw new DomainError("validation_failed", NO_ADDRESS);
    const client = rateLimitKey(stateOf(request).ip);
    askForReset(deps, email, [limits.forgotten(normaliseEmail(email), ""), limits.forgetful("", client)]);
  };
  const askAgain = (email: string, { message, code, headers }: DomainError) =>
    htmlResponse(<ForgotPage root={root} email={email} error={message} />, {
      status: STATUS[code],
      headers,
    });

  return [
    route({ at: "GET /forgot", run: () => asPage(root, () => htmlResponse(<ForgotPage root={root} />)) }),
    route({
      at: "POST /forgot",
      run: ({ request }) =>
        asPage(root, async () => {
          if (!isFromOwnPage(visitors, request))
            throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
          const email = (await readForgot(request)).get("email") ?? "";
          const refusal = refusalOf(() => note(request, email));
          if (refusal) return askAgain(email, refusal);
          return messageResponse({
            title: "Look at your mail",
            lead: "If this address has a sign-in here, a link is on its way.",
            root,
          });
        }),
    }),
  ];
};

/** Returns a refusal that can be shown on the page; throws anything else. */
function refusalOf(work: () => void): DomainError | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error") throw thrown;
    return refusal;
  }
}

function ForgotPage({ root, email, error }: { root: string; email?: string; error?: string }) {
  return (
    <Page title="New password" root={root}>
      <Card title="New password" lead="We send you a link with which you choose one.">
        {error && <Notice kind="error">{error}.</Notice>}
        <form method="post" action={`${root}/forgot`}>
          <Field
            label="E-mail address"
            name="email"
            type="email"
            autocomplete="username"
            required
            value={email}
            maxLength={MAX_EMAIL}
          />
          <Button>Send the link</Button>
        </form>
        <p class="soft">
          <a href={`${root}/signin`}>Back to signing in</a>
        </p>
      </Card>
    </Page>
  );
}
