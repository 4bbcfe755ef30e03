/** @jsxRuntime automatic @jsxImportSource preact */
import { Value } from "@sinclair/typebox/value";
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse } from "../../../pages/respond.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import type { AccountLimits } from "./attempts.ts";
import { PasswordChangedPage, ResetPage } from "./reset-views.tsx";
import { getReset, resetPassword } from "./resets.ts";
import { MAX_PASSWORD, MIN_PASSWORD, Password } from "./shapes.ts";

const readReset = formReader("token", "email", "password");

/** `/reset`: sets a new password with a link from the operator. Opening the page does not use the link up. */
export const resetPages = (deps: Deps, visitors: Visitors, limits: AccountLimits): Route[] => {
  const root = pageRootOf(deps.settings);
  const attemptsOf = (request: Request) => limits.reset("", rateLimitKey(stateOf(request).ip));
  const form = (request: Request, token: string, refusal?: DomainError) => {
    const { email } = getReset(deps, token, attemptsOf(request));
    return htmlResponse(
      <ResetPage root={root} token={token} email={email} error={refusal?.message} />,
      refusal && { status: STATUS[refusal.code], headers: refusal.headers },
    );
  };

  const change = async (request: Request): Promise<Response> => {
    if (!isFromOwnPage(visitors, request))
      throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
    const fields = await readReset(request);
    const [token, password] = [fields.get("token") ?? "", fields.get("password") ?? ""];
    if (!Value.Check(Password, password))
      return form(
        request,
        token,
        new DomainError("validation_failed", `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`),
      );
    try {
      await resetPassword(deps, token, password, attemptsOf(request));
    } catch (thrown) {
      const refusal = toDomainError(thrown);
      if (refusal.code !== "rate_limit_exceeded") throw thrown;
      return form(request, token, refusal);
    }
    return htmlResponse(<PasswordChangedPage root={root} />);
  };

  /** Shows the page of a link that does not work as such. */
  const answer = (handler: () => Response | Promise<Response>) =>
    asPage(root, async () => {
      try {
        return await handler();
      } catch (thrown) {
        if (!(thrown instanceof DomainError) || thrown.code !== "invalid_link") throw thrown;
        const lead = "It has been used or has expired. Ask the person who runs this server for a new one.";
        return messageResponse({ title: "This link does not work", lead, status: 410, root });
      }
    });

  return [
    route({
      at: "GET /reset",
      run: ({ request }) => answer(() => form(request, new URL(request.url).searchParams.get("token") ?? "")),
    }),
    route({ at: "POST /reset", run: ({ request }) => answer(() => change(request)) }),
  ];
};
