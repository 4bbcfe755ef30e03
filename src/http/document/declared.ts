import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../../kernel/errors.ts";
import { ErrorBody, STATUS } from "../errors.ts";
import type { Components } from "./components.ts";

/** A mounted route, and what the document says of it: nothing without a `detail`. */
export type DocumentedRoute = {
  method: string;
  path: string;
  detail?: Readonly<Record<string, unknown>> | undefined;
  query?: TSchema | undefined;
  params?: TSchema | undefined;
  body?: TSchema | undefined;
};

/** Routes declare the schemas of their bodies at the start; what the document says of them is made with the document. */
export type Declared = { content?: Record<string, { schema: unknown }> };
export type Answer = Declared & { description: string };

/** Returns one response per status, which names each messageCode of that status. */
export function refusals(codes: readonly ErrorCode[]): Record<string, Answer> {
  const byStatus = Map.groupBy(new Set(codes), (code) => STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      { description: group.map((code) => `\`${code}\``).join(", "), content: contentOf(ErrorBody) },
    ]),
  );
}

/** The content of a body that has a schema. */
export const contentOf = (schema: TSchema, type = "application/json") => ({
  [type]: { schema: (components: Components) => components.refer(schema) },
});
