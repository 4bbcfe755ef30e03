import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

// Behaviour that the program works around, by the numbers of decision 0033. If a test fails after an update of
// Elysia, its workaround may no longer be needed.

type Handling = { handle: (request: Request) => Response | Promise<Response> };

function send(app: Handling, method: string, body?: string, path = "/x", host = "dubplate.internal") {
  const headers = { "content-type": "application/json" };
  return app.handle(
    new Request(`http://${host}${path}`, { method, ...(body !== undefined && { body, headers }) }),
  );
}

describe("Elysia, by the numbers of decision 0033,", () => {
  test("1: parses and transforms before it validates, and resolves after", async () => {
    const order: string[] = [];
    const app = new Elysia()
      .onError(() => "refused")
      .macro({
        guard: (_: true) => ({
          parse: () => {
            order.push("parse");
            return {};
          },
          transform: () => void order.push("transform"),
          resolve: () => void order.push("resolve"),
        }),
      })
      .post("/x", () => "", { guard: true, body: Type.Object({ a: Type.Number() }) })
      .get("/x", () => "", { guard: true });

    await send(app, "POST", "{}");
    await send(app, "GET");

    expect(order).toEqual(["parse", "transform", "transform", "resolve"]);
  });

  test("2: prepares headers, cookies and query for a hook that passes on its context", async () => {
    const prepared: unknown[] = [];
    const note = (context: object) => void prepared.push("cookie" in context && "query" in context);
    const app = new Elysia()
      .get("/whole", () => "", { transform: (context) => note(context) })
      .get("/part", ({ request }) => request.method, { transform: ({ request }) => void request });

    const codeOf = (path: string) => String(app.routes.find((route) => route.path === path)?.compile?.());
    await send(app, "GET", undefined, "/whole");

    expect(prepared).toEqual([true]);
    expect(codeOf("/whole")).toContain("parseCookie");
    expect(codeOf("/part")).not.toContain("parseCookie");
  });

  test("3: reads a body again when its parser returns undefined", async () => {
    const read = (value: null | undefined) =>
      new Elysia().post("/x", ({ body }) => ({ body }), {
        parse: async ({ request }: { request: Request }) => {
          await request.text();
          return value;
        },
      });

    expect((await send(read(undefined), "POST", '{"a":1}')).status).toBe(400);
    expect(await (await send(read(null), "POST", '{"a":1}')).json()).toEqual({ body: null });
  });

  test("4: reads the whole body before the first hook that could refuse it", async () => {
    const used: boolean[] = [];
    const transform = ({ request }: { request: Request }) => void used.push(request.bodyUsed);
    const app = new Elysia()
      .post("/x", ({ body }) => ({ body }), { transform })
      .post("/none", () => "", { transform, parse: "none" });

    await send(app, "POST", '{"a":1}');
    await send(app, "POST", '{"a":1}', "/none");

    expect(used).toEqual([true, false]);
  });

  test("11: reads the body of a GET to answer HEAD", async () => {
    let pulled = 0;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          if (pulled++ === 5) controller.close();
          else controller.enqueue(new Uint8Array(1000));
        },
      });
    const app = new Elysia().get("/x", () => new Response(body(), { headers: { "content-length": "5000" } }));

    await send(app, "HEAD");

    expect(pulled).toBe(6);
  });

  test("12: finds no path after a host of three characters", async () => {
    const app = new Elysia().get("/x", () => "");

    expect((await send(app, "GET", undefined, "/x", "abc")).status).toBe(404);
    expect((await send(app, "GET", undefined, "/x", "abcd")).status).toBe(200);
  });

  test("13: answers a wrong method like an unknown path", async () => {
    const app = new Elysia().get("/x", () => "");

    expect((await send(app, "POST")).status).toBe(404);
  });

  test("14: gives null for a parameter that cannot be decoded", async () => {
    const app = new Elysia().get("/x/:name", ({ params }) => ({ params }));

    expect(await (await send(app, "GET", undefined, "/x/%E0%A4")).json()).toEqual({ params: { name: null } });
  });
});
