/** @jsxRuntime automatic @jsxImportSource preact */
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { ButtonLink } from "../../../pages/components.tsx";
import { messageResponse } from "../../../pages/message.tsx";
import { isHttps, pageRootOf, safePath } from "../../../pages/paths.ts";
import { cookie, htmlResponse, redirect } from "../../../pages/respond.ts";
import { sessionCookie } from "../../../pages/session-cookie.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import type { AccountLimits } from "../people/service.ts";
import { SESSION_IDLE_SEC } from "../people/shapes.ts";
import { TakenPage } from "./provider-views.tsx";
import {
  type Beyond,
  beginProvider,
  type Finished,
  finishProvider,
  type Provider,
  takenInWords,
} from "./service.ts";
import { PROVIDER_FLOW_MINUTES } from "./shapes.ts";

/** Binds a sign-in by the provider to the browser that began it. */
const FLOW_COOKIE = "dubplate_flow";
const FLOW_SEC = PROVIDER_FLOW_MINUTES * 60;

type ProviderPages = {
  deps: Deps;
  visitors: Visitors;
  limits: AccountLimits;
  provider: Provider;
  beyond: Beyond;
};

/** `/auth/provider`: to the house's own provider and back. Signed in, it connects the provider, or proves who is there. */
export const providerPages = (pages: ProviderPages): Route[] => [
  route({ at: "GET /auth/provider", run: ({ request }) => answer(pages, () => begin(pages, request)) }),
  route({
    at: "GET /auth/provider/callback",
    run: ({ request }) => answer(pages, () => finish(pages, request)),
  }),
];

async function begin(pages: ProviderPages, request: Request): Promise<Response> {
  const { deps, visitors, limits, provider } = pages;
  const { settings } = deps;
  const root = pageRootOf(settings);
  const asked = new URL(request.url).searchParams;
  const actor = visitors.personOf(request);
  const isProof = asked.get("for") === "proof";
  const next = safePath(asked.get("next"), `${root}/`);
  if (settings.provider && isProof && !actor) return redirect(`${root}/signin`);
  if (settings.provider && actor) requireOwnPage(deps, visitors, request);
  const links = limits.reset("", rateLimitKey(stateOf(request).ip));
  const invitation = { token: asked.get("invitation"), links };
  const { url, token } = await beginProvider(deps, provider, { actor, isProof, next, invitation });
  return redirect(url, [flowCookie(deps, request, token, FLOW_SEC)]);
}

async function finish(pages: ProviderPages, request: Request): Promise<Response> {
  const { deps, visitors, provider, beyond } = pages;
  const finished = await finishProvider(deps, provider, beyond, {
    token: new Bun.CookieMap(request.headers.get("cookie") ?? "").get(FLOW_COOKIE) ?? "",
    answer: new URL(request.url).searchParams,
    actor: visitors.personOf(request),
    client: { ip: stateOf(request).ip, userAgent: request.headers.get("user-agent") },
  });
  return goOn(deps, request, finished);
}

function goOn({ settings, now }: Deps, request: Request, finished: Finished): Response | Promise<Response> {
  const root = pageRootOf(settings);
  const joined = finished.is === "signed in" ? finished.joined : null;
  const next = joined === null ? safePath(finished.next, `${root}/`) : `${root}/library?in=${joined}`;
  const cookies = [flowCookie({ settings }, request, "", 0)];
  if (finished.is !== "signed in") return redirect(next, cookies);
  const { token, expiresAt } = finished.signedIn;
  const lastsSec = Math.ceil((Date.parse(expiresAt) - now()) / SECOND_MS);
  cookies.push(sessionCookie(settings, request, token, Math.min(lastsSec, SESSION_IDLE_SEC)));
  const taken = finished.taken ? takenInWords(finished.taken) : [];
  if (taken.length === 0) return redirect(next, cookies);
  const page = <TakenPage root={root} next={next} provider={settings.provider?.name ?? ""} taken={taken} />;
  return htmlResponse(page, { cookies });
}

/** A refusal is one sentence, with the way back to the other ways to sign in. */
async function answer({ deps }: ProviderPages, handler: () => Promise<Response>): Promise<Response> {
  const root = pageRootOf(deps.settings);
  try {
    return await handler();
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error") throw thrown;
    return messageResponse({
      title: refusal.code === "not_found" ? "Nothing here" : "You are not signed in",
      lead: `${refusal.message}.`,
      status: STATUS[refusal.code],
      headers: refusal.headers,
      root,
      children: <ButtonLink href={`${root}/signin`}>Sign in</ButtonLink>,
    });
  }
}

/**
 * Stops another site from connecting a browser that is signed in here with an account of its own at the provider. Browsers say
 * where a navigation came from, but over plain http only by the page's address.
 *
 * @throws DomainError `origin_not_allowed`.
 */
function requireOwnPage({ settings }: Deps, { ownOrigins }: Visitors, request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  const from = request.headers.get("referer");
  const { protocol, hostname } = new URL(publicUrlOf(settings));
  const saysSite = protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isOwn =
    site !== null
      ? site === "same-origin"
      : from === null
        ? saysSite // no browser then
        : URL.canParse(from) && ownOrigins.has(new URL(from).origin);
  if (!isOwn) throw new DomainError("origin_not_allowed", "Please use the button on the page of this server");
}

function flowCookie(
  { settings }: Pick<Deps, "settings">,
  request: Request,
  token: string,
  maxAgeSec: number,
) {
  const path = `${pageRootOf(settings)}/auth`;
  return cookie(FLOW_COOKIE, token, { path, isSecure: isHttps(settings, request), maxAgeSec });
}
