import type { CallToolResult } from "@modelcontextprotocol/server";
import type { OrdinaryScope } from "../../kernel/scopes.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import type { Call } from "../surface.ts";
import type { ToolDeps } from "./deps.ts";
import { inBodyRefusal, refusal, textResult } from "./results.ts";

type Waiting = { trackId: string; trigger: boolean; timeoutSec: number; intervalSec: number };
type Kind = "trigger" | "first" | "again";
type Look = { payload: Record<string, unknown> } | { refused: CallToolResult };

/** Reading needs `read:tracks`; starting an analysis needs `update:tracks` too. */
export function scopesOfWait({ trigger }: Record<string, unknown>): readonly OrdinaryScope[] {
  return trigger === true ? ["read:tracks", "update:tracks"] : ["read:tracks"];
}

/**
 * Polls a track's analysis until it has ended, the time is up, or the client no longer waits (decision 4.45). All
 * polls belong to one call: only the first is recorded as usage. Each poll checks the credential.
 */
export async function waitForAnalysis(
  deps: ToolDeps,
  input: Record<string, unknown>,
  call: Call,
): Promise<CallToolResult> {
  const waiting = readWaiting(input);
  if (waiting.trigger) {
    const started = await look(deps, call, waiting, "trigger");
    if ("refused" in started) return started.refused;
  }
  const startedAt = deps.now();
  const aborts = signalOf(call);
  let seen = await look(deps, call, waiting, waiting.trigger ? "again" : "first");
  while ("payload" in seen && !isOver(seen.payload)) {
    const elapsedSec = (deps.now() - startedAt) / SECOND_MS;
    const leftSec = waiting.timeoutSec - elapsedSec;
    if (leftSec <= 0 || aborts.aborted) return outcome({ timedOut: true, ...seen.payload });
    await reportProgress(call, waiting, elapsedSec, String(seen.payload.analysisStatus));
    await deps.pause(Math.min(waiting.intervalSec, leftSec) * SECOND_MS, aborts);
    if (!aborts.aborted) seen = await look(deps, call, waiting, "again");
  }
  return "refused" in seen ? seen.refused : outcome(seen.payload);
}

const outcome = (payload: object) => textResult({ ok: true, ...payload });

/** Aborts when the client has gone or has cancelled the call. */
function signalOf({ caller: { cancelled }, context: { mcpReq } }: Call): AbortSignal {
  return cancelled ? AbortSignal.any([mcpReq.signal, cancelled]) : mcpReq.signal;
}

async function look(
  { dispatch }: ToolDeps,
  { caller, context }: Call,
  { trackId }: Waiting,
  kind: Kind,
): Promise<Look> {
  const { status, body } = await dispatch(
    kind === "trigger"
      ? { operation: "autoTagTrack", body: { trackId } }
      : { operation: "getSuggestedTags", query: { id: trackId } },
    { principal: caller.renew(), ip: caller.ip, isPoll: kind === "again" },
    context.mcpReq.signal,
  );
  if (status !== 200) return { refused: refusal(body) };
  // Both routes return an object.
  const payload = body.data as Record<string, unknown>;
  return payload.ok === false ? { refused: inBodyRefusal(payload) } : { payload };
}

/** Returns the checked arguments with their defaults. */
function readWaiting(input: Record<string, unknown>): Waiting {
  const { trackId, trigger = false, timeoutSeconds = 90, pollIntervalSeconds = 3 } = input;
  return {
    trackId: trackId as string,
    trigger: trigger as boolean,
    timeoutSec: timeoutSeconds as number,
    intervalSec: pollIntervalSeconds as number,
  };
}

const isOver = ({ analysisStatus }: Record<string, unknown>) =>
  analysisStatus === "completed" || analysisStatus === "failed";

/** Reports progress only to a client that asked for it and can receive it before the answer. */
async function reportProgress(
  { caller, context: { mcpReq } }: Call,
  { timeoutSec }: Waiting,
  elapsedSec: number,
  status: string,
): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || !caller.takesStream) return;
  await mcpReq.notify({
    method: "notifications/progress",
    params: {
      progressToken,
      progress: elapsedSec,
      total: timeoutSec,
      message: `The analysis is ${status}`,
    },
  });
}
