import { type Static, Type } from "@sinclair/typebox";
import { shape, Timestamp } from "../../../http/envelope.ts";

const A_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const V1 = Type.Literal(1, { description: "The format" });
const Hash = Type.String({ description: "SHA-256, hexadecimal", examples: [A_HASH] });
const Detail = Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]));

const LedgerHeadFields = {
  head: Type.Object(
    {
      v: V1,
      log: Type.String({
        description: "The first 16 bytes of the public key's SHA-256, hexadecimal",
        examples: ["44fcab63f4c68a4b8ed35ddb41ab02a0"],
      }),
      size: Type.Integer({ minimum: 0, description: "How many records it covers" }),
      root: Hash,
      at: Timestamp,
      successorOf: Type.Optional(
        Type.Object(
          {},
          { additionalProperties: true, description: "The last head of the log before, and why it ended" },
        ),
      ),
    },
    { description: "Signed as canonical JSON (RFC 8785) behind `dubplate-ledger-head` and a line feed" },
  ),
  signature: Type.String({
    description: "Ed25519, hexadecimal",
    examples: ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"],
  }),
  publicKey: Type.String({
    description: "Ed25519, hexadecimal",
    examples: ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"],
  }),
  stamp: Type.Optional(
    Type.Object(
      {
        at: Timestamp,
        hash: Hash,
        token: Type.String({ description: "The token, DER in base64", examples: ["MIIC…"] }),
      },
      {
        description:
          "A time stamp of the head by somebody else (RFC 3161), where one was had: `hash` is the SHA-256 of what was signed",
      },
    ),
  ),
};

/** A signed head of a library's ledger. */
export const LedgerHead = shape("LedgerHead", LedgerHeadFields);
export type LedgerHead = Static<typeof LedgerHead>;

/** A record with everything that it takes to check it without the server. */
export const Proof = shape("LedgerProof", {
  v: V1,
  entry: Type.Object(
    {
      v: V1,
      seq: Type.Integer({ minimum: 0, description: "The record's number, from 0" }),
      at: Timestamp,
      type: Type.String({
        description: "What was done, such as `version.added`",
        examples: ["version.added"],
      }),
      subject: Type.String({ description: "Id of what it was done to", examples: ["ver_8dK2mQ4s"] }),
      commitment: Hash,
    },
    { description: "The record: its canonical JSON (RFC 8785) is what the tree holds" },
  ),
  opening: Type.Object(
    {
      salt: Type.String({
        description: "16 bytes, hexadecimal",
        examples: ["00112233445566778899aabbccddeeff"],
      }),
      detail: Detail,
    },
    { description: "What the record commits to" },
  ),
  index: Type.Integer({ minimum: 0, description: "The record's place in the tree" }),
  path: Type.Array(Hash, {
    examples: [[A_HASH]],
    description: "Hashes from the record to the root (RFC 9162, section 2.1.3)",
  }),
  ...LedgerHeadFields,
});
export type Proof = Static<typeof Proof>;

const Size = (description: string) =>
  Type.Object(
    { size: Type.Integer({ minimum: 0, description: "How many records" }), root: Hash },
    { description },
  );

/** That an earlier head is the beginning of a later one. */
export const Consistency = shape("LedgerConsistency", {
  from: Size("The earlier head"),
  to: Size("The later one"),
  path: Type.Array(Hash, {
    examples: [[A_HASH]],
    description: "Hashes that lead from one root to the other (RFC 9162, section 2.1.4)",
  }),
  ...LedgerHeadFields,
});
export type Consistency = Static<typeof Consistency>;

export const ProofParams = Type.Object({ trackId: Type.String({ minLength: 1 }) });
export const ProofQuery = Type.Object({
  versionId: Type.Optional(
    Type.String({ minLength: 1, description: "Which version; without it the one that plays" }),
  ),
});
export const ConsistencyQuery = Type.Object({
  from: Type.Integer({ minimum: 1, description: "Number of records of the earlier head" }),
  to: Type.Optional(Type.Integer({ minimum: 1, description: "That of the later one; without it all" })),
});
