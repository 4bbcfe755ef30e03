import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { type Bench, halfUpgraded, OLD_SCHEMA, type Refused } from "./refused-operations.ts";

/** A service that has one object in every bucket, or answers everything with a status. */
function serviceWith(answer: { storeJson: object } | { status: number }) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      "status" in answer ? new Response(null, { status: answer.status }) : Response.json(answer.storeJson),
  });
  const env = {
    BLOB_STORE: "s3://music/dubplate",
    S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  return { env, release: () => void server.stop(true) };
}

function usedBucket(dataDir: string, address: string): string {
  writeFileSync(join(dataDir, "bucket.json"), JSON.stringify({ address }));
  return dataDir;
}

const verifyReplica = ["verify", "--replica", "file:///nowhere"];

/** Every refusal of a bucket and of a replica. */
export const REFUSED_PLACES: readonly [what: string, prepare: (bench: Bench) => Refused][] = [
  [
    "a library whose audio is in a bucket, without the bucket",
    ({ library }) => {
      const dataDir = usedBucket(library(), "s3://music/dubplate");
      return {
        args: ["account", "list"],
        dataDir,
        says: `The audio of the library in DATA_DIR (${dataDir}) is in s3://music/dubplate: set BLOB_STORE, or move the audio back with BLOB_STORE set: dubplate store move --to disk`,
      };
    },
  ],
  [
    "a bucket that the keys do not open",
    ({ library }) => ({
      args: ["serve"],
      dataDir: library(),
      ...serviceWith({ status: 403 }),
      says: "BLOB_STORE (s3://music/dubplate) cannot be used: GET store.json: 403",
    }),
  ],
  [
    "a bucket of another library",
    ({ library }) => ({
      args: ["serve"],
      dataDir: library(),
      ...serviceWith({ storeJson: { id: "another", generation: 1 } }),
      says: "BLOB_STORE (s3://music/dubplate) has the audio of another library: choose another bucket or prefix, or put back the dubplate.db that belongs to it",
    }),
  ],
  [
    "an empty bucket in place of the one that was used",
    ({ library }) => ({
      args: ["serve"],
      dataDir: usedBucket(library(), "s3://music/old"),
      ...serviceWith({ status: 404 }),
      says: "The library's audio is in s3://music/old, and BLOB_STORE (s3://music/dubplate) is empty: copy the whole bucket first, or set BLOB_STORE back",
    }),
  ],
  [
    "a replica without Litestream",
    ({ library }) => ({
      args: verifyReplica,
      dataDir: library(),
      env: { PATH: "" },
      says: "litestream was not found: install it, or set LITESTREAM_PATH",
    }),
  ],
  [
    "a replica with something else as Litestream",
    ({ library }) => ({
      args: verifyReplica,
      dataDir: library(),
      env: { LITESTREAM_PATH: "/nowhere/litestream" },
      says: "LITESTREAM_PATH (/nowhere/litestream) is not a program: set it to the path of litestream",
    }),
  ],
  [
    "a replica from before an upgrade",
    ({ library, folder }) => {
      // Standing in for Litestream: it has an old database to restore.
      const program = join(folder(), "litestream");
      const old = join(halfUpgraded(folder()), "dubplate.db");
      writeFileSync(
        program,
        `#!/bin/sh
if [ "$2" = -dry-run ]; then echo '{"files":[{"timestamp":"2026-11-01T12:00:00Z"}]}'; else cp '${old}' "$4"; fi
`,
      );
      chmodSync(program, 0o700);
      return {
        args: verifyReplica,
        dataDir: library(),
        env: { LITESTREAM_PATH: program },
        says: `The replica has schema ${OLD_SCHEMA}, and this program knows ${SCHEMA_VERSION}: use the version that wrote it, or start the server and Litestream`,
      };
    },
  ],
];
