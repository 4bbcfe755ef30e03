import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { createTestApp, type TestApp } from "../support/app.ts";

type Operation = {
  operationId: string;
  summary: string;
  security: object[];
  responses: Record<string, object>;
  requestBody?: object;
};

let app: TestApp;
let text: string;
let operations: [name: string, operation: Operation][];

beforeAll(async () => {
  app = await createTestApp();
  text = await (await app.request("/openapi.json")).text();
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => app.close());

describe("the OpenAPI document", () => {
  test("passes Redocly's recommended rules without an error", async () => {
    const config = await createConfig({ extends: ["recommended"] });

    const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config });

    expect(
      problems
        .filter(({ severity }) => severity === "error")
        .map(({ message, ruleId }) => `${ruleId}: ${message}`),
    ).toEqual([]);
  });

  test("passes Spectral's rules without an error or a warning", async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as never] });

    const problems = await spectral.run(text);

    expect(problems.map(({ code, message, path }) => `${code} at ${path.join(".")}: ${message}`)).toEqual([]);
  });

  test("describes every route that is mounted", () => {
    const undocumented = app.app.routes
      .filter(({ hooks }) => !hooks.detail?.operationId)
      // OAuth routes are described by their own metadata, the tool server by its protocol.
      .filter(({ path }) => !/^\/(\.well-known\/|oauth\/|mcp$)/.test(path))
      // Pages are for people.
      .filter(
        ({ path }) =>
          !/^\/($|(signin|signout|signup|setup|reset|library|manifest\.webmanifest)$|(track|playlist|library|submit|assets|icons)\/)/.test(
            path,
          ),
      )
      // The protocol describes how files are sent: https://tus.io
      .filter(({ path }) => !/^\/app\/uploads(\/:id)?$/.test(path))
      // The same routes as under /api/v1, for a session.
      .filter(({ path }) => path !== "/app/library/*")
      .map(({ method, path }) => `${method} ${path}`);

    expect(undocumented).toEqual([
      "GET /openapi.json",
      "GET /swagger",
      "GET /swagger/start.js",
      "GET /swagger/script.js",
      "GET /swagger/style.css",
    ]);
  });

  test("gives every operation a unique id, a summary, security and its refusals", () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [name, operation] of operations) {
      expect([name, operation.summary.length > 5]).toEqual([name, true]);
      expect([name, Array.isArray(operation.security)]).toEqual([name, true]);
      expect([name, Object.keys(operation.responses)]).toEqual([
        name,
        expect.arrayContaining(["200", "429", "500"]),
      ]);
      if (operation.security.length > 0)
        expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(["401"])]);
    }
  });
});

test("the page at /swagger loads everything from this server", async () => {
  const page = await (await app.request("/swagger")).text();

  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(addresses).toContain("/swagger/script.js");
  for (const address of addresses.filter((each) => each.startsWith("/")))
    expect((await app.request(address)).status).toBe(200);
  expect(addresses.filter((each) => !each.startsWith("/") && each !== "data:,")).toEqual([]);
});
