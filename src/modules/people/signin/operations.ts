import { Type } from "@sinclair/typebox";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type AccountLimits, findPerson } from "../people/service.ts";
import { Done, SignedIn } from "../people/shapes.ts";
import {
  addPasskey,
  beginNewPasskey,
  beginPasskey,
  listPasskeys,
  prove,
  removePasskey,
  renamePasskey,
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
} from "./shapes.ts";

const tag = "Sign-in";

/** Signing in with a passkey, a person's passkeys, and the proof that it is them. */
export const signInOperations = ({ limits }: { limits: AccountLimits }) => [
  ...openOperations,
  op({
    at: "POST /auth/prove",
    isAtRoot: true,
    id: "prove",
    session: "self",
    isSecret: true,
    input: { body: Proof },
    tag,
    summary: "Prove that it is you",
    description: "With your password or a passkey. Signing in is a proof too. It counts for ten minutes.",
    answer: Done,
    refusals: ["rate_limit_exceeded"],
    async run(deps, { actor, body, request }) {
      const email = findPerson(deps.db, actor.personId)?.email ?? "";
      await prove(deps, actor, body, limits.signIn(email, rateLimitKey(stateOf(request).ip)));
      return { ok: true };
    },
  }),
  ...passkeyOperations,
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
    run: (deps, { body, request }) =>
      signInWithPasskey(deps, body, {
        ip: stateOf(request).ip,
        userAgent: request.headers.get("user-agent"),
      }),
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
    run: (deps, { actor, body }) => addPasskey(deps, actor, body),
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
