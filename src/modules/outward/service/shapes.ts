import { Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";

/** The tool server has its own name and version, separate from the REST API's (specification section 9). */
export const TOOL_SERVER = {
  name: "dubplate",
  title: "Dubplate",
  version: "1.6.0",
  apiVersion: "1",
} as const;

export const Health = shape("Health", {
  status: Type.Literal("ok"),
  program: Type.Object({ name: Type.String(), version: Type.String({ description: "Version of Dubplate" }) }),
  version: Type.String({ description: "Version of the tool server" }),
  apiVersion: Type.String(),
});

const Schema = Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema 2020-12" });

/** Answer of `GET /tools`. */
export const Catalogue = shape("ToolCatalogue", {
  name: Type.String(),
  version: Type.String({ description: "Version of the tool server (semantic versioning)" }),
  apiVersion: Type.String(),
  count: Type.Integer(),
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      description: Type.String({ description: "When to use the tool, and what it returns" }),
      inputSchema: Schema,
      outputSchema: Type.Optional(Schema),
      annotations: Type.Record(Type.String(), Type.Boolean()),
      scopes: Type.Array(Type.String(), { description: "The scopes that a key needs" }),
      endpoint: Type.String({ description: "The route that a call is sent to" }),
    }),
  ),
});

export const ApiVersion = shape("ApiVersion", {
  version: Type.String({ description: "Version in the URL called" }),
  prefix: Type.String(),
  latest: Type.String(),
  status: Type.Union([Type.Literal("current"), Type.Literal("deprecated")]),
  sunset: nullable(Type.String()),
  build: nullable(Type.String()),
  deprecatedRoutes: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      since: Type.String(),
      sunset: nullable(Type.String()),
      successor: nullable(Type.String()),
      note: nullable(Type.String()),
    }),
  ),
});
