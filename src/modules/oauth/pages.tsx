/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { signalOf, stateOf } from "../../http/request-state.ts";
import type { SessionActor } from "../../kernel/actor.ts";
import type { Deps } from "../../kernel/deps.ts";
import { readForm } from "../../pages/form.ts";
import { asPage, messageResponse } from "../../pages/message.tsx";
import { pageRootOf } from "../../pages/paths.ts";
import { htmlResponse, redirect } from "../../pages/respond.ts";
import type { Visitors } from "../../pages/visitor.ts";
import { getSession } from "../accounts/service.ts";
import { answerAddress, readRedirect, readRequest } from "./authorization-request.ts";
import type { Client } from "./client.ts";
import { type ClientDocuments, createClientDocuments, isDocumentAddress } from "./client-document.ts";
import { allow, ask, deny, getQuestion } from "./consent.ts";
import { type Fields, readFields } from "./fields.ts";
import { OAuthError } from "./oauth-error.ts";
import { findRegisteredClient } from "./registration.ts";
import { ConsentView, LeavingView, RefusalDetail } from "./views.tsx";

/** What the pages stand on beside {@link Deps}. */
export type OAuthPageOptions = { visitors: Visitors; documents?: ClientDocuments };

/** The people's side of OAuth: `/oauth/authorize` asks, `/oauth/consent` takes the answer. No page needs JavaScript. */
export const oauthPages = (deps: Deps, options: OAuthPageOptions) => {
  const documents = options.documents ?? createClientDocuments(deps);
  const root = pageRootOf(deps.settings);
  return new Elysia()
    .get("/oauth/authorize", ({ request }) =>
      asPage(root, () =>
        orRefusalPage(root, () => authorize(deps, { ...options, documents, root }, request)),
      ),
    )
    .post(
      "/oauth/consent",
      ({ request }) =>
        asPage(root, () => orRefusalPage(root, () => consent(deps, { ...options, root }, request))),
      { parse: "none" },
    );
};

type AuthorizeOptions = Required<OAuthPageOptions> & { root: string };

/**
 * Asks the person behind a request. What is wrong with the request itself goes back to its client only when that and
 * its address are certain and somebody is signed in: else this server would send anybody anywhere (RFC 9700,
 * section 4.11.2).
 */
async function authorize(deps: Deps, options: AuthorizeOptions, request: Request): Promise<Response> {
  const { settings } = deps;
  const url = new URL(request.url);
  const fields = readFields(url.searchParams);
  const session = findSession(options.visitors, request);
  const client = await findClient(deps, options.documents, fields, session && signalOf(request));
  const redirectUri = client && readRedirect(client, fields.redirect_uri);
  try {
    const asked = readRequest(settings, fields);
    if (!session || !client || redirectUri === undefined)
      return redirect(
        `${options.root}/signin?next=${encodeURIComponent(`${options.root}${url.pathname}${url.search}`)}`,
      );
    const token = ask(deps, session, { client, redirectUri, request: asked });
    return consentPage(deps, options.root, session, { client, token });
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || !session || redirectUri === undefined) throw thrown;
    return redirect(answerAddress(settings, { redirectUri, state: fields.state ?? null }, thrown));
  }
}

/** Undefined for one whose document nobody signed in has asked for: strangers cannot make this server fetch things. */
async function findClient(
  deps: Deps,
  documents: ClientDocuments,
  { client_id: id }: Fields,
  signal: AbortSignal | undefined,
): Promise<Client | undefined> {
  if (id === undefined) throw new OAuthError("invalid_request", "The client_id is missing");
  if (isDocumentAddress(id)) return signal ? await documents.get(id, signal) : documents.find(id);
  const client = findRegisteredClient(deps, id);
  if (client) return client;
  throw new OAuthError("invalid_client", "There is no such client, or its registration was forgotten");
}

function findSession({ sessionOf }: Visitors, request: Request): SessionActor | undefined {
  const session = sessionOf(request);
  if (session) stateOf(request).sessionActor = session; // its use moves its end
  return session;
}

async function consent(
  deps: Deps,
  { visitors, root }: { visitors: Visitors; root: string },
  request: Request,
): Promise<Response> {
  const session = findSession(visitors, request);
  if (!session) throw new OAuthError("access_denied", "You are not signed in any more");
  const form = await readForm(request);
  const token = form.get("request") ?? "";
  if (form.get("decision") !== "allow") return leave(root, deny(deps, session, token));
  try {
    return await leave(root, allow(deps, session, token, form.getAll("scope")));
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.code !== "invalid_scope") throw thrown;
    const client = clientOf(deps, getQuestion(deps, session, token));
    return consentPage(deps, root, session, { client, token, error: thrown.message });
  }
}

/** The client of a question as the page shows it. */
function clientOf(deps: Deps, { clientId, clientName }: ReturnType<typeof getQuestion>): Client {
  const host = isDocumentAddress(clientId) ? new URL(clientId).host : null;
  const { redirectUris = [] } = findRegisteredClient(deps, clientId) ?? {};
  return { id: clientId, name: clientName, host, redirectUris };
}

/** Refusals that must not reach any client, as a page for the person. */
async function orRefusalPage(root: string, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    return messageResponse({
      title: "This app cannot be let in",
      lead: `${thrown.message}.`,
      status: 400,
      root,
      children: <RefusalDetail code={thrown.code} />,
    });
  }
}

type Consent = { client: Client; token: string; error?: string };

function consentPage(
  deps: Deps,
  root: string,
  session: SessionActor,
  { client, token, error }: Consent,
): Promise<Response> {
  const { user } = getSession(deps, session);
  const question = getQuestion(deps, session, token);
  const page = (
    <ConsentView root={root} user={user} client={client} question={question} token={token} error={error} />
  );
  return htmlResponse(page, { status: error === undefined ? 200 : 400 });
}

/**
 * Sends the browser on by a page of its own. A redirect after a form falls under the form's security policy in some
 * browsers, with every further hop that the client makes, to an app's scheme for one; a page that refreshes does not.
 */
function leave(
  root: string,
  { question, location }: { question: { clientName: string }; location: string },
): Promise<Response> {
  return htmlResponse(<LeavingView root={root} clientName={question.clientName} location={location} />, {
    headers: { refresh: `0; url=${location}`, "referrer-policy": "no-referrer" },
  });
}
