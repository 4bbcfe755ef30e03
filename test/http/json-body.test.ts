import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  key = app.createKey(app.createAccount().accountId);
});
afterAll(() => app.close());

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test.each([
  ["an own toString where a text should be", '{"query":{"toString":1}}', "query"],
  [
    "an own toString where one of several kinds should be",
    '{"query":"x","constraints":[{"toString":1}]}',
    "constraints",
  ],
  ["its own prototype", '{"query":{"__proto__":null}}', "query"],
  ["a hundred thousand levels", `{"query":${nested(100_000)}}`, "body"],
  ["one level too many", `{"query":${nested(64)}}`, "body"],
  ["text where an object should be", '{"query":"x","constraints":"fast"}', "constraints"],
  ["an array where an object should be", '{"query":"x","constraints":[]}', "constraints"],
  [
    "three bounds where there are two",
    '{"query":"x","constraints":{"bpmRange":[1,2,3]}}',
    "constraints.bpmRange",
  ],
])("a body with %s is refused by field name, without an internal error", async (_, body, path) => {
  const response = await app.request("/api/v1/tracks/search", {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body,
  });

  expect(response.status).toBe(400);
  expect((await jsonOf(response)).data.errors[0].path).toBe(path);
  expect(app.logged.filter(({ level }) => level === "error")).toEqual([]);
});
