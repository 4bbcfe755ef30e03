import { Type } from "@sinclair/typebox";
import { attachment } from "../../../http/files/file-name.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { mailOperations } from "./mail-operations.ts";
import { type BackupTimes, createServerChecks, getServer, requireOperator, streamBackup } from "./service.ts";
import {
  AccountParams,
  ChangeServerAccount,
  ChangeServerPerson,
  DeletedAccount,
  DeleteServerAccount,
  Findings,
  Invitation,
  Invite,
  NewOwner,
  PersonParams,
  Server,
  ServerAccount,
  ServerPerson,
  Verification,
} from "./shapes.ts";

/** What the program gives: how it is started, and when backups were made. */
export type ServerParts = { program: string; backups: () => Promise<BackupTimes> };

/** What changes accounts, and deletes one, is loaded with the first request for it. */
const accounts = () => import("./accounts.ts");

const tag = "Service";

/** The server and its accounts, for its operator. What these do, the command line does too. */
export const operatorOperations = (deps: Deps, parts: ServerParts) => [
  ...serverOperations(deps, parts),
  backupOperation,
  ...accountOperations,
  ...personOperations,
  ...mailOperations,
];

const serverOperations = (serverDeps: Deps, { program, backups }: ServerParts) => {
  const checks = createServerChecks(serverDeps);
  return [
    op({
      at: "GET /server",
      id: "getServer",
      session: "self",
      isSecret: true,
      tag,
      summary: "Get the state of the server",
      description:
        "For the operator's account: the first one, or the one that `dubplate account operator` named.",
      answer: Server,
      refusals: ["insufficient_scope"],
      async run(deps, { actor }) {
        requireOperator(deps, actor.personId);
        const verification = checks.verification();
        return getServer(deps, { program, verification, backups: await backups() });
      },
    }),
    op({
      at: "GET /server/findings",
      id: "getServerFindings",
      session: "self",
      isSecret: true,
      tag,
      summary: "Get what is wrong with the server, and what to do about it",
      answer: Findings,
      refusals: ["insufficient_scope"],
      async run(deps, { actor }) {
        requireOperator(deps, actor.personId);
        return { findings: await checks.findings() };
      },
    }),
    op({
      at: "POST /server/verify",
      id: "verifyLibrary",
      session: "self",
      isSecret: true,
      tag,
      summary: "Verify every file of the library",
      description: "Goes on in the background; `GET /app/server` says what it found.",
      answer: Verification,
      refusals: ["insufficient_scope"],
      run(deps, { actor }) {
        requireOperator(deps, actor.personId);
        return checks.verify();
      },
    }),
  ];
};

const backupOperation = op({
  at: "POST /server/backup",
  id: "downloadBackup",
  session: "self",
  tag,
  summary: "Download a backup of the whole server",
  description: "A TAR file, streamed as it is made. `dubplate restore` takes it.",
  answer: Type.String({ format: "binary" }),
  isBare: true,
  sends: { contentType: "application/x-tar", description: "The backup" },
  refusals: ["insufficient_scope", "library_damaged"],
  run: (deps, { actor, request }) => downloadBackup(deps, actor, request),
});

async function downloadBackup(deps: Deps, actor: PersonActor, request: Request): Promise<Response> {
  requireOperator(deps, actor.personId);
  stateOf(request).hasNoTimeout = true;
  const day = new Date(deps.now()).toISOString().slice(0, 10);
  return new Response(await streamBackup(deps), {
    headers: {
      "content-type": "application/x-tar",
      "content-disposition": attachment(`dubplate-${day}.tar`),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

const accountOperations = [
  op({
    at: "GET /accounts",
    id: "listServerAccounts",
    session: "self",
    isSecret: true,
    tag,
    summary: "List the accounts of the server, oldest first",
    answer: Type.Array(ServerAccount),
    refusals: ["insufficient_scope"],
    async run(deps, { actor }) {
      requireOperator(deps, actor.personId);
      return (await accounts()).listAccountsFor(deps);
    },
  }),
  op({
    at: "POST /accounts",
    id: "inviteAccount",
    session: "self",
    isSecret: true,
    input: { body: Invite },
    tag,
    summary: "Make an account, and a link that sets its password",
    description: "The link works once, within the hour.",
    answer: Invitation,
    refusals: ["insufficient_scope", "duplicate_email"],
    async run(deps, { actor, body }) {
      requireOperator(deps, actor.personId);
      return (await accounts()).inviteAccount(deps, body);
    },
  }),
  op({
    at: "POST /accounts/:id/invitation",
    id: "renewInvitation",
    session: "self",
    isSecret: true,
    input: { params: AccountParams },
    tag,
    summary: "Make a new link that sets an account's password",
    description: "It replaces an earlier one, and works once, within the hour.",
    answer: Invitation,
    refusals: ["insufficient_scope", "not_found"],
    async run(deps, { actor, params }) {
      requireOperator(deps, actor.personId);
      return (await accounts()).renewInvitation(deps, params.id);
    },
  }),
  op({
    at: "POST /accounts/:id/owner",
    id: "giveServerAccount",
    session: "self",
    isSecret: true,
    input: { params: AccountParams, body: NewOwner },
    tag,
    summary: "Make somebody the owner of an account",
    description:
      "Whether or not they are in it, and whatever its owner wants. The owner until now stays as manager, and everybody in it is told.",
    answer: ServerAccount,
    refusals: ["insufficient_scope", "not_found", "invalid_transition", "team_full"],
    async run(deps, { actor, params, body }) {
      requireOperator(deps, actor.personId);
      return (await accounts()).giveAccountTo(deps, params.id, body.email);
    },
  }),
  op({
    at: "PATCH /accounts/:id",
    id: "changeServerAccount",
    session: "self",
    isSecret: true,
    input: { params: AccountParams, body: ChangeServerAccount },
    tag,
    summary: "Disable or enable an account, or set its credits",
    answer: ServerAccount,
    refusals: ["insufficient_scope", "not_found", "invalid_transition"],
    async run(deps, { actor, params, body }) {
      requireOperator(deps, actor.personId);
      return (await accounts()).changeAccountOf(deps, params.id, body);
    },
  }),
  op({
    at: "DELETE /accounts/:id",
    id: "deleteServerAccount",
    session: "self",
    isSecret: true,
    input: { params: AccountParams, body: DeleteServerAccount },
    tag,
    summary: "Delete an account and everything in it",
    description: "Its files go to the quarantine.",
    answer: DeletedAccount,
    refusals: ["insufficient_scope", "not_found", "invalid_transition"],
    async run(deps, { actor, params, body }) {
      requireOperator(deps, actor.personId);
      return (await accounts()).deleteAccountOf(deps, params.id, body.email);
    },
  }),
];

const personOperations = [
  op({
    at: "GET /people",
    id: "listServerPeople",
    session: "self",
    isSecret: true,
    tag,
    summary: "List everybody who signs in on the server",
    description: "With the libraries that they are in, in the order in which they came.",
    answer: Type.Array(ServerPerson),
    refusals: ["insufficient_scope"],
    async run(deps, { actor }) {
      requireOperator(deps, actor.personId);
      return (await import("./people.ts")).listPeopleFor(deps);
    },
  }),
  op({
    at: "PATCH /people/:id",
    id: "changeServerPerson",
    session: "self",
    isSecret: true,
    input: { params: PersonParams, body: ChangeServerPerson },
    tag,
    summary: "Block a person, or let them in again",
    description:
      "A blocked person's sessions end, and their keys and programs open nothing. What they made stays, and so do their libraries.",
    answer: ServerPerson,
    refusals: ["insufficient_scope", "not_found", "invalid_transition"],
    async run(deps, { actor, params, body }) {
      requireOperator(deps, actor.personId);
      return (await import("./people.ts")).changePersonOf(deps, params.id, body.active);
    },
  }),
];
