import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import { streamOfLength } from "../../../../http/files/file-response.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import {
  Claimed,
  ClaimWish,
  Ended,
  MAX_RESULT_BYTES,
  MAX_WISH_BYTES,
  Release,
  Renewed,
  WorkResult,
} from "./shapes.ts";

const tag = "Platform";
const JobParams = Type.Object({ id: Type.String() });
const ofJob = "The job's token goes into `X-Job-Token`.";

type Call = { actor: { keyId: string }; request: Request; params: { id: string } };

const proofOf = ({ actor, request, params }: Call) => ({
  id: params.id,
  token: request.headers.get("x-job-token") ?? "",
  worker: actor.keyId,
});

/** `/platform/work`: analyses for workers on other machines. What a worker's key opens is here, and nothing else. */
export const workRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/platform/work" }).use(claimRoutes(deps, guard)).use(jobRoutes(deps, guard));

// The code of analyses is loaded when the first worker asks.
const claims = () => import("./claim.ts");
const held = () => import("./held.ts");

const claimRoutes = (deps: Deps, guard: Guards) =>
  new Elysia().use(guard).post(
    "/claim",
    async ({ actor, body, request }) => {
      const claimed = await (await claims()).claim(deps, actor.keyId, body, signalOf(request));
      if (claimed.job) stateOf(request).isPoll = false;
      return ok(claimed);
    },
    {
      workScope: MAX_WISH_BYTES,
      body: ClaimWish,
      detail: describe({
        operationId: "claimWork",
        tag,
        summary: "Claim a job for a worker on another machine",
        description:
          "Gives an analysis that is due or, when there is none, a track to listen to again. The job is the worker's until " +
          "its lease runs out; the token opens what belongs to this job alone.",
        answer: Claimed,
        refusals: ["worker_unfit"],
      }),
    },
  );

const jobRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/jobs/:id" })
    .use(guard)
    .get(
      "/audio",
      async (call) => audioAnswer(call.request, await (await held()).audioOf(deps, proofOf(call))),
      {
        workScope: MAX_WISH_BYTES,
        params: JobParams,
        detail: audioDetail(),
      },
    )
    .post(
      "/renew",
      async (call) => {
        const { renew } = await held();
        renew(deps, proofOf(call));
        return ok({ leaseSec: (await claims()).LEASE_SEC });
      },
      {
        workScope: MAX_WISH_BYTES,
        params: JobParams,
        detail: describe({
          operationId: "renewWork",
          tag,
          summary: "Keep a claimed job",
          description: ofJob,
          answer: Renewed,
          refusals: ["job_lost"],
        }),
      },
    )
    .post(
      "/result",
      async (call) => {
        stateOf(call.request).hasNoTimeout = true;
        await (await held()).takeResult(deps, proofOf(call), call.body, signalOf(call.request));
        return ok({ ok: true });
      },
      {
        workScope: MAX_RESULT_BYTES,
        params: JobParams,
        body: WorkResult,
        detail: describe({
          operationId: "sendWorkResult",
          tag,
          summary: "Send the result of a claimed job",
          description: `Ends the job. A job that was lost meanwhile changes nothing. ${ofJob}`,
          answer: Ended,
          refusals: ["job_lost", "worker_unfit"],
        }),
      },
    )
    .post(
      "/release",
      async (call) => {
        await (await held()).release(deps, proofOf(call), call.body.error);
        return ok({ ok: true });
      },
      {
        workScope: MAX_WISH_BYTES,
        params: JobParams,
        body: Release,
        detail: describe({
          operationId: "releaseWork",
          tag,
          summary: "Give a claimed job back",
          description: ofJob,
          answer: Ended,
          refusals: ["job_lost"],
        }),
      },
    );

type Audio = { sizeBytes: number; body: Blob | ReadableStream<Uint8Array> };

function audioAnswer({ method }: Request, { sizeBytes, body }: Audio): Response {
  return new Response(method === "HEAD" ? streamOfLength(sizeBytes) : body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(sizeBytes),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function audioDetail() {
  const described = describe({
    operationId: "getWorkAudio",
    tag,
    summary: "Download the audio file of a claimed job",
    description: ofJob,
    answer: Type.Any(),
    bare: true,
    refusals: ["job_lost", "file_missing", "storage_unavailable"],
  });
  const content = { "application/octet-stream": { schema: { type: "string", format: "binary" } } } as const;
  return { ...described, responses: { ...described.responses, 200: { description: "The file", content } } };
}
