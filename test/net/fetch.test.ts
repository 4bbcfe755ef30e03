import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { readSettings } from "../../src/config.ts";
import { DomainError } from "../../src/kernel/errors.ts";
import type { Resolve } from "../../src/net/address.ts";
import { type OpenOptions, openUrl } from "../../src/net/fetch.ts";
import { CERTIFICATE, PRIVATE_KEY } from "./certificate.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Handler = (request: Request) => Response | Promise<Response>;

/** Starts a web server on this machine and returns its port. */
function serve(handler: Handler, tls?: { cert: string; key: string }): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: handler, ...(tls && { tls }) });
  stops.push(() => server.stop(true));
  return server.port ?? 0;
}

/** Starts a server that answers every connection with these bytes, and then hangs up or stays silent. */
function serveRaw(head: string, then: "hang up" | "say nothing"): number {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.write(head);
        if (then === "hang up") socket.end();
      },
    },
  });
  stops.push(() => server.stop(true));
  return server.port;
}

/** Opens a URL as the service does; `names` are the known hosts. */
function open(
  url: string,
  {
    allow = [],
    names = {},
    ...options
  }: Partial<OpenOptions> & { allow?: string[]; names?: Record<string, string[]> } = {},
) {
  const resolve: Resolve = async (host) => {
    const addresses = names[host];
    if (addresses) return addresses;
    throw Object.assign(new Error("no such host"), { code: "ENOTFOUND" });
  };
  const settings = { ...readSettings({}), networkAllow: allow };
  const defaults = { maxBytes: 1_000_000, timeoutMs: 10_000, signal: new AbortController().signal };
  return openUrl({ settings }, url, { ...defaults, resolve, ...options });
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the error that refused an attempt. */
async function refusal(attempt: Promise<unknown>): Promise<[code: string, message: string]> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.message];
    throw error;
  }
  throw new Error("It was not refused");
}

const codeOf = async (attempt: Promise<unknown>) => (await refusal(attempt))[0];
const opened = async (...args: Parameters<typeof open>) => read((await open(...args)).body);

describe("a file of the network", () => {
  test("comes with its bytes, type and name", async () => {
    const port = serve(
      () =>
        new Response("sound", {
          headers: {
            "content-type": "Audio/WAV; charset=binary",
            "content-disposition": "attachment; filename=\"x.wav\"; filename*=UTF-8''Caf%C3%A9.wav",
          },
        }),
    );

    const file = await open(`http://127.0.0.1:${port}/a.wav`, { allow: [`127.0.0.1:${port}`] });

    expect(file).toMatchObject({
      finalUrl: `http://127.0.0.1:${port}/a.wav`,
      contentType: "audio/wav",
      filename: "Café.wav",
    });
    expect((await read(file.body)).toString()).toBe("sound");
  });

  test.each([
    ["/mixes/Night%20Bus.wav?x=1", null, "Night Bus.wav"],
    ["/%E0%A4%A.wav", null, "%E0%A4%A.wav"],
    ["/", null, null],
    ["/x", 'inline; filename="..\\\\..\\\\evil\\".wav"', 'evil".wav'],
    ["/x", "attachment; filename=plain.flac", "plain.flac"],
    ["/%2e%2e%2fup.wav", null, "up.wav"],
  ])("a file at %s, with the header %p, is named %p", async (path, disposition, name) => {
    const port = serve(
      () => new Response("x", { headers: disposition ? { "content-disposition": disposition } : {} }),
    );

    const file = await open(`http://127.0.0.1:${port}${path}`, { allow: ["127.0.0.1"] });
    file.close();

    expect(file.filename).toBe(name);
  });

  test("is requested by name at the checked address, uncompressed, without a proxy", async () => {
    let asked: Headers | undefined;
    const port = serve((request) => {
      asked = request.headers;
      return new Response("x");
    });
    const proxies = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
    for (const name of proxies) process.env[name] = "http://127.0.0.1:1";
    try {
      await opened(`http://nas.local:${port}/`, {
        allow: ["nas.local"],
        names: { "nas.local": ["127.0.0.1"] },
      });
    } finally {
      for (const name of proxies) delete process.env[name];
    }

    expect(asked?.get("host")).toBe(`nas.local:${port}`);
    expect(asked?.get("accept-encoding")).toBe("identity");
  });

  test("is found at the second address if the first does not answer", async () => {
    const port = serve(() => new Response("here"));

    const bytes = await opened(`http://nas.local:${port}/`, {
      allow: ["nas.local"],
      names: { "nas.local": ["127.0.0.9", "127.0.0.1"] },
    });

    expect(bytes.toString()).toBe("here");
  });
});

describe("an address is refused", () => {
  test.each(["http://127.0.0.1/", "http://user@example.com/", "gopher://example.com/", "a.wav"])(
    "an address is refused: %s",
    async (url) => {
      expect(await codeOf(open(url))).toBe("url_not_allowed");
    },
  );

  test("a name that leads to a private host is refused before any connection", async () => {
    let asked = 0;
    const port = serve(() => {
      asked++;
      return new Response("secret");
    });

    expect(
      await codeOf(open(`http://example.com:${port}/`, { names: { "example.com": ["127.0.0.1"] } })),
    ).toBe("url_not_allowed");
    expect(
      await codeOf(
        open(`http://example.com:${port}/`, { names: { "example.com": ["8.8.8.8", "127.0.0.1"] } }),
      ),
    ).toBe("url_not_allowed");
    expect(asked).toBe(0);
  });

  test("a name that leads elsewhere at the next lookup is refused", async () => {
    let asked = 0;
    const port = serve((request) => {
      asked++;
      return new URL(request.url).pathname === "/first"
        ? Response.redirect(`http://example.com:${port}/second`)
        : new Response("secret");
    });
    // The first hop is allowed by name; the second is looked up again, and is private by then.
    let lookups = 0;
    const resolve: Resolve = async () => {
      lookups++;
      return ["127.0.0.1"];
    };

    const attempt = open(`http://nas.local:${port}/first`, { allow: ["nas.local"], resolve });

    expect(await codeOf(attempt)).toBe("url_not_allowed");
    expect([asked, lookups]).toEqual([1, 2]);
  });

  test("a name is looked up once per hop: a later change of the answer has no effect", async () => {
    const port = serve(() => new Response("the checked one"));
    const answers = [["127.0.0.1"], ["10.255.255.1"]];
    let lookups = 0;

    const bytes = await opened(`http://nas.local:${port}/`, {
      allow: ["nas.local"],
      resolve: async () => answers[lookups++] ?? [],
    });

    expect(bytes.toString()).toBe("the checked one");
    expect(lookups).toBe(1);
  });

  test.each([
    ["a private host", () => "http://127.0.0.1:1/"],
    ["a metadata service", () => "http://169.254.169.254/latest/"],
    ["a file", () => "file:///etc/passwd"],
    ["a user name", (port: number) => `http://me@nas.local:${port}/`],
  ])("an address that redirects to %s is refused", async (_, location) => {
    const port = serve(() => new Response(null, { status: 302, headers: { location: location(port) } }));

    const attempt = open(`http://nas.local:${port}/`, {
      allow: ["nas.local"],
      names: { "nas.local": ["127.0.0.1"] },
    });

    expect(await codeOf(attempt)).toBe("url_not_allowed");
  });
});

describe("redirects", () => {
  const chain = (length: number) => {
    const port = serve((request) => {
      const hop = Number(new URL(request.url).pathname.slice(1));
      return hop === length
        ? new Response("end")
        : new Response(null, { status: 307, headers: { location: `/${hop + 1}` } });
    });
    return open(`http://127.0.0.1:${port}/0`, { allow: ["127.0.0.1"] });
  };

  test("are followed three times", async () => {
    const file = await chain(3);

    expect(new URL(file.finalUrl).pathname).toBe("/3");
    expect((await read(file.body)).toString()).toBe("end");
  });

  test("are not followed a fourth time", async () => {
    expect(await codeOf(chain(4))).toBe("download_failed");
  });

  test("never leave https for http", async () => {
    const plain = serve(() => new Response("x"));
    const secure = serve(
      () => new Response(null, { status: 301, headers: { location: `http://studio.example:${plain}/` } }),
      { cert: CERTIFICATE, key: PRIVATE_KEY },
    );

    const attempt = open(`https://studio.example:${secure}/`, {
      allow: ["studio.example"],
      names: { "studio.example": ["127.0.0.1"] },
      ca: CERTIFICATE,
    });

    expect(await codeOf(attempt)).toBe("url_not_allowed");
  });
});

describe("a certificate", () => {
  const secure = () => serve(() => new Response("private"), { cert: CERTIFICATE, key: PRIVATE_KEY });
  const names = { "studio.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] };

  test("is verified for the name, not for the address", async () => {
    const bytes = await opened(`https://studio.example:${secure()}/`, {
      allow: ["studio.example"],
      names,
      ca: CERTIFICATE,
    });

    expect(bytes.toString()).toBe("private");
  });

  test.each([
    ["of another name", "other.example", CERTIFICATE],
    ["from an unknown issuer", "studio.example", undefined],
    ["of a name, at the bare address", "127.0.0.1", CERTIFICATE],
  ])("a certificate is refused: %s", async (_, host, ca) => {
    const attempt = open(`https://${host}:${secure()}/`, { allow: [host], names, ...(ca && { ca }) });

    expect(await refusal(attempt)).toEqual([
      "download_failed",
      expect.stringContaining("certificate cannot be trusted"),
    ]);
  });
});

describe("a download fails", () => {
  const local = { allow: ["127.0.0.1"] };

  test.each([404, 500, 304])("a download fails when the answer is %i", async (status) => {
    const port = serve(() => new Response(status === 304 ? null : "x", { status }));

    expect(await refusal(open(`http://127.0.0.1:${port}/`, local))).toEqual([
      "download_failed",
      expect.stringContaining(String(status)),
    ]);
  });

  test("a download fails when the name is unknown, or the host does not answer", async () => {
    expect(await refusal(open("http://nowhere.example/"))).toEqual([
      "download_failed",
      expect.stringContaining("name cannot be found"),
    ]);
    expect(await codeOf(open("http://127.0.0.1:1/", local))).toBe("download_failed");
  });

  test("a download fails when the name takes too long to resolve", async () => {
    const resolve: Resolve = () => new Promise(() => undefined);

    expect(await codeOf(open("http://slow.example/", { resolve, timeoutMs: 50 }))).toBe("download_failed");
  });

  test("a download fails when the body is compressed", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const port = serve(() => new Response(bomb, { headers: { "content-encoding": "gzip" } }));

    expect(await codeOf(open(`http://127.0.0.1:${port}/`, local))).toBe("download_failed");
  });

  test("a download fails when the body ends before its declared length", async () => {
    const port = serveRaw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this", "hang up");

    expect(await codeOf(opened(`http://127.0.0.1:${port}/`, local))).toBe("download_failed");
  });

  test("a download fails when a body in pieces ends in the middle", async () => {
    const port = serveRaw(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwo",
      "hang up",
    );

    expect(await codeOf(opened(`http://127.0.0.1:${port}/`, local))).toBe("download_failed");
  });

  test("a download fails when the answer is not HTTP", async () => {
    const port = serveRaw("220 mail.example ESMTP\r\n", "hang up");

    expect(await codeOf(open(`http://127.0.0.1:${port}/`, local))).toBe("download_failed");
  });

  test.each([
    ["before the answer", "", "idleMs"],
    ["within the answer", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this", "idleMs"],
    [
      "within the answer, over the total time",
      "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this",
      "timeoutMs",
    ],
  ])("a download fails when the other side falls silent %s", async (_, head, limit) => {
    const port = serveRaw(head, "say nothing");

    expect(await refusal(opened(`http://127.0.0.1:${port}/`, { ...local, [limit]: 100 }))).toEqual([
      "download_failed",
      expect.stringContaining("too long"),
    ]);
  });

  test("a download fails when the body drips in for longer than the total time limit", async () => {
    const port = serve(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(20);
              controller.enqueue(Buffer.from("drip"));
            },
          }),
        ),
    );

    expect(await codeOf(opened(`http://127.0.0.1:${port}/`, { ...local, timeoutMs: 200 }))).toBe(
      "download_failed",
    );
  });
});

describe("a body over the limit", () => {
  const local = { allow: ["127.0.0.1"], maxBytes: 1000 };

  test("is refused by its declared length, before a byte is read", async () => {
    const port = serve(() => new Response(Buffer.alloc(1001)));

    expect(await codeOf(open(`http://127.0.0.1:${port}/`, local))).toBe("file_too_large");
  });

  test("a body without an end is refused once it has passed the limit", async () => {
    let sent = 0;
    const port = serve(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              sent += 100;
              controller.enqueue(Buffer.alloc(100));
              await Bun.sleep(0);
            },
          }),
        ),
    );
    let received = 0;
    const { body } = await open(`http://127.0.0.1:${port}/`, local);

    const reading = (async () => {
      for await (const chunk of body) received += chunk.length;
    })();

    expect(await codeOf(reading)).toBe("file_too_large");
    expect(received).toBeLessThanOrEqual(1000);
    expect(sent).toBeGreaterThan(1000);
  });

  test("exactly at the limit is accepted", async () => {
    const port = serve(() => new Response(Buffer.alloc(1000)));

    expect((await opened(`http://127.0.0.1:${port}/`, local)).length).toBe(1000);
  });
});

describe("a caller that aborts", () => {
  test.each(["before the answer", "within the body", "before it began"])(
    "%s ends the download",
    async (when) => {
      const head =
        when === "before the answer" ? "" : "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this";
      const port = serveRaw(head, "say nothing");
      const controller = new AbortController();
      const gone = new Error("the client has gone");
      if (when === "before it began") controller.abort(gone);

      const attempt = opened(`http://127.0.0.1:${port}/`, {
        allow: ["127.0.0.1"],
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(gone), 30);

      expect(await attempt.catch((error) => error)).toBe(gone);
    },
  );
});
