import { Type } from "@sinclair/typebox";
import { fields, flags, list, numbers, object, withId } from "./answers.ts";
import { READS, tool } from "./tool.ts";

export const listBriefs = tool({
  name: "list_briefs",
  title: "List briefs",
  description: "Your calls for submissions, newest first, up to 200.",
  input: Type.Object({}),
  output: object({
    data: list({ ...withId("name status deadline"), ...flags("active"), ...numbers("submissionCount") }),
  }),
  annotations: READS,
  operation: "listBriefs",
});

export const getBriefSubmissions = tool({
  name: "get_brief_submissions",
  title: "Brief submissions",
  description: "Tracks and links submitted to a brief, newest first.",
  input: Type.Object({
    briefId: Type.String({ minLength: 1, description: "Brief id" }),
  }),
  output: object({
    ...fields("brief"),
    submissions: list({
      ...withId("type message link createdAt"),
      track: object(withId("name artist")),
    }),
  }),
  annotations: READS,
  operation: "listBriefSubmissions",
  request: ({ briefId }) => ({ params: { briefId } }),
});
