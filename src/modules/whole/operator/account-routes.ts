import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  changeAccountOf,
  deleteAccountOf,
  inviteAccount,
  listAccountsFor,
  renewInvitation,
  requireOperator,
} from "./service.ts";
import {
  AccountParams,
  ChangeServerAccount,
  DeletedAccount,
  DeleteServerAccount,
  Invitation,
  Invite,
  ServerAccount,
} from "./shapes.ts";

const tag = "App";

/** `/app/accounts`: the accounts of the server, for its operator. */
export const serverAccountRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/accounts" })
    .use(guard)
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .use(oneAccountRoutes(deps, guard))
    .get(
      "",
      ({ actor }) => {
        requireOperator(deps, actor.accountId);
        return ok(listAccountsFor(deps));
      },
      {
        session: true,
        detail: describe({
          operationId: "listServerAccounts",
          tag,
          summary: "List the accounts of the server, oldest first",
          answer: Type.Array(ServerAccount),
          refusals: ["insufficient_scope"],
        }),
      },
    )
    .post(
      "",
      async ({ actor, body }) => {
        requireOperator(deps, actor.accountId);
        return ok(await inviteAccount(deps, body));
      },
      {
        session: true,
        body: Invite,
        detail: describe({
          operationId: "inviteAccount",
          tag,
          summary: "Make an account, and a link that sets its password",
          description: "The link works once, within the hour.",
          answer: Invitation,
          refusals: ["insufficient_scope", "duplicate_email"],
        }),
      },
    );

const oneAccountRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .post(
      "/:id/invitation",
      ({ actor, params }) => {
        requireOperator(deps, actor.accountId);
        return ok(renewInvitation(deps, params.id));
      },
      {
        session: true,
        params: AccountParams,
        detail: describe({
          operationId: "renewInvitation",
          tag,
          summary: "Make a new link that sets an account's password",
          description: "It replaces an earlier one, and works once, within the hour.",
          answer: Invitation,
          refusals: ["insufficient_scope", "not_found"],
        }),
      },
    )
    .patch(
      "/:id",
      ({ actor, params, body }) => {
        requireOperator(deps, actor.accountId);
        return ok(changeAccountOf(deps, params.id, body));
      },
      {
        session: true,
        params: AccountParams,
        body: ChangeServerAccount,
        detail: describe({
          operationId: "changeServerAccount",
          tag,
          summary: "Disable or enable an account, or set its credits",
          answer: ServerAccount,
          refusals: ["insufficient_scope", "not_found", "invalid_transition"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ actor, params, body }) => {
        requireOperator(deps, actor.accountId);
        return ok(await deleteAccountOf(deps, params.id, body.email));
      },
      {
        session: true,
        params: AccountParams,
        body: DeleteServerAccount,
        detail: describe({
          operationId: "deleteServerAccount",
          tag,
          summary: "Delete an account with everything that it has",
          description: "Its files go to the quarantine.",
          answer: DeletedAccount,
          refusals: ["insufficient_scope", "not_found", "invalid_transition"],
        }),
      },
    );
