/** @jsxRuntime automatic @jsxImportSource preact */
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage } from "../../../pages/message.tsx";
import { pageRootOf, safePath } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import { sessionCookie } from "../../../pages/session-cookie.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import { type AccountLimits, normaliseEmail } from "../people/service.ts";
import { SESSION_IDLE_SEC } from "../people/shapes.ts";
import { RecoveryPage } from "./recovery-views.tsx";
import { signInWithCode } from "./service.ts";

const readRecovery = formReader("email", "code", "next");

/** `/signin/recovery`: signs in with a recovery code, and leads to where a new way to sign in is set up. */
export const recoveryPages = (deps: Deps, visitors: Visitors, limits: AccountLimits): Route[] => {
  const root = pageRootOf(deps.settings);
  const security = `${root}/library/settings/security`;

  const signIn = async (request: Request): Promise<Response> => {
    if (!isFromOwnPage(visitors, request))
      throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
    const form = await readRecovery(request);
    const [email, code, next] = [form.get("email") ?? "", form.get("code") ?? "", form.get("next") ?? ""];
    const attempts = limits.signIn(normaliseEmail(email), rateLimitKey(stateOf(request).ip));
    const client = { ip: stateOf(request).ip, userAgent: request.headers.get("user-agent") };
    try {
      const { token } = signInWithCode(deps, { email, code }, client, attempts);
      return redirect(safePath(next, security), [
        sessionCookie(deps.settings, request, token, SESSION_IDLE_SEC),
      ]);
    } catch (thrown) {
      const refusal = toDomainError(thrown);
      if (refusal.code === "internal_error") throw thrown;
      const page = <RecoveryPage root={root} next={next} email={email} error={refusal.message} />;
      return htmlResponse(page, { status: STATUS[refusal.code], headers: refusal.headers });
    }
  };

  return [
    route({
      at: "GET /signin/recovery",
      run: ({ request }) =>
        asPage(root, () =>
          htmlResponse(
            <RecoveryPage root={root} next={new URL(request.url).searchParams.get("next") ?? ""} />,
          ),
        ),
    }),
    route({ at: "POST /signin/recovery", run: ({ request }) => asPage(root, () => signIn(request)) }),
  ];
};
