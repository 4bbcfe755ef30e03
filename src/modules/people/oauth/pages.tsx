/** @jsxRuntime automatic @jsxImportSource preact */
import { LIBRARY_PARAMETER, libraryNamedBy } from "../../../http/library-choice.ts";
import { signalOf, stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { PersonActor, SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import { getSession } from "../people/service.ts";
import { listLibraries } from "../team/service.ts";
import { answerAddress, readRedirect, readRequest } from "./authorization-request.ts";
import type { Client } from "./client.ts";
import { type ClientDocuments, createClientDocuments, isDocumentAddress } from "./client-document.ts";
import { allow, ask, deny, getQuestion } from "./consent.ts";
import { type Fields, readFields } from "./fields.ts";
import { OAuthError } from "./oauth-error.ts";
import { findRegisteredClient } from "./registration.ts";
import { ConsentView, LeavingView, LibraryChoiceView, RefusalDetail } from "./views.tsx";

const readConsent = formReader("request", "library", "scope", "further", "decision");

/** What the pages need besides {@link Deps}. */
export type OAuthPageOptions = { visitors: Visitors; documents?: ClientDocuments };

/** The OAuth pages for people: `/oauth/authorize` asks, `/oauth/consent` takes the answer. No page needs JavaScript. */
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
  const person = findPerson(options.visitors, request);
  const client = await findClient(deps, options.documents, fields, person && signalOf(request));
  const redirectUri = client && readRedirect(client, fields.redirect_uri);
  try {
    const asked = readRequest(settings, fields);
    if (!person || !client || redirectUri === undefined)
      return redirect(
        `${options.root}/signin?next=${encodeURIComponent(`${options.root}${url.pathname}${url.search}`)}`,
      );
    const own = librariesOf(deps, options.visitors, request, person);
    const library = libraryOf(request, own);
    if (!library) return choicePage(options.root, url, client, own);
    const token = ask(deps, person, { client, redirectUri, request: asked });
    return consentPage(deps, options.root, { client, token, library, isOne: own.length === 1 });
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || !person || redirectUri === undefined) throw thrown;
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

function findPerson({ personOf }: Visitors, request: Request): PersonActor | undefined {
  const person = personOf(request);
  if (person) stateOf(request).sessionActor = person; // its use moves its end
  return person;
}

/** The library that a program is let into: the one that the address names, or the only one; undefined: it is to be chosen. */
function libraryOf(request: Request, own: readonly OwnLibrary[]): OwnLibrary | undefined {
  const named = libraryNamedBy(request);
  if (own.length === 0)
    throw new DomainError("not_a_member", "You are in no library that you could let an app into");
  if (named === null) return own.length === 1 ? own[0] : undefined;
  const found = own.find(({ id }) => id === named);
  if (!found) throw new DomainError("not_a_member", "You are not in this library");
  return found;
}

/** A library of a person, and who they are there. */
type OwnLibrary = { id: string; name: string; member: SessionActor };

/** Returns the libraries of a person. Guests of one cannot let programs in. */
const librariesOf = (
  deps: Deps,
  { memberOf }: Visitors,
  request: Request,
  { personId }: PersonActor,
): OwnLibrary[] =>
  listLibraries(deps, personId).flatMap(({ id, name }) => {
    const member = memberOf(request, id);
    return member ? [{ id, name, member }] : [];
  });

async function consent(
  deps: Deps,
  { visitors, root }: { visitors: Visitors; root: string },
  request: Request,
): Promise<Response> {
  const person = findPerson(visitors, request);
  if (!person) throw new OAuthError("access_denied", "You are no longer signed in");
  const form = await readConsent(request);
  const token = form.get("request") ?? "";
  if (form.get("decision") !== "allow") return leave(root, deny(deps, person, token));
  const own = librariesOf(deps, visitors, request, person);
  const library = own.find(({ id }) => id === form.get("library"));
  if (!library) throw new OAuthError("access_denied", "You are no longer in this library");
  try {
    const ticked = { asked: form.getAll("scope"), further: form.getAll("further") };
    return await leave(root, allow(deps, library.member, token, ticked));
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.code !== "invalid_scope") throw thrown;
    const client = clientOf(deps, getQuestion(deps, person, token));
    return consentPage(deps, root, {
      client,
      token,
      library,
      isOne: own.length === 1,
      error: thrown.message,
    });
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

/** Asks which library a program is let into. Each answer is the same address, which names it. */
function choicePage(root: string, url: URL, client: Client, own: readonly OwnLibrary[]): Promise<Response> {
  const choices = own.map(({ id, name }) => {
    const search = new URLSearchParams(url.search);
    search.set(LIBRARY_PARAMETER, id);
    return { id, name, href: `${root}${url.pathname}?${search}` };
  });
  return htmlResponse(<LibraryChoiceView root={root} client={client} choices={choices} />);
}

/** `isOne`: the person has no other library. */
type Consent = { client: Client; token: string; library: OwnLibrary; isOne: boolean; error?: string };

function consentPage(
  deps: Deps,
  root: string,
  { client, token, library, isOne, error }: Consent,
): Promise<Response> {
  const { member, id, name } = library;
  const { user } = getSession(deps, member);
  const question = getQuestion(deps, member, token);
  const page = (
    <ConsentView
      root={root}
      user={user}
      client={client}
      question={question}
      token={token}
      library={{ id, name: isOne ? "your library" : name }}
      needs={member.allowed.needs}
      error={error}
    />
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
