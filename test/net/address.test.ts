import { describe, expect, test } from "bun:test";
import { findDestination, isPublicIp, refuseUrl } from "../../src/net/address.ts";

const open = { httpsOnly: false, allow: [] as string[], resolve: async () => ["93.184.216.34"] };

describe("an address of the public internet", () => {
  test.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::808:808"])(
    "%s is a public address",
    (ip) => {
      expect(isPublicIp(ip)).toBe(true);
    },
  );

  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "168.63.129.16",
    "192.0.0.8",
    "198.18.0.1",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::7f00:1",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2001:db8::1",
    "not an address",
  ])("%s is not a public address", (ip) => {
    expect(isPublicIp(ip)).toBe(false);
  });
});

describe("a URL is refused", () => {
  test.each([
    ["ftp://example.com/a.wav", "not an http or https address"],
    ["//example.com/a.wav", "not an http or https address"],
    ["file:///etc/passwd", "not an http or https address"],
    ["http://[bad/", "not an http or https address"],
    ["http://user@example.com/", "holds a user name"],
    ["http://:word@example.com/", "holds a user name"],
    ["http://127.0.0.1/", "not a public host"],
    ["http://2130706433/", "not a public host"],
    ["http://0x7f.1/", "not a public host"],
    ["http://[::1]/", "not a public host"],
    ["http://[::ffff:7f00:1]/", "not a public host"],
    ["http://169.254.169.254/latest/meta-data", "not a public host"],
  ] as const)("the URL %s is refused: %s", async (url, refusal) => {
    expect(await refuseUrl(url, open)).toBe(refusal);
    expect(await findDestination(url, open)).toBe(refusal);
  });

  test("a name with one private address is refused", async () => {
    const mixed = { ...open, resolve: async () => ["93.184.216.34", "10.0.0.1"] };

    expect(await findDestination("https://example.com/", mixed)).toBe("not a public host");
  });

  test("plain http is refused where https is required", async () => {
    expect(await refuseUrl("http://example.com/", { ...open, httpsOnly: true })).toBe("not https");
    expect(await refuseUrl("https://example.com/", { ...open, httpsOnly: true })).toBeUndefined();
  });
});

describe("a host that the operator allows", () => {
  const rules = { httpsOnly: true, allow: ["nas.local", "10.0.0.5:8080"], resolve: async () => ["10.0.0.9"] };

  test.each(["http://nas.local/a.wav", "https://NAS.local:9000/a.wav", "http://10.0.0.5:8080/a.wav"])(
    "may be private and plain: %s",
    async (url) => {
      expect(await refuseUrl(url, rules)).toBeUndefined();
      expect(await findDestination(url, rules)).toMatchObject({ addresses: expect.any(Array) });
    },
  );

  test.each(["https://10.0.0.5/a.wav", "https://10.0.0.5:8081/a.wav", "https://nas.local.example.com/"])(
    "is only that host and port, not %s",
    async (url) => {
      expect(await refuseUrl(url, rules)).toBe("not a public host");
    },
  );
});
