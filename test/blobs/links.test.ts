import { describe, expect, test } from "bun:test";
import { checkLink, signLink } from "../../src/blobs/links.ts";
import { DomainError } from "../../src/kernel/errors.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";

const AT = Date.UTC(2026, 0, 15, 12);
const depsAt = (at: number, master = 7) => ({ now: () => at, secrets: secretsOf(Buffer.alloc(32, master)) });
const target = { versionId: "ver_1", filename: "Nächtliche Fahrt #1?.wav" };

describe("a signed link", () => {
  test("contains the file's name, which every client keeps", () => {
    const url = new URL(signLink(depsAt(AT), target), "http://localhost");

    expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(["", "media", "ver_1", target.filename]);
    expect(url.searchParams.get("expires")).toBe(String(AT / 1000 + 3600));
  });

  test("works for one hour and no longer", () => {
    const link = parse(signLink(depsAt(AT), target));

    expect(codeOf(() => checkLink(depsAt(AT), target, link))).toBe("none");
    expect(codeOf(() => checkLink(depsAt(AT + 3_599_999), target, link))).toBe("none");
    expect(codeOf(() => checkLink(depsAt(AT + 3_600_000), target, link))).toBe("invalid_link");
  });

  const link = parse(signLink(depsAt(AT), target));
  test.each([
    ["another version", { ...target, versionId: "ver_2" }, link],
    ["another file name", { ...target, filename: "other.wav" }, link],
    ["a later hour", target, { ...link, expires: String(Number(link.expires) + 1) }],
    ["the same hour in another spelling", target, { ...link, expires: `0${link.expires}` }],
    ["an hour that is not a number", target, { ...link, expires: "NaN" }],
    ["another signature", target, { ...link, signature: "A".repeat(link.signature.length) }],
    ["a signature in another spelling", target, { ...link, signature: `${link.signature}=` }],
    ["half a signature", target, { ...link, signature: link.signature.slice(0, 20) }],
    ["an empty signature", target, { ...link, signature: "" }],
    ["no signature", target, { ...link, signature: undefined }],
    ["no hour", target, { ...link, expires: undefined }],
    ["parts that only match when joined", { versionId: 'ver_1",1,"', filename: "x" }, link],
  ])("a link with %s is refused", (_, asked, values) => {
    expect(codeOf(() => checkLink(depsAt(AT), asked, values))).toBe("invalid_link");
  });

  test("a link of another library is refused", () => {
    expect(codeOf(() => checkLink(depsAt(AT, 8), target, link))).toBe("invalid_link");
  });
});

function parse(link: string): { expires: string; signature: string } {
  const { searchParams } = new URL(link, "http://localhost");
  return { expires: searchParams.get("expires") ?? "", signature: searchParams.get("signature") ?? "" };
}

function codeOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return "none";
}
