import { afterAll, beforeAll, expect, test } from "bun:test";
import { tidyAnswers } from "../../src/http/idempotency.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

const LONG = "x".repeat(200);
const MAX_PAGES = 1_000_000;

let app: TestApp;
let post: (key: string) => Promise<{ status: number; isReplayed: boolean; text: string }>;
beforeAll(async () => {
  app = await createTestApp();
  const { accountId } = app.createAccount();
  const key = app.createKey(accountId);
  post = async (name) => {
    const response = await app.request("/api/v1/composers", {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", "idempotency-key": name },
      body: JSON.stringify({ fullName: LONG, artistName: LONG, email: "ada@example.com", publisher: LONG }),
    });
    const isReplayed = response.headers.get("idempotency-replayed") === "true";
    return { status: response.status, isReplayed, text: await response.text() };
  };
});
afterAll(() => app.close());

const pragma = (text: string) =>
  Number(
    Object.values(app.deps.db.$client.query<Record<string, number>, []>(`PRAGMA ${text}`).get() ?? {})[0],
  );
const isStored = (name: string) =>
  app.deps.db.$client
    .query<{ yes: number }, [string]>(
      "SELECT status IS NOT NULL AS yes FROM idempotency_keys WHERE idempotency_key = ?",
    )
    .get(name)?.yes === 1;

/** Lets the database grow page by page until a request is done; then there is no room left for its answer. */
async function postIntoLastRoom(name: string) {
  for (;;) {
    const answer = await post(name);
    if (answer.status !== 507) return answer;
    pragma(`max_page_count = ${pragma("page_count") + 1}`);
  }
}

test("an answer that the full disk had no room for is given again, and stored when there is room", async () => {
  pragma(`max_page_count = ${pragma("page_count")}`);
  const first = await postIntoLastRoom("full");
  const wasStored = isStored("full");
  const repeated = await post("full");

  expect([first.status, wasStored]).toEqual([200, false]);
  expect(repeated).toEqual({ ...first, isReplayed: true });

  pragma(`max_page_count = ${MAX_PAGES}`);
  tidyAnswers(app.deps);
  expect(isStored("full")).toBe(true);
  expect(await post("full")).toEqual({ ...first, isReplayed: true });
});
