import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "../support/process.ts";
import { createBrowser } from "./browser.ts";

const CONFORMANCE = join(
  import.meta.dir,
  "../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
);
const EMAIL = "someone@example.com";
const PASSWORD = "correct horse battery";

type Check = { id: string; status: string; errorMessage?: string };

let program: ReturnType<typeof createProgram>;
let address: string;
let results: string;
beforeAll(async () => {
  program = createProgram({ RATE_LIMIT: "0" });
  results = mkdtempSync(join(tmpdir(), "dubplate-conformance-"));
  ({ address } = await program.serve());
  await program.run(["account", "create", "--email", EMAIL, "--name", "Someone", "--password", PASSWORD]);
});
afterAll(async () => {
  await program.close();
  rmSync(results, { recursive: true, force: true });
});

/** Returns a free port, on which the suite's client listens for the code. */
function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

async function registerClient(redirectUri: string): Promise<string> {
  const response = await fetch(`${address}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [redirectUri], client_name: "Conformance" }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}

/** Does what the suite asks its user to do: opens the address, signs in, consents, and returns. */
async function walkThrough(authorizationUrl: string): Promise<void> {
  const browser = createBrowser(address, fetch);
  const signIn = await browser.load(authorizationUrl);
  const consent = await browser.submit(signIn, { email: EMAIL, password: PASSWORD });
  const back = await browser.submit(consent, { decision: "allow" });
  await fetch(back.url);
}

/**
 * Runs every scenario of the suite for authorization servers, like its command line, and returns the result of each
 * check.
 */
async function runSuite(specVersion: string): Promise<Record<string, Check[]>> {
  const port = freePort();
  const clientId = await registerClient(`http://127.0.0.1:${port}/callback`);
  const output = join(results, specVersion);
  const suite = Bun.spawn(
    [
      process.execPath,
      CONFORMANCE,
      "authorization",
      ...["--url", address, "--client-id", clientId, "--resource", `${address}/mcp`, "--port", String(port)],
      ...["--spec-version", specVersion, "--output-dir", output],
    ],
    { stdout: "pipe", stderr: "inherit", env: { PATH: process.env.PATH ?? "", HOME: results } },
  );
  let said = "";
  let walked: Promise<void> | undefined;
  for await (const chunk of suite.stdout) {
    said += new TextDecoder().decode(chunk);
    const url = /^http\S+\/oauth\/authorize\?\S+$/m.exec(said)?.[0];
    // Its server listens before it prints; a line is complete when the next one has begun.
    if (url && said.includes("Waiting up to")) walked ??= walkThrough(url);
  }
  await walked;
  expect([specVersion, await suite.exited, said]).toEqual([
    specVersion,
    0,
    expect.stringContaining(" 0 failed"),
  ]);
  const scenarios = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  );
  const checks = await Promise.all(
    scenarios.map(async (name) => [scenarioOf(name), await Bun.file(join(output, name)).json()] as const),
  );
  return Object.fromEntries(checks);
}

/** Results are in folders named `authorization-server-<scenario>-<time>`. */
const scenarioOf = (name: string) =>
  /(authorization-server-metadata-endpoint|authorization-code-grant)/.exec(name)?.[0] ?? name;

describe("the Model Context Protocol's conformance suite for authorization servers", () => {
  test.each(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
    "passes completely at %s",
    async (specVersion) => {
      const scenarios = await runSuite(specVersion);

      expect(Object.keys(scenarios).sort()).toEqual([
        "authorization-code-grant",
        "authorization-server-metadata-endpoint",
      ]);
      for (const checks of Object.values(scenarios)) {
        expect(checks.length).toBeGreaterThan(0);
        expect(checks.map(({ id, status, errorMessage }) => ({ id, status, errorMessage }))).toEqual(
          checks.map(({ id }) => ({ id, status: "SUCCESS", errorMessage: undefined })),
        );
      }
    },
  );
});
