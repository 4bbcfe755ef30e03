import type { Static, TObject } from "@sinclair/typebox";
import type { OrdinaryScope } from "../kernel/scopes.ts";
import type { RestCall } from "./dispatch.ts";

/** What a client may assume of a tool before it asks its user; all four are always said. */
type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** What answers need to know of the installation. */
export type ToolContext = { publicUrl: string };

/**
 * One tool as data: what a model reads, and the REST request that a call becomes. `request` and `compact` get what the
 * schemas and the route have checked already; their types are forgotten here, and told to {@link tool}.
 */
export type Tool = {
  name: string;
  title: string;
  description: string;
  input: TObject;
  /** Of read tools only; open, so that the compact and the full form both fit. */
  output?: TObject;
  annotations: Annotations;
  scopes: readonly OrdinaryScope[];
  /** The route as the specification's table names it. */
  endpoint: string;
  request: (input: Record<string, unknown>) => RestCall;
  /** Makes the answer of a route's payload, unless the caller asked for `detail: full`. */
  compact?: (payload: never, input: Record<string, unknown>, context: ToolContext) => object;
  /** `wait` polls until the analysis is over instead of calling the route once. */
  runs?: "wait";
};

/** {@link Tool} with its types: `Payload` is what the route answers as `data` (with `paging` beside it for pages). */
type TypedTool<Input extends TObject, Payload> = Omit<Tool, "input" | "request" | "compact"> & {
  input: Input;
  request: (input: Static<Input>) => RestCall;
  compact?: (payload: Payload, input: Static<Input>, context: ToolContext) => object;
};

/** Declares a tool. */
export function tool<Input extends TObject, Payload>(declared: TypedTool<Input, Payload>): Tool {
  // A call's arguments have been checked against `input` before they come here.
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

/** Annotations of a tool that sets something: the second call changes nothing more, and the old value is gone. */
export const SETS: Annotations = { ...READS, readOnlyHint: false, destructiveHint: true };

/** Annotations of a tool that changes something that is easily changed back, and with a second call nothing more. */
export const TURNS: Annotations = { ...READS, readOnlyHint: false };

/** The same of a tool that fetches from an address. */
export const fetching = (annotations: Annotations): Annotations => ({ ...annotations, openWorldHint: true });
