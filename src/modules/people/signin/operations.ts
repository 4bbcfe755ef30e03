import { Type } from "@sinclair/typebox";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import { pageRootOf } from "../../../pages/paths.ts";
import { type AccountLimits, findPerson, normaliseEmail } from "../people/service.ts";
import { Done, SignedIn } from "../people/shapes.ts";
import {
  addPasskey,
  beginNewPasskey,
  beginPasskey,
  disconnectProvider,
  getRecoveryCodes,
  getSignIn,
  listPasskeys,
  mayConnect,
  prove,
  removePasskey,
  removeRecoveryCodes,
  renamePasskey,
  renewRecoveryCodes,
  signInWithCode,
  signInWithPasskey,
} from "./service.ts";
import {
  ChangePasskey,
  MadePasskey,
  Passkey,
  PasskeyOptions,
  PasskeyParams,
  PasskeySignIn,
  Proof,
  ProviderAddress,
  RecoveryCodes,
  RecoveryCodesMade,
  RecoverySignIn,
  SignInState,
} from "./shapes.ts";

const tag = "Sign-in";

/** Signing in with a passkey, a person's passkeys, and the proof that it is them. */
export const signInOperations = ({ limits }: { limits: AccountLimits }) => [
  ...openOperations,
  op({
    at: "POST /auth/recovery",
    id: "signInWithCode",
    isSecret: true,
    input: { body: RecoverySignIn },
    tag,
    summary: "Sign in with a recovery code",
    description: "The code is used up. It is a proof too, so that a new password needs no old one.",
    answer: SignedIn,
    refusals: ["invalid_credentials", "rate_limit_exceeded"],
    run(deps, { body, request }) {
      const attempts = limits.signIn(normaliseEmail(body.email), rateLimitKey(stateOf(request).ip));
      return signInWithCode(deps, body, clientOf(request), attempts);
    },
  }),
  op({
    at: "POST /auth/prove",
    isAtRoot: true,
    id: "prove",
    session: "self",
    isSecret: true,
    input: { body: Proof },
    tag,
    summary: "Prove that it is you",
    description:
      "With your password, a passkey or a recovery code. Signing in is a proof too. It counts for ten minutes.",
    answer: Done,
    refusals: ["password_sign_in_off", "rate_limit_exceeded"],
    async run(deps, { actor, body, request }) {
      const email = findPerson(deps.db, actor.personId)?.email ?? "";
      await prove(deps, actor, body, limits.signIn(email, rateLimitKey(stateOf(request).ip)));
      return { ok: true };
    },
  }),
  ...passkeyOperations,
  ...providerOperations,
  ...recoveryOperations,
];

const openOperations = [
  op({
    at: "POST /auth/passkey/options",
    id: "beginPasskey",
    isSecret: true,
    tag,
    summary: "Begin to sign in with a passkey",
    description: "404 where the operator has not switched passkeys on.",
    answer: PasskeyOptions,
    refusals: ["not_found"],
    run: (deps) => beginPasskey(deps),
  }),
  op({
    at: "POST /auth/passkey",
    id: "signInWithPasskey",
    isSecret: true,
    input: { body: PasskeySignIn },
    tag,
    summary: "Sign in with a passkey",
    answer: SignedIn,
    refusals: ["invalid_credentials", "not_found"],
    run: (deps, { body, request }) => signInWithPasskey(deps, body, clientOf(request)),
  }),
];

const passkeyOperations = [
  op({
    at: "GET /account/passkeys",
    id: "listPasskeys",
    session: "self",
    isSecret: true,
    tag,
    summary: "List your passkeys",
    answer: Type.Array(Passkey),
    refusals: [],
    run: (deps, { actor }) => listPasskeys(deps, actor),
  }),
  op({
    at: "POST /account/passkeys/options",
    id: "beginNewPasskey",
    session: "self",
    isSecret: true,
    tag,
    summary: "Begin to add a passkey",
    answer: PasskeyOptions,
    refusals: ["proof_needed", "key_limit_reached", "not_found"],
    run: (deps, { actor }) => beginNewPasskey(deps, actor),
  }),
  op({
    at: "POST /account/passkeys",
    id: "addPasskey",
    session: "self",
    isSecret: true,
    input: { body: MadePasskey },
    tag,
    summary: "Add a passkey",
    answer: Passkey,
    refusals: ["proof_needed", "key_limit_reached", "not_found"],
    run: (deps, { actor, body, request }) => addPasskey(deps, actor, body, request.headers.get("user-agent")),
  }),
  op({
    at: "PATCH /account/passkeys/:id",
    id: "renamePasskey",
    session: "self",
    isSecret: true,
    input: { params: PasskeyParams, body: ChangePasskey },
    tag,
    summary: "Rename a passkey",
    answer: Passkey,
    refusals: ["not_found"],
    run: (deps, { actor, params, body }) => renamePasskey(deps, actor, params.id, body.name),
  }),
  op({
    at: "DELETE /account/passkeys/:id",
    id: "removePasskey",
    session: "self",
    isSecret: true,
    input: { params: PasskeyParams },
    tag,
    summary: "Remove a passkey",
    description: "Sessions that began with it stay.",
    answer: Done,
    refusals: ["proof_needed", "invalid_transition", "not_found"],
    run(deps, { actor, params }) {
      removePasskey(deps, actor, params.id);
      return { ok: true };
    },
  }),
];

const providerOperations = [
  op({
    at: "POST /account/provider",
    id: "beginToConnect",
    session: "self",
    isSecret: true,
    tag,
    summary: "Begin to connect the sign-in provider",
    description: "A browser that opens the address is sent to the provider, and comes back to the settings.",
    answer: ProviderAddress,
    refusals: ["proof_needed", "not_found"],
    run(deps, { actor }) {
      mayConnect(deps, actor);
      const root = pageRootOf(deps.settings);
      return { url: `${root}/auth/provider?next=${encodeURIComponent(`${root}/library/settings/security`)}` };
    },
  }),
  op({
    at: "DELETE /account/provider",
    id: "disconnectProvider",
    session: "self",
    isSecret: true,
    tag,
    summary: "Disconnect the sign-in provider",
    description: "Sessions that began with it end with their time.",
    answer: Done,
    refusals: ["proof_needed", "invalid_transition", "not_found"],
    run(deps, { actor }) {
      disconnectProvider(deps, actor);
      return { ok: true };
    },
  }),
];

const recoveryOperations = [
  op({
    at: "GET /account/sign-in",
    id: "getSignIn",
    session: "self",
    isSecret: true,
    tag,
    summary: "Get how you may sign in",
    answer: SignInState,
    refusals: [],
    run: (deps, { actor }) => getSignIn(deps, actor),
  }),
  op({
    at: "GET /account/recovery-codes",
    id: "getRecoveryCodes",
    session: "self",
    isSecret: true,
    tag,
    summary: "Get how many recovery codes you have left",
    answer: RecoveryCodes,
    refusals: [],
    run: (deps, { actor }) => getRecoveryCodes(deps, actor),
  }),
  op({
    at: "POST /account/recovery-codes",
    id: "renewRecoveryCodes",
    session: "self",
    isSecret: true,
    tag,
    summary: "Make new recovery codes",
    description: "Earlier ones no longer work. The new ones are in this answer and never shown again.",
    answer: RecoveryCodesMade,
    refusals: ["proof_needed"],
    run: (deps, { actor }) => ({ codes: renewRecoveryCodes(deps, actor) }),
  }),
  op({
    at: "DELETE /account/recovery-codes",
    id: "removeRecoveryCodes",
    session: "self",
    isSecret: true,
    tag,
    summary: "Delete your recovery codes",
    answer: Done,
    refusals: ["proof_needed"],
    run(deps, { actor }) {
      removeRecoveryCodes(deps, actor);
      return { ok: true };
    },
  }),
];

const clientOf = (request: Request) => ({
  ip: stateOf(request).ip,
  userAgent: request.headers.get("user-agent"),
});
