import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkLedgers,
  currentHead,
  type Proof,
  stampHeads,
  witnessed,
} from "../../src/modules/proof/ledger/service.ts";
import { loadVerifier } from "../../src/modules/proof/ledger/verifier.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { canStamp, type StampAuthority, startStampAuthority } from "../support/stamp-authority.ts";

const DAY_MS = 86_400_000;
if (!canStamp) console.log("Not tested: time stamps, since there is no openssl");

let folder: string;
let authority: StampAuthority;
let app: TestApp;
let accountId: string;
let key: string;
let trackId: string;
beforeAll(async () => {
  if (!canStamp) return;
  folder = mkdtempSync(join(tmpdir(), "dubplate-stamps-"));
  authority = startStampAuthority(folder);
  app = await createTestApp({
    settings: { timestampUrl: authority.url, networkAllow: ["127.0.0.1"] },
  });
  ({ accountId } = app.createAccount());
  key = app.createKey(accountId);
  const form = new FormData();
  form.append("files", new File([wavBytes([sine(8000, 0.5, 440)], 8000, 16)], "Night Drive.wav"));
  trackId = (await app.as(key)("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
});
afterAll(async () => {
  if (!canStamp) return;
  authority.stop();
  await app.close();
  rmSync(folder, { recursive: true });
});

const stamp = () => stampHeads(app.deps, new AbortController().signal);
const proofOf = async (): Promise<Proof> => (await app.as(key)("GET", `/tracks/${trackId}/proof`)).body.data;
const faults = () => {
  const found: Json[] = [];
  checkLedgers(app.deps.db, (fault) => found.push(fault));
  return found;
};

test.if(canStamp)(
  "an authority that cannot be reached, or answers something else, leaves heads as they are",
  async () => {
    expect((await proofOf()).stamp).toBeUndefined();
    for (const answer of [
      () => new Response("Closed", { status: 503 }),
      () => new Response("<html>Sign in</html>"),
      () => new Response(Buffer.from("30053003020102", "hex")),
      () => new Response(Buffer.from("3084ffffffff", "hex")),
    ]) {
      authority.answerWith(answer);
      await stamp();
    }
    authority.answerWith(undefined);

    expect((await proofOf()).stamp).toBeUndefined();
    expect(
      app.logged.filter(({ message }) => message === "A head of a ledger could not be stamped"),
    ).toHaveLength(4);
  },
);

test.if(canStamp)(
  "the newest head is stamped once a day, and openssl verifies what a proof carries",
  async () => {
    await stamp();
    await stamp();
    const proof = await proofOf();

    expect(authority.count()).toBe(1);
    const token = join(folder, "token.der");
    writeFileSync(token, Buffer.from(proof.stamp?.token ?? "", "base64"));
    const check = (hash: string) =>
      Bun.spawnSync([
        ...["openssl", "ts", "-verify", "-digest", hash, "-token_in", "-in", token],
        ...["-CAfile", authority.certificate],
      ]).exitCode;
    expect(check(proof.stamp?.hash ?? "")).toBe(0);
    expect(check("00".repeat(32))).not.toBe(0);
    const verifier = await loadVerifier();
    verifier.check(proof, {});
    expect(verifier.describe(proof, undefined)).toContain(
      `openssl ts -verify -digest ${proof.stamp?.hash} -token_in -in token.der`,
    );
    expect(faults()).toEqual([]);
  },
);

test.if(canStamp)("a proof keeps to the first head that was stamped, whatever came since", async () => {
  const { head } = await proofOf();
  await app.as(key)("POST", "/shares", { trackId });
  app.clock.advance(2 * DAY_MS);
  const now = currentHead(app.deps, accountId as never);
  await stamp();

  expect(now.head.size).toBeGreaterThan(head.size);
  expect((await proofOf()).head).toEqual(head);
  expect(authority.count()).toBe(2);
  (await loadVerifier()).check(await proofOf(), {});
});

test.if(canStamp)("a token of another head is named, in a proof and in the library", async () => {
  const proof = await proofOf();
  const other = { ...proof, stamp: { ...proof.stamp, hash: "00".repeat(32) } } as Proof;
  const { check } = await loadVerifier();
  expect(() => check(other, {})).toThrow("the time stamp is of another head");

  app.deps.db.$client.run(
    "UPDATE ledger_heads SET stamp = (SELECT stamp FROM ledger_heads WHERE stamp IS NOT NULL ORDER BY size DESC LIMIT 1) WHERE stamp IS NOT NULL",
  );
  expect(faults()).toMatchObject([{ detail: "The time stamp of a head is not of that head" }]);
});

test.if(canStamp)(
  "a page of a link shows the root of the newest head, and the record it covers",
  async () => {
    const { body } = await app.as(key)("POST", "/shares", { trackId });
    const page = await app.request(new URL(body.data.url).pathname);

    const head = witnessed(app.deps.db, accountId as never);
    expect(await page.text()).toContain(`<code>${head?.root}</code>`);
  },
);
