import { type TSchema, Type } from "@sinclair/typebox";
import { contentOf, type DocumentedRoute } from "./document/declared.ts";
import { notThere } from "./guests.ts";
import { describe } from "./openapi.ts";
import type { Operation } from "./operation.ts";

/** A door of an operation, as far as the document speaks of it. */
type Described = { path: string; id: string; security: Record<string, string[]>[] };

/** Returns what the document says of a door of an operation. */
export function describedAs(
  operation: Operation,
  { path, id, security }: Described,
): Partial<DocumentedRoute> {
  const {
    tag,
    summary,
    description,
    answer,
    isBare,
    siblings,
    refusals,
    requestBody,
    example,
    input,
    sends,
    rooms,
  } = operation;
  const need = security[0]?.session?.[0];
  const unseen = need === undefined || need === "self" ? undefined : notThere(path, refusals);
  const detail = describe({
    operationId: id,
    tag,
    summary,
    answer,
    refusals: unseen === undefined ? refusals : [...new Set([...refusals, unseen])],
    ...(description !== undefined && { description }),
    ...(isBare && { bare: isBare }),
    ...(siblings && { siblings }),
    ...(requestBody && { requestBody }),
    ...(example !== undefined && { example }),
  });
  const responses = sends
    ? {
        ...detail.responses,
        200: { description: sends.description, content: contentOf(answer, sends.contentType) },
        ...(sends.mayBeKnown && { 304: { description: "The client has it already" } }),
      }
    : detail.responses;
  return {
    ...input,
    params: paramsIn(path, input),
    detail: { ...detail, responses, security, ...(rooms && { "x-rooms": true }) },
  };
}

/** The parameters that the path of one door has. Another door of the operation may have more. */
function paramsIn(path: string, { params }: Operation["input"] = {}) {
  const all: Record<string, TSchema> = params?.properties ?? {};
  const here = Object.entries(all).filter(([name]) => path.split("/").includes(`:${name}`));
  return here.length > 0 ? Type.Object(Object.fromEntries(here)) : undefined;
}
