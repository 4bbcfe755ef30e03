import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { DAY_MS, HOUR_MS, inWords, SECOND_MS } from "../../../kernel/time.ts";
import { type Client, clientName } from "./client.ts";
import { OAuthError } from "./oauth-error.ts";
import * as queries from "./queries.ts";
import { isRedirectUri, redirectHost } from "./redirect-uri.ts";
import {
  CLIENT_KEPT_DAYS,
  MAX_CLIENTS,
  MAX_REDIRECT_URIS,
  MAX_REGISTRATIONS_PER_HOUR,
  NEW_CLIENT_KEPT_DAYS,
} from "./shapes.ts";

/** The answer of RFC 7591, section 3.2.1. */
export type Registered = {
  client_id: string;
  /** Seconds. */
  client_id_issued_at: number;
  client_name?: string;
  redirect_uris: string[];
  token_endpoint_auth_method: "none";
  grant_types: ["authorization_code", "refresh_token"];
  response_types: ["code"];
};

/**
 * Registers a client at its own request (RFC 7591). Whatever it asks for, it becomes a public client with the one
 * supported flow, and the answer says so.
 *
 * @param from The client's address, in the form used for rate limits.
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`; `temporarily_unavailable` when too many
 *   clients registered.
 */
export function registerClient(
  { db, now }: Pick<Deps, "db" | "now">,
  metadata: unknown,
  from: string,
): Registered {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
    throw new OAuthError("invalid_client_metadata", "Send a JSON object");
  const { redirect_uris, client_name, grant_types, response_types } = metadata as Record<string, unknown>;
  const redirectUris = readRedirectUris(redirect_uris);
  if (!includes(grant_types, "authorization_code") || !includes(response_types, "code"))
    throw new OAuthError("invalid_client_metadata", "This server supports only the authorization code grant");
  const name = clientName(client_name, "") || null;
  return transact(db, (tx) => {
    const at = now();
    checkRoom({ db: tx, now }, from);
    const id = newId("ocl");
    queries.insertClient(tx, { id, name, redirectUris, registeredFrom: from, createdAt: at });
    return {
      client_id: id,
      client_id_issued_at: Math.floor(at / SECOND_MS),
      ...(name !== null && { client_name: name }),
      redirect_uris: redirectUris,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
  });
}

function readRedirectUris(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_REDIRECT_URIS)
    throw new OAuthError("invalid_redirect_uri", `A client needs 1 to ${MAX_REDIRECT_URIS} redirect_uris`);
  const uris: unknown[] = value;
  if (uris.every((uri): uri is string => typeof uri === "string" && isRedirectUri(uri))) return uris;
  throw new OAuthError(
    "invalid_redirect_uri",
    "A redirect_uri must be https, http on a loopback address, or an app's own scheme, without a fragment",
  );
}

/** A field that is left out means its default, which is the supported value for both fields. */
function includes(list: unknown, wanted: string): boolean {
  return list === undefined || (Array.isArray(list) && list.includes(wanted));
}

function checkRoom({ db, now }: Pick<Deps, "db" | "now">, from: string): void {
  const at = now();
  const times = queries.listRegistrationTimes(db, from, at - HOUR_MS);
  const waitMs = times.length < MAX_REGISTRATIONS_PER_HOUR ? 0 : (times[0] ?? at) + HOUR_MS - at;
  if (waitMs > 0) throw tooMany(waitMs);
  if (queries.countClients(db) >= MAX_CLIENTS) throw tooMany(HOUR_MS);
}

function tooMany(waitMs: number): OAuthError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  const words = `Too many clients registered, try again in ${inWords(seconds)}`;
  return new OAuthError("temporarily_unavailable", words, { "retry-after": String(seconds) });
}

/** Returns a client that registered itself, or undefined. */
export function findRegisteredClient({ db }: Pick<Deps, "db">, id: string): Client | undefined {
  const row = queries.findClient(db, id);
  if (!row) return undefined;
  const name = row.name ?? `An app at ${redirectHost(row.redirectUris[0] ?? "")}`;
  return { id: row.id, name, host: null, redirectUris: row.redirectUris };
}

/** Deletes clients that no owner has let in, and those without a grant, once they are too old. */
export function pruneClients({ db, now }: Pick<Deps, "db" | "now">): void {
  queries.deleteOldClients(db, {
    unusedBefore: now() - NEW_CLIENT_KEPT_DAYS * DAY_MS,
    idleBefore: now() - CLIENT_KEPT_DAYS * DAY_MS,
  });
}
