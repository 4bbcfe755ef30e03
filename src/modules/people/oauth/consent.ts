import { transact } from "../../../../db/client.ts";
import type { PersonActor, SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { ASSIGNABLE_SCOPES } from "../../../kernel/scopes.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import { resourceOf } from "./addresses.ts";
import { type AuthorizationRequest, answerAddress } from "./authorization-request.ts";
import type { Client } from "./client.ts";
import { OAuthError } from "./oauth-error.ts";
import * as queries from "./queries.ts";
import { TOOL_SCOPES } from "./scopes.ts";

const QUESTION_MS = 10 * MINUTE_MS;
const CODE_MS = 60 * SECOND_MS;

/**
 * Keeps a request while the owner looks at the consent page. The token goes into the page's form. It works once, for
 * ten minutes, and only in this session, so no other site or person can answer.
 */
export function ask(
  { db, now }: Pick<Deps, "db" | "now">,
  { sessionId }: PersonActor,
  { client, redirectUri, request }: { client: Client; redirectUri: string; request: AuthorizationRequest },
): string {
  const token = newToken(32);
  const at = now();
  const row = {
    tokenHash: sha256(token),
    sessionId,
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    scopes: [...(request.scopes ?? ASSIGNABLE_SCOPES)],
    state: request.state,
    codeChallenge: request.codeChallenge,
    expiresAt: at + QUESTION_MS,
  };
  transact(db, (tx) => queries.insertRequest(tx, row, at));
  return token;
}

/**
 * Returns the stored request that a form answers.
 *
 * @throws OAuthError `invalid_request` when it is unknown, too old, already answered, or belongs to another session.
 */
export function getQuestion(
  { db, now }: Pick<Deps, "db" | "now">,
  { sessionId }: PersonActor,
  token: string,
): queries.RequestRow {
  const question = queries.findRequest(db, sha256(token), sessionId);
  if (question && question.expiresAt > now()) return question;
  throw new OAuthError("invalid_request", "This page has expired or was already used");
}

type Answered = { question: queries.RequestRow; location: string };

/** Refuses a client with `access_denied`. Throws as {@link getQuestion} does. */
export function deny(
  deps: Pick<Deps, "db" | "now" | "settings">,
  session: PersonActor,
  token: string,
): Answered {
  return transact(deps.db, (tx) => {
    const question = getQuestion({ db: tx, now: deps.now }, session, token);
    queries.deleteRequest(tx, question.tokenHash);
    const refusal = new OAuthError("access_denied", "The user refused the request");
    return { question, location: answerAddress(deps.settings, question, refusal) };
  });
}

/** The scopes that an owner ticks: of those that the client asked for, and of those that only the owner thought of. */
export type Ticked = { asked: readonly string[]; further: readonly string[] };

/**
 * Grants a client the `ticked` scopes, and gives it a code. Audited.
 *
 * @throws OAuthError as {@link getQuestion}; `invalid_scope` when no scope is left, after which the form can be sent
 *   again.
 */
export function allow(
  deps: Pick<Deps, "db" | "now" | "settings">,
  session: SessionActor,
  token: string,
  { asked, further }: Ticked,
): Answered {
  const code = newToken(32);
  return transact(deps.db, (tx) => {
    const question = getQuestion({ db: tx, now: deps.now }, session, token);
    const scopes = ASSIGNABLE_SCOPES.filter(
      (scope) =>
        session.allowed.needs.has(scope) &&
        ((asked.includes(scope) && question.scopes.includes(scope)) ||
          (further.includes(scope) && TOOL_SCOPES.includes(scope))),
    );
    if (scopes.length === 0)
      throw new OAuthError("invalid_scope", "Tick at least one thing that the app may do");
    queries.deleteRequest(tx, question.tokenHash);
    const at = deps.now();
    const { accountId, personId } = session;
    const { clientId, clientName, redirectUri, codeChallenge } = question;
    const grant = { id: newId("grt"), accountId, personId, clientId, clientName, redirectUri, scopes };
    const expiresAt = at + CODE_MS;
    queries.insertGrant(tx, { ...grant, resource: resourceOf(deps.settings), createdAt: at, expiresAt });
    queries.insertCode(tx, { codeHash: sha256(code), grantId: grant.id, codeChallenge, expiresAt });
    queries.touchClient(tx, clientId, at);
    audit(
      tx,
      {
        actor: accountId,
        action: "grant.create",
        subject: grant.id,
        detail: { clientId, name: clientName, scopes },
      },
      at,
    );
    return { question, location: answerAddress(deps.settings, question, { code }) };
  });
}
