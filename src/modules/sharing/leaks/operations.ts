import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readJson } from "../../../http/body/json-body.ts";
import { receiveForm } from "../../../http/body/multipart.ts";
import { toIssues } from "../../../http/issues.ts";
import { op } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidRequest } from "../../../kernel/errors.ts";
import type { Leaks } from "./service.ts";
import { Leak, LeakAddress, LeakForm, LeakParams, SampleParams } from "./shapes.ts";

const tag = "Shares";

/** Whose copy a file is that came from somewhere. */
export function leakOperations(deps: Deps) {
  let loaded: Promise<Leaks> | undefined;
  // What looks into leaks is loaded with the first one.
  const leaks = () => {
    loaded ??= import("./service.ts").then(({ createLeaks }) => createLeaks(deps));
    return loaded;
  };
  return [
    op({
      at: "POST /leaks",
      id: "lookUpLeak",
      session: "read:shares",
      reads: "form",
      tag,
      summary: "Find out whose copy a sound is",
      description:
        "Takes a form, or JSON with `url`. Looks for the mark that copies for recipients carry; the answer is in `GET /leaks/{id}`, " +
        "and nothing of the sound is kept. Without `trackId`, its track is found by any 5 s of it.",
      answer: Leak,
      requestBody: { contentType: "multipart/form-data", schema: LeakForm },
      refusals: [
        "track_not_found",
        "too_many_files",
        "file_too_large",
        "invalid_file_type",
        "url_not_allowed",
        "download_failed",
        "insufficient_storage",
      ],
      run: async (_, { actor, request }) =>
        (await leaks()).begin(
          actor,
          (stage) => (isJson(request) ? readAddress(request) : readForm(request, stage)),
          signalOf(request),
        ),
    }),
    op({
      at: "GET /leaks/:id",
      id: "getLeak",
      session: "read:shares",
      input: { params: LeakParams },
      isPoll: true,
      tag,
      summary: "Get what a look-up found",
      description: "Answers are kept for an hour, and not beyond a start of the server.",
      answer: Leak,
      refusals: ["not_found"],
      run: async (_, { actor, params }) => (await leaks()).get(actor, params.id),
    }),
    op({
      at: "GET /tracks/:trackId/mark-sample",
      id: "getMarkSample",
      session: "download:originals",
      input: { params: SampleParams },
      tag: "Tracks",
      summary: "Get a part of a track beside itself with a mark, for a listening test",
      description:
        "15 s of its middle: WAV, 44.1 kHz, four channels of 32-bit floats. The last two are the first two with a mark of nobody.",
      answer: Type.String({ format: "binary" }),
      sends: { contentType: "audio/wav", description: "The sound" },
      refusals: ["track_not_found", "file_missing", "analysis_failed"],
      run: async (_, { actor, params, request }) =>
        new Response(await (await leaks()).sample(actor, params.trackId, signalOf(request)), {
          headers: { "content-type": "audio/wav", "cache-control": "no-store" },
        }),
    }),
  ];
}

const isJson = (request: Request) => /^application\/json\b/i.test(request.headers.get("content-type") ?? "");

const readForm = (request: Request, stage: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) =>
  receiveForm(request, "file", { maxFiles: 1, known: Object.keys(LeakForm.properties) }, ({ bytes }) =>
    stage(bytes),
  );

async function readAddress(request: Request): Promise<{ fields: ReadonlyMap<string, string> }> {
  const { value } = await readJson(request);
  if (!Value.Check(LeakAddress, value)) throw invalidRequest(toIssues(Value.Errors(LeakAddress, value)));
  const { url, trackId } = value;
  return { fields: new Map([["url", url], ...(trackId ? ([["trackId", trackId]] as const) : [])]) };
}
