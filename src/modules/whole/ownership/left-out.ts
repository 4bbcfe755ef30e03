import type { Database } from "bun:sqlite";
import { Value } from "@sinclair/typebox/value";
import type { LibraryId } from "../../../../db/schema.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { ownScopesOf } from "../../people/keys/service.ts";
import { MAX_LIVE_KEYS } from "../../people/keys/shapes.ts";
import { isRedirectUri } from "../../people/oauth/service.ts";
import { SearchRequest, WireInterpretation } from "../../search/search/shapes.ts";
import { LAST_TIME } from "./check-rows.ts";
import { named } from "./named.ts";
import { readJson } from "./special-values.ts";

/** What an import leaves behind, each as a sentence for the operator. */
type Sentences = string[];

/** What arrives, and what a new account has here. */
export type Arrival = { accountId: LibraryId; credits: number | null; now: number };

/** Rows that are a record of the other server, or name another account's things here. */
const NOT_ITS_OWN: readonly (readonly [what: string, sql: string])[] = [
  ["keys of a platform, which belong to an operator", "api_keys WHERE account_id IS NULL"],
  ["records of requests with keys of nobody", "usage_records WHERE account_id IS NULL"],
  [
    "lines of the audit log that others wrote",
    `audit_log WHERE coalesce(account_id, actor) <> ?1 OR actor = 'operator'
       OR actor IN (SELECT id FROM main.people UNION ALL SELECT id FROM main.accounts
         UNION ALL SELECT id FROM main.api_keys UNION ALL SELECT id FROM main.oauth_grants)`,
  ],
  [
    "notifications about what is another account's here",
    `notifications WHERE entity_id IN (SELECT id FROM main.tracks UNION ALL SELECT id FROM main.playlists
       UNION ALL SELECT id FROM main.composers UNION ALL SELECT id FROM main.briefs
       UNION ALL SELECT id FROM main.api_keys)`,
  ],
  [
    "notes of files whose tracks are another account's here",
    `intakes WHERE track_id IN (SELECT id FROM main.tracks) OR version_id IN (SELECT id FROM main.versions)
       OR version_before IN (SELECT id FROM main.versions)`,
  ],
  [
    "records of requests with another account's keys",
    "usage_records WHERE key_id IN (SELECT id FROM main.api_keys)",
  ],
];

/**
 * Deletes rows from an attached export that are not its account's. Call it before the values are looked at.
 *
 * @returns The numbers and kinds of deleted rows, as the ends of sentences.
 */
export function dropForeignRows(client: Database, accountId: LibraryId): Sentences {
  return NOT_ITS_OWN.flatMap(([what, sql]) => {
    const dropped = deleteRows(client, sql, sql.includes("?1") ? [accountId] : []);
    return dropped === 0 ? [] : [`${dropped} ${what}`];
  });
}

/**
 * Takes from an attached export, whose values were looked at, what an owner could not give themselves here: scopes and
 * rights of the operator, credits, secrets of the other server.
 *
 * @returns The things left out, as the ends of sentences.
 */
export function reducePowers(client: Database, arrival: Arrival): Sentences {
  ofMails(client, arrival.now);
  return [
    ...ofAccount(client, arrival),
    ...ofOthers(client),
    ...ofKeys(client, arrival.now),
    ...ofPrograms(client),
    ...ofSearches(client),
    ...ofPictures(client),
  ];
}

function ofAccount(client: Database, { accountId, credits }: Arrival): Sentences {
  const account = client
    .query<{ operator: number; credits: number | null }, [string]>(
      "SELECT (SELECT max(operator) FROM moved.people) AS operator, credits FROM moved.accounts WHERE id = ?",
    )
    .get(accountId);
  client.query("UPDATE moved.accounts SET credits = ?").run(credits);
  client.run("UPDATE moved.people SET operator = 0");
  const inWords = (amount: number | null) => (amount === null ? "unlimited" : String(amount));
  return [
    ...(account?.operator === 1 ? ["the rights of the operator"] : []),
    ...(account && account.credits !== credits
      ? [`its search credits (${inWords(account.credits)}): a new account here has ${inWords(credits)}`]
      : []),
  ];
}

/** Who made it is no member here, or not any more: without its maker it could do more than they could. */
const WITHOUT_MAKER = "whoever made it is not a member here";

/** Keys and programs of people who do not come along, and names of this server's people in the log. */
function ofOthers(client: Database): Sentences {
  client.run("UPDATE moved.members SET reach = 'library', ends_at = NULL WHERE role = 'owner'");
  client.run(
    `UPDATE moved.audit_log SET subject = NULL WHERE subject IN (SELECT id FROM main.people
       UNION ALL SELECT id FROM main.accounts UNION ALL SELECT id FROM main.members
       UNION ALL SELECT id FROM main.invitations UNION ALL SELECT id FROM main.api_keys)`,
  );
  // The log writes a day for it.
  client
    .query(
      `UPDATE moved.audit_log SET detail = json_remove(detail, '$.endsAt')
     WHERE coalesce(json_type(detail, '$.endsAt'), 'null') NOT IN ('null', 'integer')
       OR detail ->> '$.endsAt' NOT BETWEEN 0 AND ?`,
    )
    .run(LAST_TIME);
  const isOut = (column: string) =>
    `${column} IS NOT NULL AND ${column} NOT IN (SELECT person_id FROM moved.members)`;
  const keys = client.query<{ id: string; name: string }, []>(
    `DELETE FROM moved.api_keys WHERE ${isOut("made_by")} RETURNING id, name`,
  );
  const apps = client.query<{ id: string; name: string }, []>(
    `DELETE FROM moved.players WHERE ${isOut("person_id")} RETURNING id, name`,
  );
  const taken = client.query<{ id: string; name: string }, []>(
    "DELETE FROM moved.players WHERE username IN (SELECT username FROM main.players) RETURNING id, name",
  );
  const programs = client.query<{ id: string; name: string }, []>(
    `SELECT id, client_name AS name FROM moved.oauth_grants WHERE ${isOut("person_id")}`,
  );
  return [
    ...keys.all().map((key) => `the key ${named(key)}: ${WITHOUT_MAKER}`),
    ...apps.all().map((app) => `the music app ${named(app)}: ${WITHOUT_MAKER}`),
    ...taken.all().map((app) => `the music app ${named(app)}: another one here has its user name`),
    ...programs.all().map((program) => {
      dropGrants(client, "id", program.id);
      return `the program ${named(program)}: ${WITHOUT_MAKER}`;
    }),
  ];
}

const OF_OPERATOR = "only an operator gives that";

type KeyRow = {
  id: string;
  name: string;
  scopes: string | null;
  isLive: 0 | 1;
  webhookUrl: string | null;
};

function ofKeys(client: Database, now: number): Sentences {
  const keys = client
    .query<KeyRow, [number]>(
      `SELECT id, name, scopes, webhook_url AS webhookUrl,
         revoked_at IS NULL AND coalesce(expires_at, ?1 + 1) > ?1 AS isLive
       FROM moved.api_keys ORDER BY created_at DESC, id DESC`,
    )
    .all(now);
  const live = keys.filter(({ isLive }) => isLive === 1);
  const tooMany = new Set(live.slice(MAX_LIVE_KEYS));
  client.run("UPDATE moved.api_keys SET webhook_active = 0");
  return keys.flatMap((key) => ofKey(client, key, tooMany.has(key)));
}

function ofKey(client: Database, key: KeyRow, isOneTooMany: boolean): Sentences {
  const { own, foreign } = ownScopesOf(key.scopes === null ? null : JSON.parse(key.scopes));
  const said = foreign.length > 0 ? [`${listed(foreign)} of the key ${named(key)}: ${OF_OPERATOR}`] : [];
  if (isOneTooMany || own?.length === 0) {
    deleteRows(client, "api_keys WHERE id = ?1", [key.id]);
    const why = isOneTooMany ? `an account has at most ${MAX_LIVE_KEYS} keys` : "it has no other scope";
    return [...said, `the key ${named(key)}: ${why}`];
  }
  client.query("UPDATE moved.api_keys SET scopes = ? WHERE id = ?").run(own && JSON.stringify(own), key.id);
  if (key.isLive === 0 || key.webhookUrl === null) return said;
  return [
    ...said,
    `the signing secret of the webhook of the key ${named(key)}: it is off until it is set again`,
  ];
}

type GrantRow = { id: string; name: string; scopes: string };

/** Programs that signed in: each reaches only addresses that may be registered, and has scopes that an owner gives. */
function ofPrograms(client: Database): Sentences {
  const said: Sentences = [];
  const clients = client.query<{ id: string; name: string | null; redirectUris: string }, []>(
    "SELECT id, name, redirect_uris AS redirectUris FROM moved.oauth_clients",
  );
  for (const { id, name, redirectUris } of clients.all()) {
    const uris: string[] = JSON.parse(redirectUris);
    if (uris.length > 0 && uris.every(isRedirectUri)) continue;
    dropGrants(client, "client_id", id);
    deleteRows(client, "oauth_clients WHERE id = ?1", [id]);
    said.push(`the program ${named({ id, name: name ?? "" })}: its addresses may not be registered`);
  }
  const grants = client.query<GrantRow & { redirectUri: string }, []>(
    "SELECT id, client_name AS name, scopes, redirect_uri AS redirectUri FROM moved.oauth_grants",
  );
  for (const grant of grants.all()) {
    const asked: string[] = JSON.parse(grant.scopes);
    const { own, foreign } = ownScopesOf(asked.filter((scope) => scope !== "all"));
    if (foreign.length > 0) said.push(`${listed(foreign)} of the program ${named(grant)}: ${OF_OPERATOR}`);
    if (!own || own.length === 0 || !isRedirectUri(grant.redirectUri)) {
      dropGrants(client, "id", grant.id);
      said.push(`the program ${named(grant)}: nothing is left that an owner gives`);
    } else {
      client
        .query("UPDATE moved.oauth_grants SET scopes = ? WHERE id = ?")
        .run(JSON.stringify(own), grant.id);
      reduceTokens(client, grant.id, new Set(own));
    }
  }
  return said;
}

function reduceTokens(client: Database, grantId: string, allowed: ReadonlySet<string>): void {
  const tokens = client
    .query<{ hash: Uint8Array; scopes: string }, [string]>(
      "SELECT token_hash AS hash, scopes FROM moved.oauth_tokens WHERE grant_id = ?",
    )
    .all(grantId);
  const update = client.query("UPDATE moved.oauth_tokens SET scopes = ? WHERE token_hash = ?");
  for (const { hash, scopes } of tokens)
    update.run(JSON.stringify((JSON.parse(scopes) as string[]).filter((scope) => allowed.has(scope))), hash);
}

function dropGrants(client: Database, column: "id" | "client_id", value: string): void {
  deleteRows(
    client,
    `oauth_tokens WHERE grant_id IN (SELECT id FROM moved.oauth_grants WHERE ${column} = ?1)`,
    [value],
  );
  deleteRows(client, `oauth_grants WHERE ${column} = ?1`, [value]);
}

/** Searches of the history that this version cannot show. */
function ofSearches(client: Database): Sentences {
  const rows = client
    .query<{ id: string; request: string; interpretation: string }, []>(
      "SELECT id, request, interpretation FROM moved.searches",
    )
    .all();
  const unreadable = rows.filter(
    ({ request, interpretation }) =>
      !Value.Check(SearchRequest, { ...(readJson(request) as object), query: "q" }) ||
      !Value.Check(WireInterpretation, readJson(interpretation)),
  );
  for (const { id } of unreadable) deleteRows(client, "searches WHERE id = ?1", [id]);
  return unreadable.length === 0 ? [] : [`${unreadable.length} searches that this version cannot show`];
}

/** What another server sent does not count against what this one may send in an hour. */
function ofMails(client: Database, now: number): void {
  client.query("UPDATE moved.mails SET ended_at = min(ended_at, ?) WHERE state = 'sent'").run(now - HOUR_MS);
}

/** Pictures that the export names and does not have: a key alone is no picture of one's own. */
function ofPictures(client: Database): Sentences {
  const given = "SELECT picture_key FROM moved.moved_files WHERE picture_size = 'picture'";
  const missing = [
    ["tracks", "cover"],
    ["playlists", "image"],
    ["brands", "logo_key"],
  ].map(
    ([table, column]) =>
      client
        .query(
          `UPDATE moved.${table} SET ${column} = NULL WHERE ${column} IS NOT NULL AND ${column} NOT IN (${given})`,
        )
        .run().changes,
  );
  const count = missing.reduce((sum, each) => sum + each, 0);
  return count === 0 ? [] : [`${count} covers whose pictures the export does not have`];
}

function deleteRows(client: Database, rows: string, values: string[]): number {
  return client.query(`DELETE FROM moved.${rows}`).run(...values).changes;
}

const listed = (scopes: readonly string[]) =>
  `the scope${scopes.length > 1 ? "s" : ""} ${scopes.map((scope) => scope.replace(/[^\w:-]+/g, "?").slice(0, 60)).join(", ")}`;
