import { afterEach, expect, test } from "bun:test";
import { EVENTS } from "../../src/kernel/event-data.ts";
import { createVisitor } from "../pages/visitor.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { createReceiver, createWebhookApp, stopAll } from "../webhooks/support.ts";

afterEach(stopAll);

const MAX_BODY_BYTES = 20 * 1024;
const ADDRESS = "ada@studio.example";
const LINK = "https://files.example/mix.wav?token=abc";

/**
 * Returns text that a person may type into a field of at most `length` characters: an address, a link, and
 * three-byte characters.
 */
const typed = (length: number) => `${ADDRESS} ${LINK} ${"€".repeat(length)}`.slice(0, length);

test("every event that the API causes is small, and contains no e-mail address or link", async () => {
  const app = await createWebhookApp();
  const owner = app.owner();
  const hook = createReceiver(app.clock.now);
  const { path } = await owner.subscribe(hook.url);
  const api = app.as(app.createKey(owner.accountId));
  const must = async (method: string, route: string, body?: unknown) => {
    const answer = await api(method, route, body);
    if (answer.status !== 200) throw new Error(`${method} ${route}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };

  const form = new FormData();
  const wav = wavBytes([sine(44_100, 1, 440)], 44_100, 16);
  form.append("files", new File([wav], `${ADDRESS} ${"€".repeat(60)}.wav`));
  const trackId = (await must("POST", "/tracks/upload", form)).uploaded[0].id;
  await app.drainJobs();
  await must("PATCH", `/tracks/details?id=${trackId}`, { title: typed(200) });
  const composer = { fullName: typed(100), email: ADDRESS, publisher: typed(100) };
  const shareholderId = (await must("POST", "/composers", composer)).id;
  await must("PATCH", "/composers", { id: shareholderId, fullName: "Ada" });
  const link = (share: number) => ({ shareholders: [{ shareholderId, share, role: typed(100) }] });
  await must("PUT", `/tracks/shareholders?id=${trackId}`, link(50));
  await must("PUT", `/tracks/shareholders?id=${trackId}`, link(60));
  await must("PUT", `/tracks/shareholders?id=${trackId}`, { shareholders: [] });
  const note = await must("POST", `/tracks/${trackId}/comments`, { text: typed(2000) });
  await must("PATCH", `/comments/${note.id}`, { answered: true });
  await must("PUT", `/tracks/${trackId}/versions/${note.versionId}/review`, { state: "approved" });
  const { url } = await must("POST", "/shares", { trackId, recipient: ADDRESS, askAnswer: true });
  const visitor = createVisitor(app);
  const [, asked = ""] =
    /class="pitch-form">([\s\S]*?)<\/form>/.exec((await visitor.open(new URL(url).pathname)).text) ?? [];
  const hidden = [...asked.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
  const answered = await visitor.post(`${new URL(url).pathname}/answer`, {
    ...fields,
    answer: "terms",
    note: typed(200),
  });
  expect(answered.status).toBe(303);
  await owner.call("DELETE", `/app/tracks/${trackId}`);
  await owner.call("POST", `/app/tracks/${trackId}/restore`);
  await owner.call("POST", `${path}/test`);
  await app.deliver();

  expect(new Set(hook.received.map(({ body }) => body.type))).toEqual(new Set(Object.keys(EVENTS)));
  for (const { text, body } of hook.received) {
    expect(Object.keys(body)).toEqual(["id", "type", "timestamp", "apiVersion", "data"]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect(text).not.toContain("@");
    expect(text).not.toContain("://");
  }
  const texts = hook.received.map(({ text }) => text).join("\n");
  expect(texts).toContain("[removed]");
});
