import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { createProgram } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { call } from "../support/tenant.ts";

const PASSWORD = "correct horse battery";
/** As an operator does: in a terminal somewhere else, beside the server. */
const program = createProgram({ RATE_LIMIT: "0" }, { command: PROGRAM, cwd: tmpdir() });
const run = (line: string, input?: string) =>
  program.run(line.split(" "), input === undefined ? {} : { input });
let address: string;
let ana: string;

beforeAll(async () => {
  const { rows } = await program.run([
    ...["account", "create", "--email", "ana@example.com", "--name", "Ana", "--password", PASSWORD],
  ]);
  ana = String(rows[0]?.id);
  ({ address } = await program.serve());
});
afterAll(() => program.close());

/** Follows the link of an invitation as a new person. Returns their session. */
async function accept(url: unknown, name: string): Promise<Record<string, string>> {
  const token = new URL(String(url)).searchParams.get("token");
  const { data } = await call(address, "POST", "/auth/join", { token, name, password: PASSWORD });
  return { authorization: `Bearer ${data.token}` };
}

const status = async (path: string, headers: Record<string, string>) =>
  (await fetch(`${address}${path}`, { headers })).status;

describe("the operator's commands about people, beside a running server", () => {
  test("invite somebody, who joins; change the role; and remove them, all at their next request", async () => {
    const invited = await run(
      `team invite --library ${ana} --email Ben@example.com --role producer --listening off --until 2099-12-31`,
    );
    expect([invited.code, invited.stderr]).toEqual([0, ""]);
    expect(invited.rows).toEqual([
      {
        id: expect.stringMatching(/^inv_/),
        email: "ben@example.com",
        role: "producer",
        url: expect.stringContaining("/join?token="),
        expiresAt: expect.any(String),
      },
    ]);
    const ben = await accept(invited.rows[0]?.url, "Ben");
    const listed = await run(`team list --library ${ana}`);
    const before = await status("/app/shares", ben);
    const changed = await run(
      `member role --library ${ana} --email ben@example.com --role listener --splits on --until none`,
    );
    const after = [await status("/app/shares", ben), await status("/app/composers", ben)];
    const removed = await run(`team remove --library ${ana} --email ben@example.com`);

    expect(listed.rows).toMatchObject([
      { name: "Ana", email: "ana@example.com", role: "owner" },
      {
        name: "Ben",
        role: "producer",
        seesListening: false,
        until: expect.stringMatching(/^2099-12-31|^2100/),
      },
    ]);
    expect(changed.rows).toMatchObject([{ name: "Ben", role: "listener", seesSplits: true, until: null }]);
    expect([before, after]).toEqual([200, [403, 200]]);
    expect(removed.rows).toMatchObject([{ email: "ben@example.com", ended: { sessions: 1, keys: 0 } }]);
    expect(await status("/auth/session", ben)).toBe(401);
  });

  test("take an invitation back, whose link then opens nothing", async () => {
    const invited = await run(`team invite --library ${ana} --email cy@example.com --role artist`);
    const listed = await run(`team list --library ${ana} --json`);
    const removed = await run(`team remove --library ${ana} --email cy@example.com`);

    expect(listed.code).toBe(0);
    expect(removed.rows).toMatchObject([{ email: "cy@example.com", withdrawn: true }]);
    await expect(accept(invited.rows[0]?.url, "Cy")).rejects.toThrow("invalid_link");
  });

  test("give a library to somebody who is not in it, and say so in its log and to its members", async () => {
    const studio = String(
      (
        await program.run([
          "account",
          "create",
          "--email",
          "studio@example.com",
          "--name",
          "Studio",
          "--password",
          PASSWORD,
        ])
      ).rows[0]?.id,
    );
    const { data } = await call(address, "POST", "/auth/login", {
      email: "studio@example.com",
      password: PASSWORD,
    });
    const old = { authorization: `Bearer ${data.token}` };
    const given = await run(`account owner --library ${studio} --email ana@example.com`);
    const members = await run(`team list --library ${studio}`);
    const several = await run("account disable --email ana@example.com");
    const chosen = await run(`account disable --email ana@example.com --library ${studio}`);
    await run(`account enable --email ana@example.com --library ${studio}`);
    const log = await call(address, "GET", `/app/team/log?in=${studio}`, undefined, old);
    const told = await call(address, "GET", "/app/notifications", undefined, old);

    expect(given.rows).toEqual([{ library: studio, name: "Ana", email: "ana@example.com" }]);
    expect(members.rows.map(({ email, role }) => [email, role])).toEqual([
      ["ana@example.com", "owner"],
      ["studio@example.com", "manager"],
    ]);
    expect([several.code, several.stderr]).toEqual([
      1,
      `ana@example.com owns 2 libraries: add --library with ${ana} (Ana) or ${studio} (Studio)\n`,
    ]);
    expect(chosen.rows).toEqual([{ email: "ana@example.com", active: false }]);
    expect(log.data[0].sentence).toBe("The operator handed the library over to Ana");
    expect(JSON.stringify(told.data)).toContain("Ana is the owner of this library now");
  });

  test("list, block, let in and delete people, and help a member who owns nothing to a new password", async () => {
    const invited = await run(`team invite --library ${ana} --email dee@example.com --role artist`);
    const dee = await accept(invited.rows[0]?.url, "Dee");
    const listed = await run("person list");
    const link = await run("account reset-link --email dee@example.com");
    const blocked = await run("person block --email dee@example.com");
    const during = [
      await status("/auth/session", dee),
      (await run("session create --email dee@example.com")).stderr,
    ];
    await run("person unblock --email dee@example.com");
    const session = await run("session create --email dee@example.com");
    const slip = await run("person delete --email dee@example.com", "ana@example.com\n");
    const deleted = await run("person delete --email dee@example.com", "dee@example.com\n");

    expect(listed.rows.find(({ name }) => name === "Dee")).toMatchObject({
      email: "dee@example.com",
      active: true,
      libraries: [{ id: ana, name: "Ana", role: "artist", active: true }],
    });
    expect(link.rows).toMatchObject([{ email: "dee@example.com" }]);
    expect(blocked.rows).toEqual([{ email: "dee@example.com", active: false }]);
    expect(during).toEqual([401, "dee@example.com is blocked: run person unblock first\n"]);
    expect(await status("/auth/session", { authorization: `Bearer ${session.rows[0]?.token}` })).toBe(401);
    expect([slip.code, deleted.code]).toEqual([1, 0]);
    expect((await run("person list")).rows.map(({ email }) => email)).not.toContain("dee@example.com");
  });

  test.each([
    ["person block --email ana@example.com", /^The operator cannot be blocked/],
    ["person delete --email ana@example.com --yes", /^The operator cannot be deleted/],
    ["person delete --email studio@example.com --yes", /^$/],
    ["team role --library usr_x --email a@b --role artist", /^There is no library usr_x/],
    [
      "team remove --library ANA --email nobody@example.com",
      /^Nobody with the address nobody@example.com is in/,
    ],
    ["team remove --library ANA --email ana@example.com", /^The owner stays the owner/],
    ["team invite --library ANA --email ana@example.com --role artist", /has this address/],
    ["account owner --library ANA --email ana@example.com", /is the owner of this library already/],
    ["account owner --library ANA --email nobody@example.com", /^Nobody signs in here as nobody@example.com/],
  ])("%s is answered in a sentence", async (line, sentence) => {
    const { stderr } = await run(line.replace("ANA", ana));

    expect(stderr).toMatch(sentence);
  });

  test("a role that nobody is given is wrong usage", async () => {
    const { code, stderr } = await run(`team invite --library ${ana} --email x@example.com --role owner`);

    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--role must be manager, producer, artist or listener"),
    ]);
  });
});
