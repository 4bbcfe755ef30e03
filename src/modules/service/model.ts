import { Type } from "@sinclair/typebox";
import { nullable } from "../../http/envelope.ts";

export const Health = Type.Object({
  status: Type.Literal("ok"),
  version: Type.String({ description: "Version of the tool server" }),
  apiVersion: Type.String(),
});

export const ApiVersion = Type.Object({
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
