import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { readLibraries, scoreOf } from "./bounces/score.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let songs = 0;

/** An account, and a folder whose files are offered to it: each has bytes of its own. */
function newAccount() {
  const key = app.createKey(app.createAccount().accountId);
  return async (path: string) => {
    const bytes = wavBytes([sine(8000, 0.03, 200 + songs++)], 8000, 16) as Uint8Array<ArrayBuffer>;
    const { headers } = await app.request("/api/v1/uploads", {
      method: "POST",
      headers: {
        "x-api-key": key,
        "tus-resumable": "1.0.0",
        "upload-length": String(bytes.length),
        "content-type": "application/offset+octet-stream",
      },
      body: bytes,
    });
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const uploadId = headers.get("location")?.split("/").at(-1) ?? "";
    const file = { path, sizeBytes: bytes.length, modifiedAt: 1, sha256, uploadId };
    const { body } = await app.as(key)("POST", "/uploads/take", {
      kind: "watch",
      source: "mac:/Bounces",
      files: [file],
    });
    return body.data.files[0];
  };
}

/** Where the names of each half land, in the order of the file and in reverse. A change that moves these figures changes them here. */
test.each([
  ["train", "in order", { files: 118, right: 117, joins: 0, splits: 1, labels: 1 }],
  ["train", "in reverse", { files: 118, right: 117, joins: 0, splits: 1, labels: 0 }],
  ["held", "in order", { files: 107, right: 102, joins: 0, splits: 5, labels: 1 }],
  ["held", "in reverse", { files: 107, right: 95, joins: 0, splits: 12, labels: 1 }],
] as const)("the names of bounces that are for %s land with their songs %s", async (half, order, figures) => {
  const { files, right, wrongJoins, wrongSplits, wrongLabels } = await scoreOf(
    readLibraries(half, order === "in reverse"),
    newAccount,
  );
  if (process.env.SHOW_BOUNCES === half) console.log({ wrongJoins, wrongSplits, wrongLabels });

  const [joins, splits, labels] = [wrongJoins, wrongSplits, wrongLabels].map(({ length }) => length);
  expect({ files, right, joins, splits, labels }).toEqual(figures);
});
