import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "../support/process.ts";
import { sine, wavBytes } from "../support/signals.ts";

const RATE_HZ = 8000;
const EMAIL = "ana@example.com";
const folder = mkdtempSync(join(tmpdir(), "dubplate-ledger-"));
const program = createProgram({ RATE_LIMIT: "0" });
/** The library of a backup. */
const RESTORED = { extra: { DATA_DIR: join(folder, "restored") } };
let trackId: string;
const audio = join(folder, "Night Drive.wav");

beforeAll(async () => {
  writeFileSync(audio, wavBytes([sine(RATE_HZ, 0.5, 440)], RATE_HZ, 16));
  await program.run([
    "account",
    "create",
    "--email",
    EMAIL,
    "--name",
    "Ana",
    "--password",
    "correct horse battery",
  ]);
  const sent = await program.run(["send", audio, "--email", EMAIL]);
  trackId = String(sent.rows[0]?.trackId);
});
afterAll(async () => {
  await program.close();
  rmSync(folder, { recursive: true });
});

const proofIn = (name: string) => join(folder, name);
const prove = (name: string, where = {}) =>
  program.run(["ledger", "prove", "--email", EMAIL, trackId, "-o", proofIn(name)], where);

describe("the commands of the ledger", () => {
  test("prove a track to a file, check it with its audio, and name what does not hold", async () => {
    expect(await prove("proof.json")).toMatchObject({
      code: 0,
      rows: [{ file: proofIn("proof.json") }],
    });

    const { code, stdout } = await program.show(["ledger", "verify", proofIn("proof.json"), audio]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("the file is the one recorded")]);
    const other = await program.show(["ledger", "verify", proofIn("proof.json"), import.meta.path]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("the file is another one")]);
    expect((await program.run(["ledger", "verify"])).rows).toEqual([{ records: 2, faults: 0 }]);
  });

  test("go on under a new key once a backup was restored, and prove what was before", async () => {
    const head = (await program.run(["ledger", "head", "--email", EMAIL])).rows[0] as never as {
      publicKey: string;
    };
    const backup = join(folder, "backup.tar");
    await program.run(["backup", backup]);
    expect(await program.run(["restore", backup], RESTORED)).toMatchObject({ code: 0 });

    const after = (await program.run(["ledger", "head", "--email", EMAIL], RESTORED))
      .rows[0] as never as typeof head;
    expect(after.publicKey).not.toBe(head.publicKey);
    await prove("restored.json", RESTORED);
    const { code, stdout } = await program.show(
      ["ledger", "verify", proofIn("restored.json"), audio, "--key", head.publicKey],
      RESTORED,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("VALID: version.added")]);
    expect((await program.run(["verify", "--quick"], RESTORED)).rows.filter(({ kind }) => kind)).toEqual([]);
  });

  test("keep the key through a new master secret, give a new one when asked, and erase details for good", async () => {
    const keyNow = async () => (await program.run(["ledger", "head", "--email", EMAIL])).rows[0]?.publicKey;
    const before = await keyNow();
    await program.run(["secret", "rotate"]);
    expect(await keyNow()).toBe(before);
    const renewed = (await program.run(["ledger", "renew", "--email", EMAIL])).rows[0]?.publicKey;
    expect([renewed === before, await keyNow()]).toEqual([false, renewed]);

    expect((await program.run(["ledger", "erase", "--email", EMAIL, trackId])).rows).toEqual([{ erased: 2 }]);
    expect((await prove("erased.json")).code).toBe(1);
    expect((await program.run(["ledger", "verify"])).code).toBe(0);
    expect((await program.show(["ledger", "verify", proofIn("proof.json"), audio])).code).toBe(0);
  });
});
