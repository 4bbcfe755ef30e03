/** @jsxRuntime automatic @jsxImportSource preact */
import { signalOf, stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import { requireMember, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import { getSession } from "../people/service.ts";
import { answerAddress, readRedirect, readRequest } from "./authorization-request.ts";
import type { Client } from "./client.ts";
import { type ClientDocuments, createClientDocuments, isDocumentAddress } from "./client-document.ts";
import { allow, ask, deny, getQuestion } from "./consent.ts";
import { type Fields, readFields } from "./fields.ts";
import { OAuthError } from "./oauth-error.ts";
import { findRegisteredClient } from "./registration.ts";
import { ConsentView, LeavingView, RefusalDetail } from "./views.tsx";

const readConsent = formReader("request", "scope", "further", "decision");

/** What the pages need besides {@link Deps}. */
export type OAuthPageOptions = { visitors: Visitors; documents?: ClientDocuments };

/** The OAuth pages for owners: `/oauth/authorize` asks, `/oauth/consent` takes the answer. No page needs JavaScript. */
export const oauthPages = (deps: Deps, options: OAuthPageOptions): Route[] => {
  const documents = options.documents ?? createClientDocuments(deps);
  const root = pageRootOf(deps.settings);
  return [
    route({
      at: "GET /oauth/authorize",
      run: ({ request }) =>
        asPage(root, () =>
          orRefusalPage(root, () => authorize(deps, { ...options, documents, root }, request)),
        ),
    }),
    route({
      at: "POST /oauth/consent",
      run: ({ request }) =>
        asPage(root, () => orRefusalPage(root, () => consent(deps, { ...options, root }, request))),
    }),
  ];
};

type AuthorizeOptions = Required<OAuthPageOptions> & { root: string };

/**
 * Asks the owner whether to grant a request. An error in the request goes back to the client only when the client and
 * its address are verified and an owner is signed in. Otherwise this server would be an open redirector (RFC 9700,
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

/** Returns undefined for an uncached document when no owner is signed in: strangers cannot make this server fetch. */
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
  throw new OAuthError(
    "invalid_client",
    "The client is unknown, or its registration was deleted: register it again",
  );
}

function findSession({ personOf }: Visitors, request: Request): SessionActor | undefined {
  const person = personOf(request);
  if (!person) return undefined;
  stateOf(request).sessionActor = person; // its use moves its end
  const member = requireMember(person);
  if (member.rooms) throw new OAuthError("access_denied", "Guests of a library cannot let programs in");
  return member;
}

async function consent(
  deps: Deps,
  { visitors, root }: { visitors: Visitors; root: string },
  request: Request,
): Promise<Response> {
  const session = findSession(visitors, request);
  if (!session) throw new OAuthError("access_denied", "You are no longer signed in");
  const form = await readConsent(request);
  const token = form.get("request") ?? "";
  if (form.get("decision") !== "allow") return leave(root, deny(deps, session, token));
  try {
    const ticked = { asked: form.getAll("scope"), further: form.getAll("further") };
    return await leave(root, allow(deps, session, token, ticked));
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.code !== "invalid_scope") throw thrown;
    const client = clientOf(deps, getQuestion(deps, session, token));
    return consentPage(deps, root, session, { client, token, error: thrown.message });
  }
}

/** Returns the client of a request, as the page shows it. */
function clientOf(deps: Deps, { clientId, clientName }: ReturnType<typeof getQuestion>): Client {
  const host = isDocumentAddress(clientId) ? new URL(clientId).host : null;
  const { redirectUris = [] } = findRegisteredClient(deps, clientId) ?? {};
  return { id: clientId, name: clientName, host, redirectUris };
}

/** Shows the owner a page for a refusal that must not be sent to a client. */
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
 * Sends the browser on with a page that refreshes. In some browsers the form's security policy also covers a redirect
 * after the form and every hop that the client adds, such as one to an app's scheme; a refresh is not covered.
 */
function leave(
  root: string,
  { question, location }: { question: { clientName: string }; location: string },
): Promise<Response> {
  return htmlResponse(<LeavingView root={root} clientName={question.clientName} location={location} />, {
    headers: { refresh: `0; url=${location}`, "referrer-policy": "no-referrer" },
  });
}
