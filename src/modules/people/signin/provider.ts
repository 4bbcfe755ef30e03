import { transact } from "../../../../db/client.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import { type Client, markProved, requireProof, signInAs } from "../people/service.ts";
import type { SignedIn } from "../people/shapes.ts";
import { readInvitation } from "../team/service.ts";
import { beginFlow, takeFlow } from "./flows.ts";
import { type Provider, providerOf } from "./house.ts";
import { addIdentity, type Beyond, type Coming, type Joined, join, joinToo, useIdentity } from "./joining.ts";
import type { Claims } from "./openid.ts";
import * as queries from "./queries.ts";
import { PROVIDER_FLOW_MINUTES } from "./shapes.ts";
import { requireWayIn } from "./ways.ts";

type ProviderDeps = Pick<Deps, "db" | "now" | "settings">;

const FLOW_MS = PROVIDER_FLOW_MINUTES * MINUTE_MS;
/** How far the clocks of two machines may be apart. */
const CLOCKS_MS = 30 * SECOND_MS;
const MAX_SUBJECT = 255;

/** What somebody begins: without an actor, to sign in; with one, to connect the provider, or to prove that it is them. */
type Start = {
  actor: PersonActor | undefined;
  isProof: boolean;
  next: string;
  /** The token of the link that somebody came by; and how many links that never existed they may try. */
  invitation?: { token: string | null; links: Attempts };
};

/** What came of it, and where to go. */
export type Finished = { next: string } & (
  | ({ is: "signed in"; signedIn: SignedIn } & Pick<Joined, "taken" | "joined">)
  | { is: "connected" | "proved" }
);

/**
 * Begins a sign-in by the provider. Returns where the browser goes, and the token that only this browser may have.
 *
 * @throws DomainError `not_found` where no provider is set; `proof_needed` to connect; `invalid_link` for an invitation that does
 *   not work; as {@link Provider.begin}.
 */
export async function beginProvider(
  deps: ProviderDeps,
  provider: Provider,
  { actor, isProof, next, invitation }: Start,
): Promise<{ url: string; token: string }> {
  providerOf(deps.settings);
  if (actor && !isProof) requireProof(deps, actor);
  const invitationId = actor ? undefined : invitationOf(deps, invitation);
  const { url, tie } = await provider.begin(isProof);
  const token = beginFlow(deps, {
    kind: isProof ? "prove" : "provider",
    lastsMs: FLOW_MS,
    challenge: tie.state,
    nonce: tie.nonce,
    verifier: tie.verifier,
    next,
    ...(actor && { personId: actor.personId }),
    ...(invitationId !== undefined && { invitationId }),
  });
  return { url, token };
}

function invitationOf(deps: ProviderDeps, invitation: Start["invitation"]): string | undefined {
  if (!invitation?.token) return undefined;
  const { token, links } = invitation;
  links.check();
  const found = readInvitation(deps, token);
  if (found?.state === "open") return found.id;
  if (!found) links.count();
  throw new DomainError("invalid_link", "This invitation no longer works. Ask for a new one");
}

type Ending = {
  token: string;
  answer: URLSearchParams;
  /** Who is signed in now. */
  actor: PersonActor | undefined;
  client: Client;
};

/**
 * Ends what {@link beginProvider} began, with the provider's answer.
 *
 * @throws DomainError `invalid_link` when it was ended, began in another browser or for somebody else; `invalid_credentials`;
 *   `not_a_member` when the sign-in is nobody's here; `duplicate_email` when it is somebody else's; as {@link Provider.redeem}.
 */
export async function finishProvider(
  deps: ProviderDeps,
  provider: Provider,
  beyond: Beyond,
  { token, answer, actor, client }: Ending,
): Promise<Finished> {
  providerOf(deps.settings);
  const flow = takeFlow(deps, token, "provider") ?? takeFlow(deps, token, "prove");
  const { challenge: state, nonce, verifier, next } = flow ?? {};
  if (!flow || !state || !nonce || !verifier) throw endedFlow();
  const claims = await provider.redeem(answer, { state, nonce, verifier });
  if (claims.subject.length > MAX_SUBJECT) throw noSignIn();
  return transact(deps.db, (tx) => {
    const inside = within(deps, tx);
    if (flow.personId === null)
      return { next: next ?? "", ...signIn(inside, claims, { client, beyond, flow }) };
    if (flow.personId !== actor?.personId) throw endedFlow();
    if (flow.kind === "prove") prove(inside, actor, claims, flow.expiresAt - FLOW_MS);
    else connect(inside, actor, claims);
    return { next: next ?? "", is: flow.kind === "prove" ? "proved" : "connected" };
  });
}

function signIn(deps: ProviderDeps, claims: Claims, coming: Coming & { client: Client }) {
  const { issuer, sessionMs } = providerOf(deps.settings);
  const known = queries.findIdentity(deps.db, issuer, claims.subject);
  if (known) useIdentity(deps, known, claims);
  const { personId, ...joining }: Joined = known
    ? { personId: known.personId, taken: null, joined: joinToo(deps, known.personId, coming) }
    : join(deps, claims, coming);
  const signedIn = signInAs(deps, personId, coming.client, {
    method: "provider",
    lastsMs: sessionMs,
    provedAt: Math.min(claims.authenticatedAt ?? deps.now(), deps.now()),
    ...(joining.joined !== null && { accountId: joining.joined }),
  });
  if (!signedIn) throw noSignIn();
  return { is: "signed in" as const, signedIn, ...joining };
}

function connect(deps: ProviderDeps, { personId }: PersonActor, claims: Claims): void {
  const { issuer, name } = providerOf(deps.settings);
  const holder = queries.findIdentity(deps.db, issuer, claims.subject);
  if (holder && holder.personId !== personId)
    throw new DomainError("duplicate_email", `This account of ${name} belongs to somebody else here`);
  if (holder) {
    useIdentity(deps, holder, claims);
    return;
  }
  if (queries.findIdentityOf(deps.db, issuer, personId))
    throw new DomainError(
      "duplicate_email",
      `You have connected another account of ${name}: disconnect it first`,
    );
  addIdentity(deps, personId, claims);
}

/** A session of long ago at the provider proves nothing. */
function prove(deps: ProviderDeps, actor: PersonActor, claims: Claims, begunAt: number): void {
  const { issuer, name } = providerOf(deps.settings);
  const holder = queries.findIdentity(deps.db, issuer, claims.subject);
  if (holder?.personId !== actor.personId)
    throw new DomainError("invalid_credentials", `This is not the account of ${name} that you connected`);
  if ((claims.authenticatedAt ?? 0) < begunAt - CLOCKS_MS)
    throw new DomainError("invalid_credentials", `${name} did not ask who you are, so this proves nothing`);
  useIdentity(deps, holder, claims);
  markProved(deps.db, actor, deps.now());
}

/**
 * Lets a person connect the provider now.
 *
 * @throws DomainError `not_found` where no provider is set; `proof_needed`.
 */
export function mayConnect(deps: ProviderDeps, actor: PersonActor): void {
  providerOf(deps.settings);
  requireProof(deps, actor);
}

/**
 * Disconnects the provider. Sessions that began with it end with their time. Audited.
 *
 * @throws DomainError `not_found` where it is not connected; `proof_needed`; `invalid_transition` when the person could not sign
 *   in any more.
 */
export function disconnectProvider(deps: ProviderDeps, actor: PersonActor): void {
  const { issuer, name } = providerOf(deps.settings);
  requireProof(deps, actor);
  const { personId } = actor;
  transact(deps.db, (tx) => {
    if (!queries.deleteIdentity(tx, issuer, personId))
      throw new DomainError("not_found", `You have not connected ${name}`);
    requireWayIn(within(deps, tx), personId);
    const entry = { actor: personId, subject: personId, detail: { provider: name } };
    audit(tx, { action: "account.provider_disconnect", ...entry }, deps.now());
  });
}

const endedFlow = () =>
  new DomainError("invalid_link", "This sign-in has ended, or began in another browser: start again");
const noSignIn = () => new DomainError("invalid_credentials", "This sign-in does not work here");
