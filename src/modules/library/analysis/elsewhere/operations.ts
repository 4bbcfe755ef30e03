import { Type } from "@sinclair/typebox";
import { streamOfLength } from "../../../../http/files/file-response.ts";
import { op } from "../../../../http/operation.ts";
import { signalOf, stateOf } from "../../../../http/request-state.ts";
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

type OfJob = { actor: { keyId: string }; request: Request; params: { id: string } };

const proofOf = ({ actor, request, params }: OfJob) => ({
  id: params.id,
  token: request.headers.get("x-job-token") ?? "",
  worker: actor.keyId,
});

// The code of analyses is loaded when the first worker asks.
const claims = () => import("./claim.ts");
const held = () => import("./held.ts");

/** Analyses for workers on other machines. What a worker's key opens is here, and nothing else. */
export const workOperations = [
  op({
    at: "POST /platform/work/claim",
    id: "claimWork",
    key: "platform:work",
    input: { body: ClaimWish },
    reads: { limitBytes: MAX_WISH_BYTES },
    isPoll: true,
    tag,
    summary: "Claim a job for a worker on another machine",
    description:
      "Gives an analysis that is due or, when there is none, a track to listen to again. The job is the worker's until " +
      "its lease runs out; the token opens what belongs to this job alone.",
    answer: Claimed,
    refusals: ["worker_unfit"],
    async run(deps, { actor, body, request }) {
      const claimed = await (await claims()).claim(deps, actor.keyId, body, signalOf(request));
      if (claimed.job) stateOf(request).isPoll = false;
      return claimed;
    },
  }),
  op({
    at: "GET /platform/work/jobs/:id/audio",
    id: "getWorkAudio",
    key: "platform:work",
    input: { params: JobParams },
    isPoll: true,
    tag,
    summary: "Download the audio file of a claimed job",
    description: ofJob,
    answer: Type.String({ format: "binary" }),
    sends: { contentType: "application/octet-stream", description: "The file" },
    refusals: ["job_lost", "file_missing", "storage_unavailable"],
    run: async (deps, call) => audioAnswer(call.request, await (await held()).audioOf(deps, proofOf(call))),
  }),
  op({
    at: "POST /platform/work/jobs/:id/renew",
    id: "renewWork",
    key: "platform:work",
    input: { params: JobParams },
    reads: { limitBytes: MAX_WISH_BYTES },
    isPoll: true,
    tag,
    summary: "Renew the lease of a claimed job",
    description: ofJob,
    answer: Renewed,
    refusals: ["job_lost"],
    async run(deps, call) {
      const { renew } = await held();
      renew(deps, proofOf(call));
      return { leaseSec: (await claims()).LEASE_SEC };
    },
  }),
  op({
    at: "POST /platform/work/jobs/:id/result",
    id: "sendWorkResult",
    key: "platform:work",
    input: { params: JobParams, body: WorkResult },
    reads: { limitBytes: MAX_RESULT_BYTES },
    isPoll: true,
    tag,
    summary: "Send the result of a claimed job",
    description: `Ends the job. A job that was lost meanwhile changes nothing. ${ofJob}`,
    answer: Ended,
    refusals: ["job_lost", "worker_unfit"],
    isLong: true,
    async run(deps, call) {
      await (await held()).takeResult(deps, proofOf(call), call.body, signalOf(call.request));
      return { ok: true };
    },
  }),
  op({
    at: "POST /platform/work/jobs/:id/release",
    id: "releaseWork",
    key: "platform:work",
    input: { params: JobParams, body: Release },
    reads: { limitBytes: MAX_WISH_BYTES },
    isPoll: true,
    tag,
    summary: "Give a claimed job back",
    description: ofJob,
    answer: Ended,
    refusals: ["job_lost"],
    async run(deps, call) {
      await (await held()).release(deps, proofOf(call), call.body.error);
      return { ok: true };
    },
  }),
];

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
