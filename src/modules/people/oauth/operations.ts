import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { listGrants, revokeGrants } from "./service.ts";
import { Grant, RevokedGrants, RevokeGrantsQuery } from "./shapes.ts";

const tag = "API keys";

/** The programs that an owner let in through OAuth. */
export const grantOperations = [
  op({
    at: "GET /grants",
    id: "listGrants",
    session: "member",
    tag,
    summary: "List the programs with access, newest first",
    description: "Your own; with `manage:keys`, those of everyone in the library.",
    answer: Type.Array(Grant),
    refusals: [],
    run: (deps, { actor }) => listGrants(deps, actor),
  }),
  op({
    at: "DELETE /grants",
    id: "revokeGrants",
    session: "member",
    input: { query: RevokeGrantsQuery },
    tag,
    summary: "Revoke the access of one program, or of all",
    description:
      "Of your own; with `manage:keys`, of everyone's. Their tokens are refused from the next request on.",
    answer: RevokedGrants,
    refusals: ["grant_not_found"],
    run: (deps, { actor, query }) => ({ ok: true, revoked: revokeGrants(deps, actor, query.id) }),
  }),
];
