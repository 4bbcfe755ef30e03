import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "../support/process.ts";

const program = createProgram();
const folder = mkdtempSync(join(tmpdir(), "dubplate-ffmpeg-"));
afterAll(async () => {
  await program.close();
  rmSync(folder, { recursive: true });
});

const OWNER = { email: "me@example.com", password: "long enough 1" };

/** An ffmpeg that notes its starts, and tells its version once the file `go` is there. */
function slowFfmpeg() {
  const at = (name: string) => join(folder, name);
  writeFileSync(at("starts"), "");
  const wait = `while [ ! -e '${at("go")}' ]; do sleep 0.01; done`;
  writeFileSync(
    at("ffmpeg"),
    `#!/bin/sh\necho start >> '${at("starts")}'\n${wait}\necho "ffmpeg version 9"\n`,
  );
  chmodSync(at("ffmpeg"), 0o755);
  return {
    path: at("ffmpeg"),
    starts: () => readFileSync(at("starts"), "utf8").split("\n").length - 1,
    answer: () => writeFileSync(at("go"), ""),
  };
}

test("a server answers before ffmpeg does, and a request that needs ffmpeg waits for it", async () => {
  const ffmpeg = slowFfmpeg();
  await program.run([
    "account",
    "create",
    "--email",
    OWNER.email,
    "--name",
    "Me",
    "--password",
    OWNER.password,
  ]);

  const { address } = await program.serve({ FFMPEG_PATH: ffmpeg.path });
  expect(ffmpeg.starts()).toBeLessThan(2);
  const asking = signIn(address).then((token) =>
    fetch(`${address}/app/server`, { headers: { authorization: `Bearer ${token}` } }),
  );
  ffmpeg.answer();

  const { data } = (await (await asking).json()) as { data: { ffmpeg: string | null } };
  expect(data.ffmpeg).toBe(ffmpeg.path);
});

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(OWNER),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}
