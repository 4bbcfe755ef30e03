/** @jsxRuntime automatic @jsxImportSource preact */
import { Value } from "@sinclair/typebox/value";
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { isBlank } from "../../../kernel/text.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage } from "../../../pages/message.tsx";
import { pageRootOf, safePath } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import { sessionCookie } from "../../../pages/session-cookie.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import { type AccountLimits, login, logout, normaliseEmail, revokeSessions } from "../people/service.ts";
import { MIN_PASSWORD, SESSION_IDLE_SEC } from "../people/shapes.ts";
import { signInWithPasskey } from "../signin/service.ts";
import { PasskeySignIn } from "../signin/shapes.ts";
import { isUnclaimed, register, type SetupCode } from "./service.ts";
import { Register } from "./shapes.ts";
import { RegisterPage, SignInPage, SignOutPage, SignUpClosedPage } from "./views.tsx";

const REGISTRATION = ["email", "name", "password", "setupCode"] as const;
/** `answer` is that of a device with a passkey, in the place of address and password. */
const readSignIn = formReader("email", "password", "next", "answer");
const readRegistration = formReader(...REGISTRATION);

type AccountPages = {
  deps: Deps;
  visitors: Visitors;
  limits: AccountLimits;
  setupCode: SetupCode;
};

/** `/`, `/signin`, `/signout`, `/setup` and `/signup`: forms that work without JavaScript. */
export const accountPages = (pages: AccountPages): Route[] => {
  const { deps, visitors } = pages;
  const root = pageRootOf(deps.settings);
  const nextOf = (next: string | null) => safePath(next, `${root}/`);
  const searchOf = (request: Request) => new URL(request.url).searchParams;

  return [
    route({ at: "GET /", run: ({ request }) => asPage(root, () => home(pages, request)) }),
    route({
      at: "GET /signin",
      run: ({ request }) =>
        asPage(root, () => {
          const next = searchOf(request).get("next");
          if (isUnclaimed(deps)) return redirect(`${root}/setup`);
          if (visitors.personOf(request)) return redirect(nextOf(next));
          return showSignIn(pages, { next });
        }),
    }),
    route({ at: "POST /signin", run: ({ request }) => asPage(root, () => signIn(pages, request)) }),
    route({
      at: "GET /signout",
      run: ({ request }) =>
        asPage(root, () =>
          visitors.personOf(request)
            ? htmlResponse(<SignOutPage root={root} isEverywhere={isEverywhere(request)} />)
            : redirect(`${root}/signin`),
        ),
    }),
    route({ at: "POST /signout", run: ({ request }) => asPage(root, () => signOut(pages, request)) }),
    route({
      at: "GET /setup",
      run: () =>
        asPage(root, () => (isUnclaimed(deps) ? showRegister(pages, {}) : redirect(`${root}/signin`))),
    }),
    route({ at: "POST /setup", run: ({ request }) => asPage(root, () => createFirst(pages, request)) }),
    route({ at: "GET /signup", run: () => asPage(root, () => showRegister(pages, {})) }),
    route({ at: "POST /signup", run: ({ request }) => asPage(root, () => createFirst(pages, request)) }),
  ];
};

/** A session leads to the console, a visitor without one to the sign-in page. */
function home({ deps, visitors }: AccountPages, request: Request): Response {
  const root = pageRootOf(deps.settings);
  if (visitors.personOf(request)) return redirect(`${root}/library`);
  return redirect(isUnclaimed(deps) ? `${root}/setup` : `${root}/signin`);
}

/** What a refused form shows again: the error, and the fields already filled in. */
type Retry = { error?: DomainError; email?: string; name?: string };

function showSignIn({ deps }: AccountPages, { next, error, email }: Retry & { next: string | null }) {
  const root = pageRootOf(deps.settings);
  const mayRegister = deps.settings.registrationOpen;
  return htmlResponse(
    <SignInPage
      root={root}
      next={next ?? ""}
      error={error?.message}
      email={email}
      mayRegister={mayRegister}
      hasPasskeys={deps.settings.passkeys}
      hasPasswords={deps.settings.passwords}
      mayForget={deps.settings.mail !== undefined}
      provider={deps.settings.provider?.name}
    />,
    statusOf(error),
  );
}

async function signIn(pages: AccountPages, request: Request): Promise<Response> {
  const { deps, limits } = pages;
  checkOrigin(pages, request);
  const form = await readSignIn(request);
  const [next, answer] = [form.get("next"), form.get("answer")];
  const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""];
  try {
    const attempts = limits.signIn(normaliseEmail(email), rateLimitKey(stateOf(request).ip));
    const { token } =
      answer === null
        ? await login(deps, { email, password }, clientOf(request), attempts)
        : await signInWithPasskey(deps, passkeyAnswer(answer), clientOf(request));
    return redirect(safePath(next, `${pageRootOf(deps.settings)}/`), [
      sessionCookie(deps.settings, request, token, SESSION_IDLE_SEC),
    ]);
  } catch (thrown) {
    return showSignIn(pages, { next, email, error: refusalOf(thrown) });
  }
}

/** @throws DomainError `validation_failed` for what no script of ours sends. */
function passkeyAnswer(text: string): PasskeySignIn {
  try {
    const answer: unknown = JSON.parse(text);
    if (Value.Check(PasskeySignIn, answer)) return answer;
  } catch {
    // It is no JSON.
  }
  throw new DomainError("validation_failed", "This passkey could not be read");
}

/** True when all sessions of the person are meant, not only this one. */
const isEverywhere = (request: Request) => new URL(request.url).searchParams.get("everywhere") === "on";

function signOut(pages: AccountPages, request: Request): Response {
  const { deps, visitors } = pages;
  checkOrigin(pages, request);
  const actor: PersonActor | undefined = visitors.personOf(request);
  if (actor && isEverywhere(request)) revokeSessions(deps, actor, undefined);
  if (actor) logout(deps, actor);
  const next = new URL(request.url).searchParams.get("next");
  return redirect(safePath(next, `${pageRootOf(deps.settings)}/signin`), [
    sessionCookie(deps.settings, request, "", 0),
  ]);
}

function showRegister({ deps, setupCode }: AccountPages, { error, email, name }: Retry): Promise<Response> {
  setupCode(); // the page asks for it, so it must have been announced
  const [root, isFirst] = [pageRootOf(deps.settings), isUnclaimed(deps)];
  if (!isFirst && !deps.settings.registrationOpen)
    return htmlResponse(<SignUpClosedPage root={root} />, { status: STATUS.registration_closed });
  return htmlResponse(
    <RegisterPage root={root} isFirst={isFirst} error={error?.message} email={email} name={name} />,
    statusOf(error),
  );
}

async function createFirst(pages: AccountPages, request: Request): Promise<Response> {
  const { deps, limits, setupCode } = pages;
  checkOrigin(pages, request);
  const form = await readRegistration(request);
  const input = Object.fromEntries(REGISTRATION.map((name) => [name, form.get(name) ?? ""]));
  try {
    if (!Value.Check(Register, input) || isBlank(input.name))
      throw new DomainError(
        "validation_failed",
        `Please give a name, an e-mail address, and a password of at least ${MIN_PASSWORD} characters`,
      );
    const attempts = limits.register("", rateLimitKey(stateOf(request).ip));
    const { token } = await register(deps, input, clientOf(request), { setupCode, attempts });
    return redirect(`${pageRootOf(deps.settings)}/`, [
      sessionCookie(deps.settings, request, token, SESSION_IDLE_SEC),
    ]);
  } catch (thrown) {
    const { email, name } = input;
    return showRegister(pages, { error: refusalOf(thrown), ...(email && { email }), ...(name && { name }) });
  }
}

/** Stops another site from signing its visitors in or out here. @throws DomainError `origin_not_allowed`. */
function checkOrigin({ visitors }: AccountPages, request: Request): void {
  if (isFromOwnPage(visitors, request)) return;
  throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
}

/** Returns a refusal that can be shown on the page; rethrows anything else. */
function refusalOf(thrown: unknown): DomainError {
  const refusal = toDomainError(thrown);
  if (refusal.code === "internal_error") throw thrown;
  return refusal;
}

function statusOf(error: DomainError | undefined) {
  return error ? { status: STATUS[error.code], headers: error.headers } : {};
}

function clientOf(request: Request) {
  return { ip: stateOf(request).ip, userAgent: request.headers.get("user-agent") };
}
