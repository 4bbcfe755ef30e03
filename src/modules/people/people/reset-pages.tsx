/** @jsxRuntime automatic @jsxImportSource preact */
import { Value } from "@sinclair/typebox/value";
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ButtonLink } from "../../../pages/components.tsx";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import { sessionCookie } from "../../../pages/session-cookie.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import { PasswordChangedPage, ResetPage, SignInByLinkPage } from "./reset-views.tsx";
import {
  type AccountLimits,
  getReset,
  maySignInByPassword,
  resetPassword,
  signInByReset,
} from "./service.ts";
import { MAX_PASSWORD, MIN_PASSWORD, Password, SESSION_IDLE_SEC } from "./shapes.ts";

const readReset = formReader("token", "email", "password");

/** `/reset`: sets a new password with a link from the operator, or signs in where passwords are off. Opening the page does not use the link up. */
export const resetPages = (deps: Deps, visitors: Visitors, limits: AccountLimits): Route[] => {
  const root = pageRootOf(deps.settings);
  const attemptsOf = (request: Request) => limits.reset("", rateLimitKey(stateOf(request).ip));
  const form = (request: Request, token: string, refusal?: DomainError) => {
    const { email, ...person } = getReset(deps, token, attemptsOf(request));
    const isByPassword = maySignInByPassword(deps.settings, person);
    return htmlResponse(
      isByPassword ? (
        <ResetPage root={root} token={token} email={email} error={refusal?.message} />
      ) : (
        <SignInByLinkPage root={root} token={token} email={email} error={refusal?.message} />
      ),
      refusal && { status: STATUS[refusal.code], headers: refusal.headers },
    );
  };

  const signIn = (request: Request, token: string): Response => {
    const client = { ip: stateOf(request).ip, userAgent: request.headers.get("user-agent") };
    const signedIn = signInByReset(deps, token, client, attemptsOf(request));
    return redirect(`${root}/library/settings/security`, [
      sessionCookie(deps.settings, request, signedIn.token, SESSION_IDLE_SEC),
    ]);
  };

  const setPassword = async (request: Request, token: string, password: string): Promise<Response> => {
    if (!Value.Check(Password, password)) {
      const words = `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`;
      return form(request, token, new DomainError("validation_failed", words));
    }
    try {
      await resetPassword(deps, token, password, attemptsOf(request));
    } catch (thrown) {
      const refusal = toDomainError(thrown);
      if (refusal.code !== "rate_limit_exceeded") throw thrown;
      return form(request, token, refusal);
    }
    return htmlResponse(<PasswordChangedPage root={root} />);
  };

  const change = async (request: Request): Promise<Response> => {
    if (!isFromOwnPage(visitors, request))
      throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
    const fields = await readReset(request);
    const token = fields.get("token") ?? "";
    const person = getReset(deps, token, attemptsOf(request));
    if (!maySignInByPassword(deps.settings, person)) return signIn(request, token);
    return setPassword(request, token, fields.get("password") ?? "");
  };

  /** Shows the page of a link that does not work as such. */
  const answer = (handler: () => Response | Promise<Response>) =>
    asPage(root, async () => {
      try {
        return await handler();
      } catch (thrown) {
        if (!(thrown instanceof DomainError) || thrown.code !== "invalid_link") throw thrown;
        return linkEnded(root, deps.settings.mail !== undefined);
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

/** The page of a link that does not work. Where mails are sent, people get another one by themselves. */
const linkEnded = (root: string, sendsMail: boolean) =>
  messageResponse({
    title: "This link does not work",
    lead: `It has been used or has expired. Ask ${sendsMail ? "" : "the person who runs this server "}for a new one.`,
    status: 410,
    root,
    children: sendsMail && <ButtonLink href={`${root}/forgot`}>Get a new link</ButtonLink>,
  });
