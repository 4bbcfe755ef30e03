import { describe, expect, test } from "bun:test";
import { readSettings } from "../../src/config.ts";
import { encodingFor } from "../../src/pages/encoding.ts";
import { pageRootOf, safePath } from "../../src/pages/paths.ts";
import { clock, readClock, WAVE_BARS, wavePath, waveX } from "../../src/pages/waveform.ts";

describe("where signing in leads", () => {
  test.each([
    ["a path", "/track/x?y=1#z", "/track/x?y=1#z"],
    ["nothing", null, "/"],
    ["an address elsewhere", "https://elsewhere.example/", "/"],
    ["an address without a scheme", "//elsewhere.example/", "/"],
    ["an address made with a backslash", "/\\elsewhere.example/", "/"],
    ["an address hidden with a tab", "/\t/elsewhere.example/", "/"],
    ["an address made with dots", "/.//elsewhere.example/", "/"],
    ["a script", "javascript:alert(1)", "/"],
    ["a line break, which would begin a header", "/a\r\nset-cookie:x=1", "/aset-cookie:x=1"],
  ])("a sign-in leads to a safe address: %s", (_, next, expected) => {
    expect(safePath(next, "/")).toBe(expected);
  });
});

test.each([
  ["http://127.0.0.1:4747", ""],
  ["https://example.com/", ""],
  ["https://example.com/music/", "/music"],
])("links of pages at %s begin with %p", (publicUrl, root) => {
  expect(pageRootOf(readSettings({ PUBLIC_URL: publicUrl }))).toBe(root);
});

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", "identity"],
  [null, "identity"],
])("Accept-Encoding %p is answered with %s", (field, encoding) => {
  expect(encodingFor(field)).toBe(encoding as "br");
});

describe("a drawn waveform", () => {
  const strokes = (path: string) =>
    [...path.matchAll(/M(\d+) (\d+)v(\d+)/g)].map(([, x, y, height]) => [
      Number(x),
      Number(y),
      Number(height),
    ]);

  test("is as high as the loudest sample of each part, relative to the loudest of all", () => {
    const pairs = new Int8Array(2 * 1000);
    for (let bucket = 0; bucket < 1000; bucket++) pairs[2 * bucket] = bucket < 500 ? -20 : -40;

    const bars = strokes(wavePath(pairs));

    expect(bars).toHaveLength(WAVE_BARS);
    expect(bars[0]).toEqual([1, 26, 48]);
    expect(bars[WAVE_BARS - 1]).toEqual([2 * WAVE_BARS - 1, 3, 94]);
  });

  test.each([
    ["silence", new Int8Array(2000)],
    ["nothing", new Int8Array()],
  ])("a waveform of %s is a flat line", (_, pairs) => {
    expect(new Set(strokes(wavePath(pairs)).map(([, , height]) => height))).toEqual(new Set([4]));
  });

  test("has marks at the positions of comments", () => {
    expect([waveX(0, 100), waveX(50, 100), waveX(200, 100), waveX(5, 0)]).toEqual([0, 160, 320, undefined]);
  });
});

test.each([
  [0, "0:00"],
  [65.9, "1:05"],
  [3723, "1:02:03"],
])("%p seconds read %s, and back", (seconds, text) => {
  expect(clock(seconds)).toBe(text);
  expect(readClock(text)).toBe(Math.floor(seconds));
});

test.each(["", "x", "1:2:3:4", "-1", "1:"])("%p is not a time", (text) => {
  expect(readClock(text)).toBeUndefined();
});
