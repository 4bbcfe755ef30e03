import type { CallToolResult } from "@modelcontextprotocol/server";
import { toDomainError } from "../../http/errors.ts";
import { DomainError } from "../../kernel/errors.ts";
import { satisfies } from "../../kernel/scopes.ts";
import type { Caller } from "../caller.ts";
import type { Call, ToolEntry } from "../surface.ts";
import { listed } from "../tools/catalogue.ts";
import type { Tool } from "../tools/tool.ts";
import { asWritten } from "./as-written.ts";
import { checker } from "./check.ts";
import { askedFirst, canAsk, capabilitiesOf } from "./confirm.ts";
import type { ToolDeps } from "./deps.ts";
import type { Dispatch, RestBody } from "./dispatch.ts";
import { actorOf, onRails } from "./on-rails.ts";
import { operationOf } from "./operations.ts";
import { cutPage, fittingCount, isPage, MAX_ANSWER_BYTES } from "./pages.ts";
import { inBodyRefusal, refusal, textResult } from "./results.ts";
import { scopesOfWait, waitForAnalysis } from "./wait.ts";

type Input = Record<string, unknown>;
type PlainCall = { caller: Caller; signal: AbortSignal };

/** Makes a callable tool from a declared one. */
export function toolEntry(deps: ToolDeps, tool: Tool): ToolEntry {
  const check = checker(tool.input);
  const { key } = operationOf(deps.operations, tool.operation);
  const checked = async (input: Input, run: () => Promise<CallToolResult>): Promise<CallToolResult> => {
    try {
      check(input);
      return await run();
    } catch (error) {
      return unforeseen(deps, tool, error);
    }
  };
  if (tool.runs === "wait")
    return {
      listed: listed(tool),
      scopesOf: scopesOfWait,
      call: (input, call) =>
        onRails(deps, tool, { input, caller: call.caller }, () =>
          checked(input, () => waitForAnalysis(deps, input, call)),
        ),
    };
  const callPlain: ToolEntry["callPlain"] = (input, caller, signal) =>
    onRails(deps, tool, { input, caller }, () =>
      checked(input, () => callOnce(deps, tool, input, { caller, signal })),
    );
  return {
    listed: listed(tool),
    scopesOf: (input) => [...(tool.scopes ?? [key]), ...(tool.furtherScopes?.(input) ?? [])],
    call(input, call) {
      const { caller, context } = call;
      const run = (sent: Input) => callPlain(sent, caller, context.mcpReq.signal);
      if (!isAskedFirst(deps, tool, input, call)) return run(input);
      const decline = (refused: CallToolResult) =>
        onRails(deps, tool, { input, caller }, async () => refused);
      return askedFirst(tool, input, call, { run, decline });
    },
    callPlain,
    ...(tool.deletes && { asks: true }),
  };
}

/** A preview asks nobody, and neither does a key that is no longer valid: it is refused, and says why. */
function isAskedFirst({ rails }: ToolDeps, tool: Tool, input: Input, call: Call): boolean {
  if (!tool.deletes || input.dryRun === true || !canAsk(capabilitiesOf(call))) return false;
  const accountId = actorOf(call.caller)?.accountId;
  return typeof accountId === "string" && rails.asksFirst(accountId);
}

/** Turns an unexpected error into a result, like any other refusal. A bug is logged in full. */
function unforeseen({ log }: ToolDeps, { name }: Tool, thrown: unknown): CallToolResult {
  const { code, message, data, cause } = toDomainError(thrown);
  if (code === "internal_error") log("error", "A tool call failed", { tool: name, error: cause });
  return refusal({ messageCode: code, message, data });
}

async function callOnce(deps: ToolDeps, tool: Tool, input: Input, call: PlainCall): Promise<CallToolResult> {
  checkFurtherScopes(tool, input, call.caller);
  const answer = await ask(deps, tool, input, call);
  if ("refused" in answer) return answer.refused;
  const text = JSON.stringify(answer.payload);
  const isTooLong = input.detail !== "full" && Buffer.byteLength(text) > MAX_ANSWER_BYTES;
  if (!isTooLong || !isPage(answer.payload)) return textResult(answer.payload, text);

  const count = fittingCount(answer.payload);
  if (!tool.input.properties.limit) return textResult(cutPage(answer.payload, count));
  // Only the route can make the cursor for a shorter page.
  const shorter = await ask(deps, tool, { ...input, limit: count }, call);
  return "refused" in shorter ? shorter.refused : textResult(shorter.payload);
}

async function ask({ dispatch, context }: ToolDeps, tool: Tool, input: Input, { caller, signal }: PlainCall) {
  const { dryRun: _, ...own } = input;
  const request = { operation: tool.operation, ...tool.request?.(own, input.dryRun === true) };
  const { status, body } = await dispatch(request, caller, signal);
  if (status !== 200) return { refused: refusal(asWritten(body, input, request)) };
  const payload = payloadOf(body);
  if ("ok" in payload && payload.ok === false) return { refused: inBodyRefusal(payload) };
  // A route's answer matches its schema, which `compact` expects.
  const compacted = input.detail === "full" ? undefined : tool.compact?.(payload as never, input, context);
  const after = await askAgain(dispatch, tool, { input, payload }, { caller, signal });
  return { payload: { ...(compacted ?? payload), ...after } };
}

/** Returns what the further requests of a tool add. They belong to the same call, so they are not recorded as other uses. */
async function askAgain(
  dispatch: Dispatch,
  tool: Tool,
  { input, payload }: { input: Input; payload: object },
  { caller, signal }: PlainCall,
): Promise<object | undefined> {
  const { after } = tool;
  const isRehearsal = input.dryRun === true;
  if (!after || (isRehearsal && !after.preview)) return undefined;
  const { principal, ip } = caller;
  const answers: unknown[] = [];
  // A route's answer matches its schema, which `requests` and `add` expect.
  const requests = after.requests(input, payload as never);
  if (requests.length === 0) return undefined;
  for (const request of requests) {
    const { status, body } = await dispatch(request, { principal, ip, isPoll: true }, signal);
    // The first request is done: the caller must know which part is missing.
    if (status !== 200) return { incomplete: `${body.messageCode}: ${body.message}` };
    answers.push(body.data);
  }
  const made = answers as never[];
  return isRehearsal ? { changes: after.preview?.(made) } : after.add(made);
}

/** @throws DomainError `insufficient_scope` before anything is done, when the arguments need more than the tool. */
function checkFurtherScopes({ furtherScopes }: Tool, input: Input, { principal }: Caller): void {
  const missing = furtherScopes?.(input).find((scope) => !satisfies(principal.scopes, scope));
  if (missing === undefined) return;
  throw new DomainError("insufficient_scope", `The scope ${missing} is missing`, {
    data: { required: missing },
  });
}

/** Returns the payload as an object: lists and pages stay under `data`. */
function payloadOf({ data, paging, unknownTags }: RestBody): Record<string, unknown> {
  if (paging) return { data, paging, ...(unknownTags && { unknownTags }) };
  return Array.isArray(data) ? { data } : (data as Record<string, unknown>);
}
