import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attachment } from "../../src/http/files/file-name.ts";
import { fileResponse } from "../../src/http/files/file-response.ts";
import { isRangeWanted, isUnchanged, parseRange } from "../../src/http/files/range.ts";
import { DomainError } from "../../src/kernel/errors.ts";

describe("parseRange", () => {
  test.each([
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=0-9", { start: 0, end: 10 }],
    ["bytes=3-5", { start: 3, end: 6 }],
    ["bytes=5-", { start: 5, end: 10 }],
    ["bytes=9-9", { start: 9, end: 10 }],
    ["bytes=5-999", { start: 5, end: 10 }],
    ["bytes=5-99999999999999999999999", { start: 5, end: 10 }],
    ["bytes=-4", { start: 6, end: 10 }],
    ["bytes=-10", { start: 0, end: 10 }],
    ["bytes=-999", { start: 0, end: 10 }],
    ["Bytes=0-1", { start: 0, end: 2 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=10-20", "unsatisfiable"],
    ["bytes=99999999999999999999999-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-3", undefined],
    ["bytes=-", undefined],
    ["bytes=", undefined],
    ["bytes=a-b", undefined],
    ["bytes=1.5-3", undefined],
    ["bytes=--1", undefined],
    ["items=0-1", undefined],
    ["0-1", undefined],
    ["bytes=0-1,3-4", undefined],
    ["", undefined],
    [null, undefined],
  ] as const)("reads %p of a file of ten bytes", (field, expected) => {
    expect(parseRange(field, 10)).toEqual(expected);
  });

  test("finds nothing in an empty file", () => {
    expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(parseRange("bytes=-1", 0)).toBe("unsatisfiable");
  });
});

const state = { etag: '"abc"', lastModifiedAt: Date.UTC(2026, 0, 15, 12, 0, 0, 700) };

describe("conditions", () => {
  test.each([
    [{ "if-none-match": '"abc"' }, true],
    [{ "if-none-match": 'W/"abc"' }, true],
    [{ "if-none-match": '"x", "abc"' }, true],
    [{ "if-none-match": "*" }, true],
    [{ "if-none-match": '"x"' }, false],
    [{ "if-modified-since": "Thu, 15 Jan 2026 12:00:00 GMT" }, true],
    [{ "if-modified-since": "Thu, 15 Jan 2026 11:59:59 GMT" }, false],
    [{ "if-modified-since": "yesterday" }, false],
    [{ "if-none-match": '"x"', "if-modified-since": "Thu, 15 Jan 2026 12:00:00 GMT" }, false],
    [{}, false],
  ])("tells from %j whether the client has the file", (headers, expected) => {
    expect(isUnchanged(new Headers(headers as Record<string, string>), state)).toBe(expected);
  });

  test.each([
    [undefined, true],
    ['"abc"', true],
    ['W/"abc"', false],
    ['"x"', false],
    ["Thu, 15 Jan 2026 12:00:00 GMT", true],
    ["Thu, 15 Jan 2026 12:00:01 GMT", false],
    ["rubbish", false],
  ])("resumes a download with If-Range %p only if the file is the same", (condition, expected) => {
    const headers = new Headers(condition === undefined ? {} : { "if-range": condition });

    expect(isRangeWanted(headers, state)).toBe(expected);
  });

  test("does not resume by a date that stays the same when the bytes change", () => {
    const weak = { ...state, isDateWeak: true };
    const under = (condition: string) => isRangeWanted(new Headers({ "if-range": condition }), weak);

    expect([under("Thu, 15 Jan 2026 12:00:00 GMT"), under('"abc"')]).toEqual([false, true]);
  });
});

describe("fileResponse", () => {
  const dir = mkdtempSync(join(tmpdir(), "dubplate-range-"));
  const path = join(dir, "file");
  writeFileSync(path, "0123456789");
  const download = { ...state, source: path, sizeBytes: 10, mediaType: "audio/wav", filename: "a.wav" };
  const ask = (headers: Record<string, string>, method = "GET") =>
    fileResponse(new Request("http://localhost/", { method, headers }), download);
  afterAll(() => rmSync(dir, { recursive: true }));

  test("sends the whole file with everything that a client needs to resume later", async () => {
    const response = ask({});

    expect(response.status).toBe(200);
    expect(await response.text()).toBe("0123456789");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "private, max-age=3600",
      "content-disposition": `attachment; filename="a.wav"; filename*=UTF-8''a.wav`,
      "content-length": "10",
      "content-type": "audio/wav",
      etag: '"abc"',
      "last-modified": "Thu, 15 Jan 2026 12:00:00 GMT",
      "x-content-type-options": "nosniff",
    });
  });

  test("sends a range", async () => {
    const response = ask({ range: "bytes=2-4" });

    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe("bytes 2-4/10");
    expect(response.headers.get("content-length")).toBe("3");
    expect(await response.text()).toBe("234");
  });

  test("sends the whole file when the range is of an older state", async () => {
    const response = ask({ range: "bytes=2-4", "if-range": '"old"' });

    expect(response.status).toBe(200);
    expect(await response.text()).toBe("0123456789");
  });

  test("answers HEAD like GET without the bytes, and without ranges", async () => {
    const response = ask({ range: "bytes=2-4" }, "HEAD");

    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("10");
    expect(await response.text()).toBe("");
  });

  test("does not send a file that the client has, not even a range", () => {
    expect(ask({ "if-none-match": '"abc"', range: "bytes=2-4" }).status).toBe(304);
  });

  test("refuses a range outside the file and says how long it is", () => {
    const refusal = refusalOf(() => ask({ range: "bytes=10-" }));

    expect(refusal.code).toBe("range_not_satisfiable");
    expect(refusal.headers["content-range"]).toBe("bytes */10");
  });
});

describe("attachment", () => {
  test.each([
    ["plain.wav", `attachment; filename="plain.wav"; filename*=UTF-8''plain.wav`],
    ["Éclair.wav", `attachment; filename="Eclair.wav"; filename*=UTF-8''%C3%89clair.wav`],
    ["夜.wav", `attachment; filename="_.wav"; filename*=UTF-8''%E5%A4%9C.wav`],
    ['a"b\\c.wav', `attachment; filename="a_b_c.wav"; filename*=UTF-8''a%22b%5Cc.wav`],
    ["100%.wav", `attachment; filename="100_.wav"; filename*=UTF-8''100%25.wav`],
    ["it's (1)*.wav", `attachment; filename="it's (1)*.wav"; filename*=UTF-8''it%27s%20%281%29%2A.wav`],
    ["a\r\nx: y.wav", `attachment; filename="a__x: y.wav"; filename*=UTF-8''a%0D%0Ax%3A%20y.wav`],
  ])("keeps the complete name %p for clients that can read it", (name, expected) => {
    expect(attachment(name)).toBe(expected);
  });
});

function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error("nothing was refused");
}
