/** @jsxRuntime automatic @jsxImportSource preact */
import { Value } from "@sinclair/typebox/value";
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { SESSION_COOKIE } from "../../../http/session-token.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { isBlank } from "../../../kernel/text.ts";
import { formReader } from "../../../pages/form.ts";
import { isHttps, pageRootOf } from "../../../pages/paths.ts";
import { cookie, htmlResponse, redirect } from "../../../pages/respond.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import { isUnclaimed, register } from "../../people/accounts/service.ts";
import { Register } from "../../people/accounts/shapes.ts";
import { MAX_EMAIL, MAX_NAME, MIN_PASSWORD, SESSION_IDLE_SEC } from "../../people/people/shapes.ts";
import { findBatch } from "../briefs/service.ts";
import { brandFor } from "./brand-pages.ts";
import { getDoor, type Submissions } from "./context.ts";
import { listBatchFiles } from "./queries.ts";
import { receiptPath } from "./receipt-pages.tsx";
import { ThanksPage, type ThanksPageProps } from "./thanks-views.tsx";

const readSignUp = formReader("email", "name", "password");

type ThanksAsked = {
  token: string;
  batch: string;
  signUp?: ThanksPageProps["signUp"];
  refusal?: DomainError;
};

/** Shows what was submitted, and offers an account where the server takes new ones. */
export function thank(
  submissions: Submissions,
  { token, batch, signUp, refusal }: ThanksAsked,
): Promise<Response> {
  const { deps } = submissions;
  const root = pageRootOf(deps.settings);
  const door = getDoor(submissions, token);
  const found = findBatch(deps.db, batch);
  if (found?.briefId !== door.briefId) throw new DomainError("not_found", "There is nothing at this address");
  const mayRegister = deps.settings.registrationOpen && !isUnclaimed(deps);
  return htmlResponse(
    <ThanksPage
      root={root}
      door={door}
      files={listBatchFiles(deps.db, batch)}
      links={found.links}
      count={found.count}
      formHref={`${root}/submit/${token}`}
      receiptHref={receiptPath(deps, batch)}
      signUpAction={mayRegister ? `${root}/submit/${token}/received/${batch}` : undefined}
      signUp={signUp}
    />,
    {
      brand: brandFor(deps, door.ownerId),
      ...(refusal && { status: STATUS[refusal.code], headers: refusal.headers }),
    },
  );
}

/** Creates an account for a visitor who has just submitted, and records the brief that brought them. */
export async function signUp(
  submissions: Submissions,
  visitors: Visitors,
  request: Request,
  { token, batch }: { token: string; batch: string },
): Promise<Response> {
  const { deps, registerLimit } = submissions;
  if (!isFromOwnPage(visitors, request))
    throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
  const door = getDoor(submissions, token);
  const form = await readSignUp(request);
  const [email, name, password] = [
    form.get("email") ?? "",
    form.get("name") ?? "",
    form.get("password") ?? "",
  ];
  const input = { email, name, password, ...(door.isFileRequest && { cameByBriefId: door.briefId }) };
  try {
    if (findBatch(deps.db, batch)?.briefId !== door.briefId)
      throw new DomainError("not_found", "There is nothing at this address");
    if (!Value.Check(Register, input) || isBlank(name))
      throw new DomainError(
        "validation_failed",
        `Please give a name, an e-mail address, and a password of at least ${MIN_PASSWORD} characters`,
      );
    const { ip } = stateOf(request);
    const client = { ip, userAgent: request.headers.get("user-agent") };
    const attempts = registerLimit("", rateLimitKey(ip));
    const session = await register(deps, input, client, { setupCode: () => undefined, attempts });
    const path = `${pageRootOf(deps.settings)}/`;
    const options = { path, isSecure: isHttps(deps.settings, request), maxAgeSec: SESSION_IDLE_SEC };
    return redirect(path, [cookie(SESSION_COOKIE, session.token, options)]);
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error" || refusal.code === "not_found") throw thrown;
    const typed = { email: email.slice(0, MAX_EMAIL), name: name.slice(0, MAX_NAME), error: refusal.message };
    return thank(submissions, { token, batch, signUp: typed, refusal });
  }
}
