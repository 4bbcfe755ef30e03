import type { Static, TObject } from "@sinclair/typebox";
import type { OrdinaryScope } from "../../kernel/scopes.ts";
import type { RestCall } from "../calls/dispatch.ts";

/** What a client may assume about a tool before it asks its user. All four hints are always given. */
type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** What answers need to know about the installation. */
export type ToolContext = { publicUrl: string };

/**
 * One tool as data: what a model reads, and the REST request for a call. `request` and `compact` get values that
 * the schemas and the route have checked. Their types are erased here and known to {@link tool}.
 */
export type Tool = {
  name: string;
  title: string;
  description: string;
  input: TObject;
  /** Only for read tools. Open, so both the compact and the full form fit. */
  output?: TObject;
  annotations: Annotations;
  scopes: readonly OrdinaryScope[];
  /** The route as named in the specification's table. */
  endpoint: string;
  request: (input: Record<string, unknown>) => RestCall;
  /** Makes the answer from a route's payload, unless the caller asked for `detail: full`. */
  compact?: (payload: never, input: Record<string, unknown>, context: ToolContext) => object;
  /** `wait` polls until the analysis has ended, instead of calling the route once. */
  runs?: "wait";
};

/** {@link Tool} with its types. `Payload` is the route's `data` (with `paging` beside it for pages). */
type TypedTool<Input extends TObject, Payload> = Omit<Tool, "input" | "request" | "compact"> & {
  input: Input;
  request: (input: Static<Input>) => RestCall;
  compact?: (payload: Payload, input: Static<Input>, context: ToolContext) => object;
};

/** Declares a tool. */
export function tool<Input extends TObject, Payload>(declared: TypedTool<Input, Payload>): Tool {
  // A call's arguments are checked against `input` before they get here.
  return declared as unknown as Tool;
}

/** Annotations of a tool that changes nothing. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that adds something with each call. */
export const ADDS: Annotations = { ...READS, readOnlyHint: false, idempotentHint: false };

/** Annotations of a tool that replaces a value: a second call changes nothing more, and the old value is lost. */
export const SETS: Annotations = { ...READS, readOnlyHint: false, destructiveHint: true };

/** Annotations of a tool whose change is easy to undo: a second call changes nothing more. */
export const TURNS: Annotations = { ...READS, readOnlyHint: false };

/** Returns the annotations of a tool that also fetches from an address. */
export const fetching = (annotations: Annotations): Annotations => ({ ...annotations, openWorldHint: true });
