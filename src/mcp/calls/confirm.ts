import { randomBytes } from "node:crypto";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { sha256 } from "../../kernel/secrets.ts";
import type { Change } from "../../modules/outward/assistant/shapes.ts";
import type { Call } from "../surface.ts";
import type { Tool } from "../tools/tool.ts";
import { refusal } from "./results.ts";

type Input = Record<string, unknown>;
type Run = (input: Input) => Promise<CallToolResult>;

/** A restart forgets what was asked: the person is asked again. */
const states = createRequestStateCodec<string>({ key: randomBytes(32) });
const QUESTION = "confirm";

/**
 * Lets the client ask its user before it does a call. The question is about a preview: an answer to another one, such as
 * to what the thing was before it changed, counts for nothing, and the user is asked again.
 *
 * @param run Does the call, or previews it.
 * @param decline Notes a call that the user did not want.
 */
export async function askedFirst(
  tool: Tool,
  input: Input,
  { caller, context }: Call,
  { run, decline }: { run: Run; decline: (refused: CallToolResult) => Promise<CallToolResult> },
): Promise<CallToolResult | InputRequiredResult> {
  const preview = await run({ ...input, dryRun: true });
  if (preview.isError) return preview;
  const { changes = [] } = preview.structuredContent as { changes?: Change[] };
  const { keyId, accountId } = caller.principal.actor;
  const sent = Object.entries(input).toSorted();
  const asked = sha256(JSON.stringify([keyId, accountId, tool.name, sent, changes])).toString("base64url");
  const answer = inputResponse(context.mcpReq.inputResponses, QUESTION);
  if (answer.kind === "elicit" && (await stateOf(context)) === asked) {
    const isWanted = answer.action === "accept" && answer.content?.[QUESTION] === true;
    if (isWanted) return run(input);
    return decline(
      refusal({
        messageCode: "declined_by_user",
        message: "The person said no, and nothing was changed. Do not try another way",
        data: undefined,
      }),
    );
  }
  return inputRequired({
    inputRequests: { [QUESTION]: question(tool, changes) },
    requestState: await states.mint(asked),
  });
}

/** Undefined where there is none of ours. */
async function stateOf(context: Call["context"]): Promise<string | undefined> {
  const state: unknown = context.mcpReq.requestState();
  return typeof state === "string" ? states.verify(state, context).catch(() => undefined) : undefined;
}

/** True for a client that shows its user forms. One that says no kind of question can show those. */
export function canAsk(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: object };
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}

/** Returns what the client of a call says that it can do. */
export function capabilitiesOf({ context }: Pick<Call, "context">): unknown {
  return (context.mcpReq.envelope as Input | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

function question({ title }: Tool, changes: readonly Change[]) {
  return inputRequired.elicit({
    message: `${title}? ${changes.map(inWords).join(" ")}`.trim(),
    requestedSchema: {
      type: "object",
      properties: { [QUESTION]: { type: "boolean", title: "Delete", description: "Yes, delete it" } },
      required: [QUESTION],
    },
  });
}

/** Says what goes: `composer: Ana Bo.`, or of how many it is taken away: `tracks: 3.` */
function inWords({ path, before }: Change): string {
  if (Array.isArray(before)) return `${path}: ${before.length}.`;
  const { fullName, label, name, ...rest } = Object(before) as Record<string, unknown>;
  return `${path}: ${fullName ?? label ?? name ?? rest.id ?? String(before)}.`;
}
