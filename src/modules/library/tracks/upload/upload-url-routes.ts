import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, shape } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { invalidRequest } from "../../../../kernel/errors.ts";
import { DetailsInput } from "../details/details-shapes.ts";
import { AudioProfileInput } from "../profile.ts";
import { uploadFromUrls } from "./upload-urls.ts";

const MAX_ITEMS = 25;
const MAX_URL_CHARACTERS = 8192;

const UrlUpload = shape("UrlUpload", {
  items: Type.Array(
    Type.Object({
      fileUrl: Type.String({
        pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#]",
        maxLength: MAX_URL_CHARACTERS,
        description: "Public http or https address that serves `audio/*` or `application/octet-stream`",
      }),
      visible: Type.Optional(Type.Boolean({ default: false, description: "Shown in the app's library" })),
      audioProfile: Type.Optional(AudioProfileInput),
      details: Type.Optional(DetailsInput),
    }),
    { minItems: 1, maxItems: MAX_ITEMS },
  ),
});

const UrlUploaded = shape("UrlUploaded", {
  uploaded: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), visible: Type.Boolean() }), {
    description: "In the same order as the items",
  }),
  failed: Type.Array(
    Type.Object({
      url: Type.String({ description: "As it was sent" }),
      error: Type.String({ description: "Human-readable; the wording may change" }),
      code: Type.String({
        description:
          "`url_not_allowed`, `download_failed`, `invalid_file_type`, `file_too_large`, or the problem with the item's " +
          "cover or shareholders",
      }),
    }),
    { description: "In the same order as the items" },
  ),
});

/** `POST /tracks/upload/url`. */
export const urlUploadRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" }).use(guard).post(
    "/upload/url",
    async ({ actor, body, request }) => {
      checkAddresses(body);
      // Uploads may take as long as they need (decision 8.6).
      stateOf(request).hasNoTimeout = true;
      return ok(await uploadFromUrls(deps, actor.accountId, body.items, signalOf(request)));
    },
    {
      scope: "create:tracks",
      body: UrlUpload,
      detail: describe({
        operationId: "uploadTracksByUrl",
        tag: "Tracks",
        summary: "Upload tracks by URL",
        description:
          "Downloads each file, at most 1 GB, and makes a track of it. If an item fails, `failed` names it and the " +
          "other items go ahead. Private addresses are refused.",
        answer: UrlUploaded,
        refusals: [],
      }),
    },
  );

/** Refuses texts that match the schema's pattern but do not parse as addresses. */
function checkAddresses({ items }: Static<typeof UrlUpload>): void {
  const issues = items.flatMap(({ fileUrl }, index) =>
    URL.canParse(fileUrl)
      ? []
      : [
          {
            path: `items.${index}.fileUrl`,
            code: "string_pattern",
            detail: "must be an http or https address",
          },
        ],
  );
  if (issues.length > 0) throw invalidRequest(issues);
}
