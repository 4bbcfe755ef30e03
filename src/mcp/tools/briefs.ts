import { Type } from "@sinclair/typebox";
import { Anything, Things } from "./fields.ts";
import { READS, tool } from "./tool.ts";

export const listBriefs = tool({
  name: "list_briefs",
  title: "List briefs",
  description: "The library's own calls for submissions, newest first, up to 200. Returns data[].",
  input: Type.Object({}),
  output: Type.Object({ data: Things }),
  annotations: READS,
  scopes: ["read:briefs"],
  endpoint: "GET /briefs",
  request: () => ({ method: "GET", path: "/briefs" }),
});

export const getBriefSubmissions = tool({
  name: "get_brief_submissions",
  title: "Get a brief's submissions",
  description: "The tracks and links submitted to a brief. Returns brief and submissions[], newest first.",
  input: Type.Object({
    briefId: Type.String({ minLength: 1, description: "Brief id, from list_briefs" }),
  }),
  output: Type.Object({ brief: Anything, submissions: Things }),
  annotations: READS,
  scopes: ["read:briefs"],
  endpoint: "GET /briefs/{briefId}/submissions",
  request: ({ briefId }) => ({ method: "GET", path: `/briefs/${encodeURIComponent(briefId)}/submissions` }),
});
