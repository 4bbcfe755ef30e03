import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LibraryId } from "../../db/schema.ts";
import { MODULES } from "../../src/modules/index.ts";
import {
  checkLedgers,
  currentHead,
  endLogs,
  eraseAbout,
  eraseDue,
  type Proof,
  prove,
  proveVersions,
} from "../../src/modules/proof/ledger/service.ts";
import { loadVerifier } from "../../src/modules/proof/ledger/verifier.ts";
import { transferAccount } from "../../src/modules/whole/ownership/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

const DAY_MS = 86_400_000;
const RATE_HZ = 8000;
const tone = (hz: number) => wavBytes([sine(RATE_HZ, 0.5, hz)], RATE_HZ, 16);
const VERIFIER = join(import.meta.dir, "../../src/modules/proof/ledger/ledger-verify.mjs");

let app: TestApp;
let accountId: string;
let key: string;
let token: string;
let trackId: string;
let versionId: string;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dubplate-ledger-"));
  app = await createTestApp();
  ({ accountId, token } = app.createAccount());
  key = app.createKey(accountId);
  ({ trackId, versionId } = await upload(key, "Night Drive.wav", tone(440)));
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function upload(by: string, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append("files", new File([bytes], name));
  const { body } = await app.as(by)("POST", "/tracks/upload", form);
  const id: string = body.data.uploaded[0].id;
  const { activeVersionId } = (await app.as(by)("GET", `/tracks/${id}/versions`)).body.data;
  return { trackId: id, versionId: activeVersionId as string };
}

const proofOf = async (query = ""): Promise<Proof> =>
  (await app.as(key)("GET", `/tracks/${trackId}/proof${query}`)).body.data;
const faults = () => {
  const found: Json[] = [];
  checkLedgers(app.deps.db, (fault) => found.push(fault));
  return found;
};
const typesOf = (owner = accountId): string[] =>
  app.deps.db.$client
    .query<{ type: string }, [string]>(
      "SELECT body ->> '$.type' AS type FROM ledger_entries e JOIN ledger_logs l ON l.id = e.log WHERE l.owner_id = ? ORDER BY e.log, e.seq",
    )
    .all(owner)
    .map(({ type }) => type);

/** Runs the verifier as a recipient does. */
function verify(program: string, proof: unknown, ...more: string[]) {
  const file = join(folder, "proof.json");
  writeFileSync(file, typeof proof === "string" ? proof : JSON.stringify(proof));
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, VERIFIER, file, ...more]);
  return { exitCode, said: `${stdout}${stderr}` };
}

describe("a proof", () => {
  test("of several versions at once is the one that each has by itself, and of nobody else's", async () => {
    const second = await upload(key, "Day Walk.wav", tone(550));
    const stranger = await upload(app.createKey(app.createAccount().accountId), "Other.wav", tone(660));
    const library = accountId as LibraryId;

    const proofs = proveVersions(app.deps, library, [second.versionId, versionId, stranger.versionId]);

    expect([...proofs.keys()]).toEqual([second.versionId, versionId]);
    expect(proofs.get(second.versionId)).toEqual(prove(app.deps, library, second.versionId, "version.added"));
    expect(proofs.get(versionId)).toEqual(await proofOf());
  });

  test("says when a file was here, and holds without the server, in Node and Bun, with the file or without", async () => {
    const proof = await proofOf();
    const audio = join(folder, "Night Drive.wav");
    writeFileSync(audio, tone(440));

    expect(proof.entry).toMatchObject({ type: "version.added", subject: versionId });
    expect(proof.opening.detail).toMatchObject({ name: "Night Drive.wav", trackId });
    for (const program of [process.execPath, "node"]) {
      expect(verify(program, proof)).toMatchObject({
        exitCode: 0,
        said: expect.stringContaining("VALID: version.added"),
      });
      const { exitCode, said } = verify(program, proof, audio, "--key", proof.publicKey);
      expect([exitCode, said]).toEqual([0, expect.stringContaining("the file is the one recorded")]);
    }
  });

  test("of a changed file, or signed by another key, is refused by name", async () => {
    const proof = await proofOf();
    const audio = join(folder, "Night Drive.wav");
    const bytes = tone(440);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    writeFileSync(audio, bytes);

    expect(verify("node", proof, audio)).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining("the file is another one"),
    });
    expect(verify("node", proof, "--key", "00".repeat(32)).said).toContain("another key signed");
    expect(verify("node", "{}").said).toContain("not a proof");
    expect(verify("node", "{").exitCode).toBe(1);
  });

  test("with any character changed is refused", async () => {
    const { check } = await loadVerifier();
    const text = JSON.stringify(await proofOf());
    const isRefused = (changed: string) => {
      try {
        check(JSON.parse(changed), {});
        return false;
      } catch {
        return true;
      }
    };

    expect(isRefused(text)).toBe(false);
    const unnoticed = [...text].flatMap((character, at) => {
      const other = character === "1" ? "2" : "1";
      return isRefused(text.slice(0, at) + other + text.slice(at + 1)) ? [] : [text.slice(at - 20, at + 5)];
    });
    expect(unnoticed).toEqual([]);
  });

  test("is there for every version, and for no version or track of another library", async () => {
    const form = new FormData();
    form.append("file", new File([tone(550)], "master 2.wav", { type: "audio/wav" }));
    const { body } = await app.as(key)("POST", `/tracks/${trackId}/versions`, form);
    const second = body.data.id;
    const other = app.createKey(app.createAccount().accountId);

    expect((await proofOf(`?versionId=${second}`)).entry.subject).toBe(second);
    expect((await app.as(key)("GET", `/tracks/${trackId}/proof?versionId=ver_none`)).body.messageCode).toBe(
      "version_not_found",
    );
    expect((await app.as(other)("GET", `/tracks/${trackId}/proof`)).body.messageCode).toBe("track_not_found");
  });
});

test("links, their ends and other versions are recorded with who they were for", async () => {
  const share = await app.as(key)("POST", "/shares", { trackId, recipient: "Jonas", allowDownload: true });
  const shareId = share.body.data.id;
  await app.as(key)("DELETE", `/shares/${shareId}`);

  const proof = prove(app.deps, accountId as never, shareId);

  expect(typesOf()).toEqual(["track.created", "version.added", "share.created", "share.revoked"]);
  expect(proof?.opening.detail).toMatchObject({ recipient: "Jonas", allowDownload: 1, versionId });
  expect(faults()).toEqual([]);
});

describe("heads", () => {
  test("of a growing ledger are consistent with each other", async () => {
    const early = currentHead(app.deps, accountId as never).head;
    for (let count = 0; count < 5; count++) await upload(key, `Song ${count}.wav`, tone(300 + count));
    const late = currentHead(app.deps, accountId as never).head;

    const { body } = await app.signedIn(token)("GET", `/app/ledger/consistency?from=${early.size}`);

    expect(body.data.from).toEqual({ size: early.size, root: early.root });
    expect(body.data.to).toEqual({ size: late.size, root: late.root });
    expect(consistentRoots(body.data)).toEqual([early.root, late.root]);
  });

  test("after a restore go on in a new ledger that names the last head of the former, and old proofs still hold", async () => {
    const before = await proofOf();
    endLogs(app.deps.db, app.clock.now(), "restored");
    const { trackId: later } = await upload(key, "After.wav", tone(600));

    const [old, fresh] = [await proofOf(), (await app.as(key)("GET", `/tracks/${later}/proof`)).body.data];

    expect(old.head.log).toBe(before.head.log);
    expect(fresh.head.log).not.toBe(before.head.log);
    expect(fresh.index).toBe(1);
    const first = app.deps.db.$client
      .query<{ head: string }, []>("SELECT head FROM ledger_heads WHERE size = 0")
      .all();
    expect(first.map(({ head }) => JSON.parse(head).successorOf).filter(Boolean)).toEqual([
      { because: "restored", publicKey: before.publicKey, signature: before.signature, head: before.head },
    ]);
    expect(faults()).toEqual([]);
  });

  test("after the loss of the key go on in a new ledger, which records again what no head covered", async () => {
    const before = await proofOf();
    const { trackId: later } = await upload(key, "Unsigned.wav", tone(600));
    app.deps.db.$client.run(
      "UPDATE ledger_logs SET seed = x'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'",
    );

    const proof: Proof = (await app.as(key)("GET", `/tracks/${later}/proof`)).body.data;

    expect(proof.head.log).not.toBe(before.head.log);
    const { check } = await loadVerifier();
    expect(() => check(proof, {})).not.toThrow();
    expect((await proofOf()).head).toEqual(before.head);
    expect(faults()).toEqual([]);
  });
});

test("a library given to another account takes its ledger along as history, and that one's own goes on", async () => {
  const before = await proofOf();
  const bo = app.createAccount();
  const own = currentHead(app.deps, bo.accountId as never).head.log;
  const [from, to] = [accountId, bo.accountId].map((id) => ({ id, active: true }) as never);
  await transferAccount(app.deps, from as never, to as never, MODULES);

  const proof = prove(app.deps, bo.accountId as never, versionId);

  expect(proof?.head).toEqual(before.head);
  expect(currentHead(app.deps, bo.accountId as never).head.log).toBe(own);
  expect(prove(app.deps, accountId as never, versionId)).toBeUndefined();
  expect(faults()).toEqual([]);
});

test("a version without a record is named, by its id", () => {
  expect(faults()).toEqual([]);

  app.deps.db.$client.run("DELETE FROM ledger_pending WHERE subject = ?", [versionId]);

  expect(faults()).toEqual([
    { kind: "missing", id: versionId, detail: "The ledger has no record of the version" },
  ]);
});

describe("erasing", () => {
  test("leaves the tree as it is, and proofs that are out there valid", async () => {
    const proof = await proofOf();

    expect(eraseAbout(app.deps.db, accountId as never, trackId)).toBe(2);

    const { check } = await loadVerifier();
    expect(() => check(proof, {})).not.toThrow();
    const head = currentHead(app.deps, accountId as never);
    expect(head.head.size).toBe(proof.head.size + 1);
    expect(typesOf().at(-1)).toBe("entity.erased");
    const text = app.deps.db.$client.query<{ body: string }, []>("SELECT body FROM ledger_entries").all();
    expect(JSON.stringify(text)).not.toContain("Night Drive");
    expect(faults()).toEqual([]);
  });

  test("comes by itself once a deleted track cannot be brought back, not before", async () => {
    await proofOf();
    await app.signedIn(token)("DELETE", `/app/tracks/${trackId}`);
    await app.signedIn(token)("DELETE", "/app/tracks/deleted");
    const details = () =>
      app.deps.db.$client
        .query<{ n: number }, []>(
          "SELECT count(*) AS n FROM ledger_openings WHERE detail LIKE '%Night Drive%'",
        )
        .get()?.n;
    currentHead(app.deps, accountId as never);
    app.clock.advance(7 * DAY_MS);
    eraseDue(app.deps);
    expect(details()).toBeGreaterThan(0);

    app.clock.advance(2 * DAY_MS);
    eraseDue(app.deps);

    expect(details()).toBe(0);
    expect(faults()).toEqual([]);
  });
});

test.each([
  [
    "a record",
    'UPDATE ledger_entries SET body = replace(body, \'"type":"v\', \'"type":"w\') WHERE seq = 1',
    /record/,
  ],
  [
    "a record's details",
    "UPDATE ledger_openings SET detail = replace(detail, 'Night', 'Light') WHERE seq = 1",
    /details/,
  ],
  ["a salt", "UPDATE ledger_openings SET salt = zeroblob(16) WHERE seq = 0", /details/],
  ["a hash", "UPDATE ledger_nodes SET hash = zeroblob(32) WHERE place = 1", /hash/],
  ["the edge", "UPDATE ledger_logs SET edge = zeroblob(32)", /edge/],
  [
    "a head",
    "UPDATE ledger_heads SET head = replace(head, '\"v\":1', '\"v\":2') WHERE size = 2",
    /signature/,
  ],
  ["a signature", "UPDATE ledger_heads SET signature = zeroblob(64)", /signature/],
  ["the key", "UPDATE ledger_logs SET public_key = zeroblob(32)", /key/],
  ["the size", "UPDATE ledger_logs SET size = 7", /number of records/],
])("%s that was changed in the database is named", async (_, change, said) => {
  await proofOf();
  expect(faults()).toEqual([]);

  app.deps.db.$client.run(change);

  expect(
    faults()
      .map(({ detail }) => detail)
      .join("\n"),
  ).toMatch(said);
});

/** Computes both roots from a consistency path: RFC 9162, section 2.1.4.2. */
function consistentRoots({ from, to, path }: Json): string[] {
  const bytes = (text: string) => Buffer.from(text, "hex");
  const node = (a: Buffer, b: Buffer) =>
    Buffer.from(new Bun.CryptoHasher("sha256").update(Uint8Array.of(1)).update(a).update(b).digest());
  const steps = path.map(bytes);
  if ((from.size & (from.size - 1)) === 0) steps.unshift(bytes(from.root));
  let [place, last] = [from.size - 1, to.size - 1];
  while (place % 2 === 1) [place, last] = [place >> 1, last >> 1];
  let [older, newer]: Buffer[] = [steps[0], steps[0]];
  for (const step of steps.slice(1)) {
    if (place % 2 === 1 || place === last) {
      older = node(step, older as Buffer);
      newer = node(step, newer as Buffer);
      while (place % 2 === 0 && place !== 0) [place, last] = [place >> 1, last >> 1];
    } else newer = node(newer as Buffer, step);
    [place, last] = [place >> 1, last >> 1];
  }
  return [older, newer].map((hash) => (hash as Buffer).toString("hex"));
}
