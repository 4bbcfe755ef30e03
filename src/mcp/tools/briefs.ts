import { Type } from "@sinclair/typebox";
import { fields, list, object } from "./answers.ts";
import { READS, tool } from "./tool.ts";

export const listBriefs = tool({
  name: "list_briefs",
  title: "List briefs",
  description: "The library's own calls for submissions, newest first, up to 200.",
  input: Type.Object({}),
  output: object({
    data: list(fields("id name status deadline active submissionCount")),
  }),
  annotations: READS,
  scopes: ["read:briefs"],
  endpoint: "GET /briefs",
  request: () => ({ method: "GET", path: "/briefs" }),
});

export const getBriefSubmissions = tool({
  name: "get_brief_submissions",
  title: "Get a brief's submissions",
  description: "The tracks and links submitted to a brief, newest first.",
  input: Type.Object({
    briefId: Type.String({ minLength: 1, description: "Brief id" }),
  }),
  output: object({
    brief: object(fields("id name status deadline")),
    submissions: list({
      ...fields("id type message link createdAt"),
      track: object(fields("id name artist")),
    }),
  }),
  annotations: READS,
  scopes: ["read:briefs"],
  endpoint: "GET /briefs/{briefId}/submissions",
  request: ({ briefId }) => ({ method: "GET", path: `/briefs/${encodeURIComponent(briefId)}/submissions` }),
});
