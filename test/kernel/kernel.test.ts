import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { transact } from "../../db/client.ts";
import { within } from "../../src/kernel/deps.ts";
import { newId, newToken } from "../../src/kernel/ids.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { decodeCursor, encodeCursor } from "../../src/kernel/paging.ts";
import { ASSIGNABLE_SCOPES, satisfies } from "../../src/kernel/scopes.ts";
import { seal, secretsOf, unseal } from "../../src/kernel/secrets.ts";
import { fold } from "../../src/kernel/text.ts";
import { parseBound, parseUtcDay, toIso } from "../../src/kernel/time.ts";
import { openEmpty } from "../support/empty-library.ts";

describe("ids", () => {
  test("have their prefix, no dot, and sort by age", () => {
    const ids = Array.from({ length: 200 }, () => newId("trk"));

    expect(ids.every((id) => /^trk_[0-9a-f]{32}$/.test(id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(newToken(32)).toMatch(/^[\w-]{43}$/);
  });
});

describe("times", () => {
  test.each([
    ["2026-02-29", undefined],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2026-13-01", undefined],
    ["2026-1-1", undefined],
    ["tomorrow", undefined],
  ])("the day %s", (day, at) => expect(parseUtcDay(day)).toBe(at));

  test("a last day includes its last millisecond", () => {
    expect(toIso(parseBound("2026-03-01", "last") ?? 0)).toBe("2026-03-01T23:59:59.999Z");
    expect(toIso(parseBound("2026-03-01", "first") ?? 0)).toBe("2026-03-01T00:00:00.000Z");
    expect(toIso(parseBound("2026-03-01T10:00:00+02:00", "last") ?? 0)).toBe("2026-03-01T08:00:00.000Z");
    expect(toIso(parseBound("2026-03-01T10:00:00", "last") ?? 0)).toBe("2026-03-01T10:00:00.000Z");
    for (const wrong of ["soon", "2026-02-30T10:00:00Z", "2026-03-01T25:00:00Z", "2026-03-01 10:00", ""])
      expect([wrong, parseBound(wrong, "last")]).toEqual([wrong, undefined]);
  });
});

describe("folded text", () => {
  test.each([
    ["ÉCLAIR", "eclair"],
    ["Ⅱ ﬁn", "ii fin"],
    ["Straße", "straße"],
    ["がく", "かく"],
  ])("a text is folded: %s", (text, folded) => expect(fold(text)).toBe(folded));

  test("folding twice is the same as folding once", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => fold(fold(text)) === fold(text)));
  });
});

describe("cursors", () => {
  test("decode to the same values for their own listing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer()), fc.string(), (key, id) => {
        const { key: decodedKey, id: decodedId } = decodeCursor(encodeCursor(key, id, "list"), "list");
        return decodedKey === key && decodedId === id;
      }),
    );
  });

  test.each([
    ["of another listing", encodeCursor(1, "a", "other")],
    ["that are not cursors", "abc"],
    ["of the wrong shape", Buffer.from("[1]").toString("base64url")],
    ["that are empty", ""],
  ])("cursors %s are refused", (_, cursor) =>
    expect(() => decodeCursor(cursor, "list")).toThrow("Invalid request"),
  );
});

describe("sealed text", () => {
  const key = secretsOf(Buffer.alloc(32, 1))("key-copies");

  test("opens with the same key and context", () => {
    expect(unseal(key, seal(key, "sécret", "id"), "id")).toBe("sécret");
  });

  test.each([
    ["another context", (sealed: Buffer) => unseal(key, sealed, "other")],
    ["another key", (sealed: Buffer) => unseal(secretsOf(Buffer.alloc(32, 1))("media-links"), sealed, "id")],
    [
      "a changed byte",
      (sealed: Buffer) =>
        unseal(key, Buffer.concat([sealed.subarray(0, -1), Buffer.of((sealed.at(-1) ?? 0) ^ 1)]), "id"),
    ],
  ])("stays sealed with %s", (_, open) => {
    expect(() => open(seal(key, "secret", "id"))).toThrow();
  });
});

describe("scopes", () => {
  test.each([
    [null, "read:tracks", true],
    [null, "platform:read:accounts", false],
    [["all"], "delete:composer", true],
    [["all"], "platform:read:accounts", false],
    [["read:composers"], "read:composer", false],
    [["read:composer"], "read:composer", true],
    [["platform:read:accounts"], "platform:read:accounts", true],
    [["platform:read:accounts"], "read:tracks", false],
    [["act-as-user"], "read:tracks", false],
  ] as const)("a key with %p is checked for %s: %p", (granted, required, isEnough) =>
    expect(satisfies(granted, required)).toBe(isEnough),
  );

  test("begin with the specification's thirteen ordinary ones; ours come after", () => {
    expect(ASSIGNABLE_SCOPES[12]).toBe("read:briefs");
    expect(new Set(ASSIGNABLE_SCOPES).size).toBe(ASSIGNABLE_SCOPES.length);
    expect(ASSIGNABLE_SCOPES.filter((scope) => !/^(read|create|update|delete):[a-z]+$/.test(scope))).toEqual(
      [],
    );
  });
});

describe("the log", () => {
  test("writes one JSON line per record from its level up, and errors with their cause", () => {
    const lines: string[] = [];
    const log = jsonLog("warn", (line) => lines.push(line));

    log("info", "not this");
    log("error", "this", { error: new Error("outer", { cause: new Error("inner") }) });

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", message: "this" });
    expect(lines[0]).toContain("inner");
  });
});

test("dependencies within a transaction do not look for ffmpeg before someone uses it", () => {
  let lookedFor = 0;
  const db = openEmpty();
  const deps = {
    db,
    get ffmpegPath() {
      lookedFor++;
      return "/usr/bin/ffmpeg";
    },
  };

  transact(db, (tx) => {
    const inside = within(within(deps, tx), tx);

    expect([inside.db === tx, lookedFor]).toEqual([true, 0]);
    expect([{ ...inside }.ffmpegPath, lookedFor]).toEqual(["/usr/bin/ffmpeg", 1]);
  });
});
