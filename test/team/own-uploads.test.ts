import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { type Planted, planted, plantLibrary } from "../support/planted.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
let lib: Planted;
beforeAll(async () => {
  app = await createTestApp();
  lib = await plantLibrary(app, "Wrens", 370);
});
afterAll(() => app.close());

const TUS = { "tus-resumable": "1.0.0" };
const base64 = (text: string) => Buffer.from(text).toString("base64");

function member(role: Role) {
  const { token } = addMember(app, lib.accountId, { role });
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Uint8Array<ArrayBuffer>,
  ) =>
    app.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...TUS, ...headers },
      ...(body && { body }),
    });
  const finish = async (id: string, more = {}) => {
    const body = JSON.stringify({ uploads: [{ id, path: "a.wav", ...more }] });
    const answer = await send("POST", "/app/uploads/finish", { "content-type": "application/json" }, body);
    return (await jsonOf(answer)).data.uploads[0];
  };
  return { token, send, finish };
}
type Someone = ReturnType<typeof member>;

const begin = ({ send }: Someone, bytes: Uint8Array, more: Record<string, string> = {}) =>
  send("POST", "/app/uploads", {
    "upload-length": String(bytes.length),
    "upload-metadata": Object.entries({ filename: "a.wav", ...more })
      .map(([name, value]) => `${name} ${base64(value)}`)
      .join(","),
  });
const arrive = ({ send }: Someone, address: string, bytes: Uint8Array) =>
  send(
    "PATCH",
    address,
    { "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    bytes.slice(),
  );
const addressOf = (answer: Response) => new URL(answer.headers.get("location") ?? "", "http://x").pathname;

test("an upload is its sender's alone: nobody else goes on with it, ends it or decides about it", async () => {
  const [ana, ben] = [member("artist"), member("manager")];
  const bytes = planted(380);
  const address = addressOf(await begin(ana, bytes, { key: "same" }));
  const id = address.split("/").at(-1) ?? "";
  const foreign = [
    await ben.send("HEAD", address),
    await arrive(ben, address, bytes),
    await ben.send("DELETE", address),
    await ben.send("POST", `/app/uploads/${id}/wait`),
  ];

  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(addressOf(await begin(ben, bytes, { key: "same" }))).not.toBe(address);
  expect(addressOf(await begin(ana, bytes, { key: "same" }))).toBe(address);
  expect((await arrive(ana, address, bytes)).status).toBe(204);
  expect(await ben.finish(id)).toMatchObject({ outcome: "refused", messageCode: "not_found" });
  expect(await ana.finish(id)).toMatchObject({ outcome: "track" });
});

test("an upload becomes a version only for those who may change tracks", async () => {
  const [artist, producer] = [member("artist"), member("producer")];
  const bytes = planted(390);
  const refused = await begin(artist, bytes, { trackId: lib.trackId });
  const address = addressOf(await begin(artist, bytes));
  const id = address.split("/").at(-1) ?? "";
  await arrive(artist, address, bytes);
  const later = await artist.finish(id, { trackId: lib.trackId });
  const theirs = addressOf(await begin(producer, planted(395), { trackId: lib.trackId }));
  await arrive(producer, theirs, planted(395));

  expect(refused.status).toBe(403);
  expect(later).toMatchObject({ outcome: "refused", messageCode: "insufficient_scope" });
  expect(await producer.finish(theirs.split("/").at(-1) ?? "", { trackId: lib.trackId })).toMatchObject({
    outcome: "version",
  });
  expect(await artist.finish(id)).toMatchObject({ outcome: "track" });
});
