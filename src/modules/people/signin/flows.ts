import { transact } from "../../../../db/client.ts";
import type { FlowKind, PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newToken } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import * as queries from "./queries.ts";

/** Anybody may begin one, so the number is limited. The oldest go first. */
const MAX_FLOWS = 10_000;

type NewFlow = {
  kind: FlowKind;
  lastsMs: number;
  challenge?: string;
  nonce?: string;
  verifier?: string;
  personId?: PersonId;
  invitationId?: string;
  next?: string;
};

/** Begins a flow; returns its token. */
export function beginFlow(
  { db, now }: Pick<Deps, "db" | "now">,
  { lastsMs, ...flow }: NewFlow,
  most = MAX_FLOWS,
): string {
  const token = newToken(32);
  transact(db, (tx) => {
    queries.insertFlow(tx, { ...flow, tokenHash: sha256(token), expiresAt: now() + lastsMs });
    queries.deleteFlowsAbove(tx, most);
  });
  return token;
}

/** Ends a flow, whatever comes of it; undefined when it was used, has ended or never was. */
export function takeFlow(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string,
  kind: FlowKind,
): queries.FlowRow | undefined {
  return transact(db, (tx) => queries.takeFlow(tx, sha256(token), kind, now()));
}

/** Deletes the flows that have ended. */
export function pruneFlows({ db, now }: Pick<Deps, "db" | "now">): void {
  transact(db, (tx) => queries.deleteEndedFlows(tx, now()));
}
