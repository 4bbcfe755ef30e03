import { afterAll, beforeAll, expect, test } from "bun:test";
import { createProgram } from "../support/process.ts";

const program = createProgram({ RATE_LIMIT: "0" });
let server: Awaited<ReturnType<typeof program.serve>>;
beforeAll(async () => {
  server = await program.serve();
});
afterAll(() => program.close());

/** Makes an account with a set-up code; returns the status. */
async function register(setupCode: string): Promise<number> {
  const response = await fetch(`${server.address}/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: "first@example.com",
      name: "First",
      password: "a long password",
      setupCode,
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

test("the set-up code of the last deleted account stays dead, and the server prints a new one", async () => {
  const [, first = ""] = await server.says(/Set-up code for the first account: (\S+)/);
  const made = await register(first);
  await program.run(["account", "delete", "--email", "first@example.com", "--yes"]);

  const again = await register(first);
  const page = await fetch(`${server.address}/setup`);
  const [, second = ""] = await server.says(
    /The last account was deleted. Set-up code for the next one: (\S+)/,
  );

  expect([made, again, page.status]).toEqual([200, 403, 200]);
  expect(second).not.toBe(first);
  expect([await register(second), await register(second)]).toEqual([200, 403]);
});

test("an account of the command line ends the code too", async () => {
  await program.run(["account", "delete", "--email", "first@example.com", "--yes"]);
  await fetch(`${server.address}/setup`);
  const printed = /next one: (\S+)[\s\S]*next one: (\S+)/;
  const [, , third = ""] = await server.says(printed);
  const create = ["account", "create", "--email", "x@example.com", "--name", "X"];
  await program.run(create, { input: "a long password\n" });
  await program.run(["account", "delete", "--email", "x@example.com", "--yes"]);

  expect(await register(third)).toBe(403);
  const [, fourth = ""] = await server.says(new RegExp(`${third}[\\s\\S]*next one: (\\S+)`));
  expect(await register(fourth)).toBe(200);
});
