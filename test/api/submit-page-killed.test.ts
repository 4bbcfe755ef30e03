import { afterAll, beforeAll, expect, test } from "bun:test";
import { wavBytes } from "../media/wave-bytes.ts";
import { createProgram } from "../support/process.ts";
import { sine } from "../support/signals.ts";

const TUS = { "tus-resumable": "1.0.0" };
const OF_A_PIECE = { ...TUS, "content-type": "application/offset+octet-stream" };

let program: ReturnType<typeof createProgram>;
beforeAll(() => {
  program = createProgram({ RATE_LIMIT: "0" });
});
afterAll(() => program.close());

test("an upload resumes with all the bytes that a killed server had acknowledged", async () => {
  const bytes = wavBytes({ depth: "s16", sampleRateHz: 16_000, samples: [...sine(16_000, 5, 220)] });
  const half = bytes.slice(0, bytes.length / 2) as Uint8Array<ArrayBuffer>;
  const rest = bytes.slice(half.length) as Uint8Array<ArrayBuffer>;
  await program.run(["account", "create", "--email", "owner@example.com", "--name", "Owner"], {
    input: "correct horse battery\n",
  });
  const first = await program.serve();
  const token = await signIn(first.address);
  const brief = await post(first.address, "/app/briefs", token, {
    name: "Call",
    status: "open",
    publicPage: true,
  });
  const page = new URL(brief.data.publicUrl).pathname;
  const begun = await fetch(`${first.address}${page}/uploads`, {
    method: "POST",
    headers: {
      ...TUS,
      "upload-length": String(bytes.length),
      "upload-metadata": `filename ${btoa("song.wav")}`,
    },
  });
  const upload = begun.headers.get("location") ?? "";
  const acknowledged = await fetch(first.address + upload, {
    method: "PATCH",
    headers: { ...OF_A_PIECE, "upload-offset": "0" },
    body: half,
  });

  first.child.kill("SIGKILL");
  await first.child.exited;
  const second = await program.serve();

  expect(acknowledged.headers.get("upload-offset")).toBe(String(half.length));
  const standing = await fetch(second.address + upload, { method: "HEAD", headers: TUS });
  expect(standing.headers.get("upload-offset")).toBe(String(half.length));
  await fetch(second.address + upload, {
    method: "PATCH",
    headers: { ...OF_A_PIECE, "upload-offset": String(half.length) },
    body: rest,
  });
  const form = new FormData();
  form.append("name", "Ada");
  form.append("uploads", upload.split("/").at(-1) ?? "");
  const sent = await fetch(second.address + page, { method: "POST", body: form, redirect: "manual" });
  expect(sent.status).toBe(303);
  const heard = await fetch(`${second.address}/app/briefs/${brief.data.id}/submissions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await heard.json()) as { data: { track: { name: string }; listenUrl: string }[] };
  expect(data[0]?.track.name).toBe("song.wav");
  const { pathname, search } = new URL(data[0]?.listenUrl ?? "");
  const played = await fetch(second.address + pathname + search);
  expect(new Uint8Array(await played.arrayBuffer())).toEqual(new Uint8Array(bytes));
});

async function signIn(address: string): Promise<string> {
  const answer = await post(address, "/auth/login", undefined, {
    email: "owner@example.com",
    password: "correct horse battery",
  });
  return answer.data.token;
}

// biome-ignore lint/suspicious/noExplicitAny: the test's expectations check the shape
async function post(address: string, path: string, token: string | undefined, body: object): Promise<any> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return await response.json();
}
