import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { OrdinaryScope } from "../../kernel/scopes.ts";
import type { Change, Entity } from "../../modules/outward/assistant/shapes.ts";
import type { OperationCall } from "../calls/dispatch.ts";

/**
 * What a client may assume about a tool before it asks its user. `idempotentHint` is left out where it says nothing: of a
 * tool that only reads, and where it is false, which is its default.
 */
type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint?: true;
  openWorldHint: boolean;
};

/** What answers need to know about the installation. */
export type ToolContext = { publicUrl: string };

/** What a call sends to its tool's operation, or to another one that it names. */
type Sent = Omit<OperationCall, "operation"> & { operation?: string };

/**
 * One tool as data: what a model reads, and what a call sends to which operation. `request` and `compact` get values that
 * the schemas and the route have checked. Their types are erased here and known to {@link tool}.
 */
export type Tool = {
  name: string;
  title: string;
  description: string;
  input: TObject;
  /** An object, open, so that both the compact and the full form fit. */
  output: TSchema;
  annotations: Annotations;
  /** The id of the operation that a call is sent to, which says its address and scope. */
  operation: string;
  /** Left out: the scope of the operation. */
  scopes?: readonly OrdinaryScope[];
  /** Left out: the operation takes nothing. A preview is made and rolled back like the change itself; only a request that says so itself needs to know of it. */
  request?: (input: Record<string, unknown>, isRehearsal: boolean) => Sent;
  /** Makes the answer from a route's payload, unless the caller asked for `detail: full`. */
  compact?: (payload: never, input: Record<string, unknown>, context: ToolContext) => object;
  /** The tool deletes its target: a client that can ask its user does so first, unless the owner does not want it. */
  deletes?: true;
  /** What the tool destroys or replaces: such a tool takes `dryRun`, and what it did can be taken back. */
  target?: { entity: Entity; argument: string };
  /** Further scopes that these arguments need. */
  furtherScopes?: (input: Record<string, unknown>) => readonly OrdinaryScope[];
  /**
   * Further requests, and what their answers add to that of the first. For a preview they are made and rolled back like the
   * first, and only where `preview` says what they would change.
   */
  after?: {
    requests: (input: Record<string, unknown>, payload: never) => OperationCall[];
    add: (answers: never[]) => object;
    preview?: (answers: never[]) => Change[];
  };
  /** `wait` polls until the analysis has ended, instead of calling the route once. */
  runs?: "wait";
};

/** {@link Tool} with its types. `Payload` is the route's `data` (with `paging` beside it for pages). */
type TypedTool<Input extends TObject, Payload> = Omit<
  Tool,
  "input" | "request" | "after" | "furtherScopes" | "compact"
> & {
  input: Input;
  request?: (input: Static<Input>, isRehearsal: boolean) => Sent;
  furtherScopes?: (input: Static<Input>) => readonly OrdinaryScope[];
  after?: {
    requests: (input: Static<Input>, payload: never) => OperationCall[];
    add: (answers: never[]) => object;
    preview?: (answers: never[]) => Change[];
  };
  compact?: (payload: Payload, input: Static<Input>, context: ToolContext) => object;
};

/** Declares a tool. */
export function tool<Input extends TObject, Payload>(declared: TypedTool<Input, Payload>): Tool {
  const { input, target } = declared;
  // A call's arguments are checked against `input` before they get here.
  const erased = declared as unknown as Tool;
  return target ? { ...erased, input: Type.Object({ ...input.properties, dryRun: DryRun }) } : erased;
}

const DryRun = Type.Optional(Type.Boolean({ description: "Preview" }));

/** Annotations of a tool that changes nothing. */
export const READS: Annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

/** Annotations of a tool that adds something with each call. */
export const ADDS: Annotations = { ...READS, readOnlyHint: false };

/** Annotations of a tool whose change is easy to undo: a second call changes nothing more. */
export const TURNS: Annotations = { ...ADDS, idempotentHint: true };

/** Annotations of a tool that replaces a value: a second call changes nothing more, and the old value is lost. */
export const SETS: Annotations = { ...TURNS, destructiveHint: true };

/** Returns the annotations of a tool that also fetches from an address. */
export const fetching = (annotations: Annotations): Annotations => ({ ...annotations, openWorldHint: true });
