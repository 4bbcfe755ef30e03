import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import { attachment } from "../../../http/files/file-name.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { type BackupTimes, createServerChecks, getServer, requireOperator, streamBackup } from "./service.ts";
import { Findings, Server, Verification } from "./shapes.ts";

const tag = "App";

/** What the program gives: when backups were made, and how it is started. */
export type ServerParts = { program: string; backups: () => Promise<BackupTimes> };

/** `/app/server`: the server, for its operator. What it does, the command line does too. */
export const serverRoutes = (deps: Deps, guard: Guards, { program, backups }: ServerParts) => {
  const checks = createServerChecks(deps);
  return new Elysia({ prefix: "/app/server" })
    .use(guard)
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .get(
      "",
      async ({ actor }) => {
        requireOperator(deps, actor.accountId);
        const verification = checks.verification();
        return ok(getServer(deps, { program, verification, backups: await backups() }));
      },
      {
        session: true,
        detail: describe({
          operationId: "getServer",
          tag,
          summary: "Get the state of the server",
          description:
            "For the operator's account: the first one, or the one that `dubplate account operator` named.",
          answer: Server,
          refusals: ["insufficient_scope"],
        }),
      },
    )
    .get(
      "/findings",
      async ({ actor }) => {
        requireOperator(deps, actor.accountId);
        return ok({ findings: await checks.findings() });
      },
      {
        session: true,
        detail: describe({
          operationId: "getServerFindings",
          tag,
          summary: "Get what is wrong with the server, and what to do about it",
          answer: Findings,
          refusals: ["insufficient_scope"],
        }),
      },
    )
    .post(
      "/verify",
      ({ actor }) => {
        requireOperator(deps, actor.accountId);
        return ok(checks.verify());
      },
      {
        session: true,
        detail: describe({
          operationId: "verifyLibrary",
          tag,
          summary: "Read every file of the library, and compare it",
          description: "Goes on in the background; `GET /app/server` says what it found.",
          answer: Verification,
          refusals: ["insufficient_scope"],
        }),
      },
    )
    .post(
      "/backup",
      async ({ actor, request }) => {
        requireOperator(deps, actor.accountId);
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
      },
      { session: true, detail: backupDetail() },
    );
};

function backupDetail() {
  const described = describe({
    operationId: "downloadBackup",
    tag,
    summary: "Download a backup of the whole server",
    description: "A TAR file, streamed as it is made. `dubplate restore` takes it.",
    answer: Type.Any(),
    bare: true,
    refusals: ["insufficient_scope", "library_damaged"],
  });
  const content = { "application/x-tar": { schema: { type: "string", format: "binary" } } } as const;
  return {
    ...described,
    responses: { ...described.responses, 200: { description: "The backup", content } },
  };
}
