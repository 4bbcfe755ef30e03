import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { currentHead, proveConsistency, proveVersion } from "./prove.ts";
import { Consistency, ConsistencyQuery, LedgerHead, Proof, ProofParams, ProofQuery } from "./shapes.ts";

const tag = "Versions";

/** What a library's ledger shows to others. */
export const ledgerOperations = [
  op({
    at: "GET /tracks/:trackId/proof",
    id: "getProof",
    key: "read:tracks",
    input: { params: ProofParams, query: ProofQuery },
    tag,
    summary: "Prove that a version was in the library",
    description:
      "The record of the version in the library's ledger, with everything that it takes to check it without the server: " +
      "`node ledger-verify.mjs proof.json song.wav`.",
    answer: Proof,
    refusals: ["track_not_found", "version_not_found", "not_found"],
    run: (deps, { actor, params, query }) =>
      proveVersion(deps, { ownerId: actor.accountId, ...params, versionId: query.versionId }),
  }),
  op({
    at: "GET /ledger/head",
    id: "getLedgerHead",
    session: "read:tracks",
    tag,
    summary: "Sign the head of the library's ledger as it is now",
    answer: LedgerHead,
    refusals: [],
    run: (deps, { actor }) => currentHead(deps, actor.accountId),
  }),
  op({
    at: "GET /ledger/consistency",
    id: "getLedgerConsistency",
    session: "read:tracks",
    input: { query: ConsistencyQuery },
    tag,
    summary: "Show that an earlier head of the ledger is the beginning of a later one",
    answer: Consistency,
    refusals: ["validation_failed"],
    run: (deps, { actor, query }) => proveConsistency(deps, actor.accountId, query),
  }),
  op({
    at: "GET /ledger/verifier",
    id: "getLedgerVerifier",
    session: "read:tracks",
    tag,
    summary: "Get the program that checks proofs without the server",
    answer: Type.String(),
    sends: { contentType: "text/javascript", description: "A program for Node and Bun" },
    refusals: [],
    async run() {
      const { VERIFIER, VERIFIER_NAME } = await import("./verifier.ts");
      return new Response(VERIFIER, {
        headers: {
          "Content-Type": "text/javascript; charset=utf-8",
          "Content-Disposition": `attachment; filename="${VERIFIER_NAME}"`,
        },
      });
    },
  }),
] as const;
