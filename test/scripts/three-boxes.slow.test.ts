import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { START } from "../../scripts/three-boxes/proxies.ts";
import { freePort } from "../support/process.ts";

const folder = mkdtempSync(join(tmpdir(), "dubplate-boxes-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// `bun scripts/three-boxes.ts` runs the samples before three real servers.
describe.each(Object.entries(START))("the sample of %s for several machines", (program, start) => {
  test.skipIf(Bun.which(program) === null)(
    "sends each host name to its machine, and follows a move",
    async () => {
      const machines = ["one", "two"].map((name) => Bun.serve({ port: 0, fetch: () => new Response(name) }));
      const [one = 0, two = 0] = machines.map(({ port }) => port);
      const [port, dir] = [await freePort(), join(folder, program)];
      mkdirSync(dir);
      const proxy = await start(
        dir,
        port,
        new Map([
          ["ana.example.com", one],
          ["bo.example.com", two],
        ]),
      );
      const ask = async (host: string, path = "/") => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { host } }).catch(
          () => undefined,
        );
        return answer?.ok ? answer.text() : answer?.status;
      };
      try {
        while ((await ask("ana.example.com")) === undefined) await Bun.sleep(20);
        const before = [await ask("ana.example.com"), await ask("bo.example.com")];
        const metrics = await ask("ana.example.com", "/metrics");
        await proxy.reload(
          new Map([
            ["ana.example.com", two],
            ["bo.example.com", two],
          ]),
        );
        while ((await ask("ana.example.com")) !== "two") await Bun.sleep(20);

        expect([before, metrics]).toEqual([["one", "two"], 404]);
      } finally {
        await proxy.stop();
        await Promise.all(machines.map((machine) => machine.stop(true)));
      }
    },
  );
});
