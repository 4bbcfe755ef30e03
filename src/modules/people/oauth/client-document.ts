import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { HOUR_MS, SECOND_MS } from "../../../kernel/time.ts";
import { type OpenOptions, openUrl } from "../../../net/fetch.ts";
import { type Client, clientName } from "./client.ts";
import { OAuthError } from "./oauth-error.ts";
import { isRedirectUri } from "./redirect-uri.ts";

const MAX_BYTES = 10 * 1024;
const TIMEOUT_MS = 5 * SECOND_MS;
const KEEP_MS = HOUR_MS;
const MAX_KEPT = 200;
const MAX_REDIRECT_URIS = 20;

/** How documents are fetched; tests use their own certificate authority. */
export type FetchDocument = Partial<Pick<OpenOptions, "ca" | "resolve">>;

/** Clients whose id is the address of their metadata document. */
export type ClientDocuments = {
  /** Returns a client whose document is cached; never fetches. */
  find: (id: string) => Client | undefined;
  /**
   * Fetches a client's document, unless it is cached.
   *
   * The promise is rejected with OAuthError `invalid_client`, whose message says what is wrong with the document.
   */
  get: (id: string, signal: AbortSignal) => Promise<Client>;
};

/**
 * Returns true for a client id that is the address of a document: https, with a path, in its normal spelling.
 *
 * @see draft-ietf-oauth-client-id-metadata-document, section 3.
 */
export function isDocumentAddress(id: string): boolean {
  if (!id.startsWith("https://") || id.length > 1000 || !URL.canParse(id)) return false;
  const { href, pathname, hash, username, password } = new URL(id);
  // The parser removes dot segments, so an address that has some differs from its `href`.
  return (
    href === id && pathname !== "/" && hash === "" && !id.includes("#") && username === "" && password === ""
  );
}

/** Creates the cache of {@link ClientDocuments}: the latest 200, for an hour each. Failures are not cached. */
export function createClientDocuments(
  deps: Pick<Deps, "settings" | "now">,
  options: FetchDocument = {},
): ClientDocuments {
  const kept = new Map<string, { client: Client; until: number }>();
  const find = (id: string) => {
    const entry = kept.get(id);
    return entry && entry.until > deps.now() ? entry.client : undefined;
  };
  const get = async (id: string, signal: AbortSignal) => {
    const known = find(id);
    if (known) return known;
    const client = readDocument(id, await fetchDocument(deps, id, { ...options, signal }));
    kept.delete(id);
    kept.set(id, { client, until: deps.now() + KEEP_MS });
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return client;
  };
  return { find, get };
}

async function fetchDocument(
  deps: Pick<Deps, "settings">,
  id: string,
  options: FetchDocument & { signal: AbortSignal },
): Promise<unknown> {
  try {
    const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: 0 };
    const { contentType, body } = await openUrl(deps, id, { ...options, ...limits });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    if (!/^application\/(json|[\w.+-]+\+json)$/.test(contentType ?? "")) throw invalid("is not JSON");
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    if (error instanceof DomainError) throw invalid(whyNotFetched(error));
    if (error instanceof SyntaxError || error instanceof TypeError) throw invalid("is not JSON");
    throw error;
  }
}

function whyNotFetched({ code, message }: DomainError): string {
  if (code === "file_too_large") return `has more than ${MAX_BYTES / 1024} KB`;
  return `could not be fetched (${message})`;
}

/**
 * Reads a client's document.
 *
 * @throws OAuthError `invalid_client`.
 */
export function readDocument(id: string, document: unknown): Client {
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw invalid("is not a JSON object");
  const {
    client_id,
    client_name,
    redirect_uris,
    token_endpoint_auth_method: method,
  } = document as Record<string, unknown>;
  if (client_id !== id) throw invalid("belongs to another client: its client_id differs from its address");
  // A client that authenticates elsewhere must not become one that any program can impersonate.
  if (method !== undefined && method !== "none")
    throw invalid('needs token_endpoint_auth_method "none": this server supports public clients only');
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECT_URIS)
    throw invalid(`needs 1 to ${MAX_REDIRECT_URIS} redirect_uris`);
  const addresses: unknown[] = redirect_uris;
  if (!addresses.every((each): each is string => typeof each === "string" && isRedirectUri(each)))
    throw invalid("names a redirect address that is not allowed");
  const { host } = new URL(id);
  return { id, name: clientName(client_name, host), host, redirectUris: addresses };
}

function invalid(what: string): OAuthError {
  return new OAuthError("invalid_client", `This client's document ${what}`);
}
