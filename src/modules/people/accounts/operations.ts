import { Type } from "@sinclair/typebox";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import { admitMember, type PersonActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { requireMail } from "../../mail/outbox/service.ts";
import { changeBrand, getBrand, readBrand } from "../brand/service.ts";
import {
  type AccountLimits,
  findPerson,
  getSession,
  listSessions,
  login,
  logout,
  normaliseEmail,
  revokeSessions,
} from "../people/service.ts";
import {
  CurrentSession,
  Done,
  Login,
  Revoked,
  RevokeSessionsQuery,
  SessionRow,
  SignedIn,
} from "../people/shapes.ts";
import { askForReset } from "./forgot.ts";
import { librariesOf, mayFound } from "./libraries.ts";
import { libraryOperations } from "./library-operations.ts";
import { changeAccount, changePassword, getAccount } from "./profile.ts";
import { register, type SetupCode } from "./service.ts";
import { Account, ChangeAccount, ChangePassword, ForgottenPassword, Register } from "./shapes.ts";

/** `setupCode` works until the first account exists. */
export type AccountParts = { limits: AccountLimits; setupCode: SetupCode };

const tag = "Sign-in";

/** Accounts and their sessions (decisions 5.1, 5.15), and what people may change of their own account. */
export const accountOperations = (parts: AccountParts) => [
  ...signInOperations(parts),
  forgottenOperation(parts),
  ...sessionOperations,
  ...ownAccountOperations(parts),
  ...libraryOperations,
];

const signInOperations = ({ limits, setupCode }: AccountParts) => [
  op({
    at: "POST /auth/register",
    id: "register",
    isSecret: true,
    input: { body: Register },
    tag,
    summary: "Create an account and sign in",
    description: "The first account needs the set-up code; later ones need a server with open registration.",
    answer: SignedIn,
    refusals: ["invalid_setup_code", "registration_closed", "duplicate_email", "rate_limit_exceeded"],
    run(deps, { body, request }) {
      const attempts = limits.register("", rateLimitKey(stateOf(request).ip));
      return register(deps, body, clientOf(request), { setupCode, attempts });
    },
  }),
  op({
    at: "POST /auth/login",
    id: "login",
    isSecret: true,
    input: { body: Login },
    tag,
    summary: "Sign in",
    answer: SignedIn,
    refusals: ["invalid_credentials", "password_sign_in_off", "rate_limit_exceeded"],
    run(deps, { body, request }) {
      const attempts = limits.signIn(normaliseEmail(body.email), rateLimitKey(stateOf(request).ip));
      return login(deps, body, clientOf(request), attempts);
    },
  }),
];

const forgottenOperation = ({ limits }: AccountParts) =>
  op({
    at: "POST /auth/reset-request",
    id: "requestPasswordReset",
    isSecret: true,
    input: { body: ForgottenPassword },
    tag,
    summary: "Ask for a link that sets a new password",
    description:
      "If the address has a sign-in here, a link that works once, for an hour, is on its way. The answer is the same for every address.",
    answer: Done,
    refusals: ["mail_off", "rate_limit_exceeded"],
    run(deps, { body: { email }, request }) {
      requireMail(deps.settings);
      askForReset(deps, email, mailAttempts(limits, email, request));
      return { ok: true };
    },
  });

const sessionOperations = [
  op({
    at: "POST /auth/logout",
    isAtRoot: true,
    id: "logout",
    session: "self",
    isSecret: true,
    tag,
    summary: "End this session",
    answer: Done,
    refusals: [],
    run(deps, { actor }) {
      logout(deps, actor);
      return { ok: true };
    },
  }),
  op({
    at: "GET /auth/session",
    isAtRoot: true,
    id: "getSession",
    session: "self",
    isSecret: true,
    tag,
    summary: "Get the signed-in account",
    answer: CurrentSession,
    refusals: [],
    run: (deps, { actor }) => ({
      ...getSession(deps, actor),
      ...librariesOf(deps, actor),
      mayFound: mayFound(deps, actor),
    }),
  }),
  op({
    at: "GET /auth/sessions",
    isAtRoot: true,
    id: "listSessions",
    session: "self",
    isSecret: true,
    tag,
    summary: "List the account's sessions, newest first",
    answer: Type.Array(SessionRow),
    refusals: [],
    run: (deps, { actor }) => listSessions(deps, actor),
  }),
  op({
    at: "DELETE /auth/sessions",
    isAtRoot: true,
    id: "revokeSessions",
    session: "self",
    isSecret: true,
    input: { query: RevokeSessionsQuery },
    tag,
    summary: "End one session, or every other one",
    answer: Revoked,
    refusals: ["session_not_found"],
    run: (deps, { actor, query }) => ({ ok: true, revoked: revokeSessions(deps, actor, query.id) }),
  }),
];

const ownAccountOperations = ({ limits }: AccountParts) => {
  const attemptsOf = ({ db }: Deps, { personId }: PersonActor, request: Request) =>
    limits.signIn(findPerson(db, personId)?.email ?? "", rateLimitKey(stateOf(request).ip));
  const changeAttempts = (deps: Deps, actor: PersonActor, email: string, request: Request) => ({
    password: attemptsOf(deps, actor, request),
    mails: mailAttempts(limits, email, request),
  });
  return [
    op({
      at: "GET /account",
      id: "getAccount",
      session: "member",
      rooms: true,
      isSecret: true,
      tag,
      summary: "Get your account",
      answer: Account,
      refusals: [],
      run: (deps, { actor }) => ({
        ...getAccount(deps, actor),
        brand: getBrand(deps, actor.accountId),
        signIn: waysOf(deps),
      }),
    }),
    op({
      at: "PATCH /account",
      id: "changeAccount",
      session: "member",
      rooms: true,
      isSecret: true,
      input: { body: ChangeAccount },
      tag,
      summary: "Change your name, e-mail address, brand or sentences for senders",
      description:
        "You sign in with the new address from then on, so it needs your password or a proof. Sessions and keys stay. Where the server sends mails, the new address counts once the link sent there is used, within an hour, and `newEmail` says so; the address of now takes that back.",
      answer: Account,
      refusals: ["duplicate_email", "password_sign_in_off", "proof_needed", "rate_limit_exceeded"],
      async run(deps, { actor, body: { brand, ...change }, request }) {
        // Before anything is changed: all of it, or nothing.
        if (brand) readBrand(brand);
        if (brand || change.thanks || change.assistantConfirm) admitMember(actor, "manage:library");
        const attempts = changeAttempts(deps, actor, change.email ?? "", request);
        const account = await changeAccount(deps, actor, change, attempts);
        const shown = changeBrand(deps, actor.accountId, brand ?? {});
        return { ...account, brand: shown, signIn: waysOf(deps) };
      },
    }),
    op({
      at: "POST /account/password",
      id: "changePassword",
      session: "self",
      isSecret: true,
      input: { body: ChangePassword },
      tag,
      summary: "Change your password",
      description: "Ends every other session. Keys and connected programs stay.",
      answer: Revoked,
      refusals: ["password_sign_in_off", "proof_needed", "rate_limit_exceeded"],
      async run(deps, { actor, body, request }) {
        const revoked = await changePassword(deps, actor, body, attemptsOf(deps, actor, request));
        return { ok: true, revoked };
      },
    }),
  ];
};

/** Mails that an address gets of which nobody knows whether its owner wants them. */
const mailAttempts = (limits: AccountLimits, email: string, request: Request) => [
  limits.forgotten(normaliseEmail(email), ""),
  limits.forgetful("", rateLimitKey(stateOf(request).ip)),
];

const waysOf = ({ settings }: Deps) => ({ passkeys: settings.passkeys });

const clientOf = (request: Request) => ({
  ip: stateOf(request).ip,
  userAgent: request.headers.get("user-agent"),
});
