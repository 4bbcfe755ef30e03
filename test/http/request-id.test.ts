import { afterAll, describe, expect, test } from "bun:test";
import { type SlowStatement, watchSlowStatements } from "../../db/slow.ts";
import { readSettings } from "../../src/config.ts";
import { createFront, type FrontOptions } from "../../src/http/front/front.ts";
import { jsonLog, type Log } from "../../src/kernel/log.ts";
import { openEmpty } from "../support/empty-library.ts";

/** Makes a front door before the test's routes, with the log of a server. */
function frontOf(handle: (log: Log) => ReturnType<FrontOptions["handle"]>) {
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog("debug", (line) => void lines.push(JSON.parse(line)));
  const front = createFront(
    { now: Date.now, log, settings: readSettings({}) },
    {
      handle: () => handle(log),
      methodsOf: () => ["GET"],
      allowedOrigins: new Set(),
      onAnswer: () => undefined,
    },
  );
  const get = async (id?: string) =>
    front(new Request("http://127.0.0.1:4747/x", { headers: id ? { "x-request-id": id } : {} }), "127.0.0.1");
  return { lines, log, get };
}

describe("the id of a request", () => {
  const { get } = frontOf(async () => new Response("fine"));

  test.each([
    ["a UUID", "0d6b2c0e-6f5c-4d3b-9a43-3c1a2f7e8b90"],
    ["a trace of a load balancer", "Root=1-67891233-abcdef012345678912345678"],
  ])("is what a proxy gave: %s", async (_, id) => {
    expect((await get(id)).headers.get("x-request-id")).toBe(id);
  });

  test.each([
    ["none was given", undefined],
    ["it holds spaces", "a b"],
    ["it could break out of a log's viewer", '"><script>'],
    ["it is too long", "a".repeat(129)],
  ])("is a new one when %s", async (_, id) => {
    const [one, two] = [await get(id), await get(id)].map(({ headers }) => headers.get("x-request-id"));

    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(two).not.toBe(one);
  });
});

describe("the log of a request", () => {
  test("has its id in every line, however far down the line was written", async () => {
    const { get, lines, log } = frontOf(async (write) => {
      await Promise.resolve();
      write("warn", "Far down");
      return new Response("fine");
    });

    await Promise.all([get("one"), get("two")]);
    log("info", "Outside");

    expect(lines.map(({ message, requestId }) => [message, requestId])).toEqual([
      ["Far down", "one"],
      ["Far down", "two"],
      ["Outside", undefined],
    ]);
  });

  test("does not follow work that goes on after the answer", async () => {
    const later = Promise.withResolvers<void>();
    const { get, lines } = frontOf(async (write) => {
      setTimeout(() => {
        write("info", "Later");
        later.resolve();
      });
      return new Response("fine");
    });

    await get("one");
    await later.promise;

    expect(lines).toMatchObject([{ message: "Later" }]);
    expect(lines[0]).not.toHaveProperty("requestId");
  });

  test("leads from the answer of a failure to its line", async () => {
    const { get, lines } = frontOf(async () => {
      throw new Error("secret detail");
    });

    const requestId = (await get()).headers.get("x-request-id");

    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines).toMatchObject([{ message: "A request failed", requestId }]);
  });
});

describe("a slow statement", () => {
  const db = openEmpty();
  const slow: SlowStatement[] = [];
  watchSlowStatements(db, 0, (statement) => void slow.push(statement));
  afterAll(() => db.$client.close());
  const sqlOf = (work: () => unknown) => {
    slow.length = 0;
    work();
    return slow.map(({ sql }) => sql);
  };

  test("is reported with its text and without its values", () => {
    const said = sqlOf(() =>
      db.$client.query("SELECT id\n  FROM people WHERE email = $email").all({ email: "ana@example.com" }),
    );

    expect(said).toEqual(["SELECT id FROM people WHERE email = $email"]);
    expect(slow[0]?.ms).toBeNumber();
  });

  test("is reported each time, from the query builder and in transactions too", () => {
    const read = () => db.query.accounts.findMany().sync();

    expect(sqlOf(() => [read(), read()])).toHaveLength(2);
    expect(sqlOf(() => db.$client.transaction(read).immediate()).join()).toContain('from "accounts"');
  });

  test("a slow statement that fails is reported, and fails as before", () => {
    const insert = () => db.$client.run("INSERT INTO accounts (id) VALUES (?)", ["usr_1"]);

    expect(sqlOf(() => expect(insert).toThrow("NOT NULL"))).toEqual(["INSERT INTO accounts (id) VALUES (?)"]);
  });

  test("is not reported below the limit", () => {
    const other = openEmpty();
    watchSlowStatements(other, 600_000, () => expect.unreachable());

    expect(other.$client.query("SELECT 1 AS one").get()).toEqual({ one: 1 });
    other.$client.close();
  });
});
