import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PROXIES } from "../../scripts/rack/proxies.ts";
import { SETTING_NAMES } from "../../src/config.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();
const folder = mkdtempSync(join(tmpdir(), "dubplate-rack-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns what a program says of a file, and whether it accepts it. */
async function said(command: readonly string[]): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, text: texts.join("\n") };
}

describe("the systemd units", () => {
  test.each([
    "UMask=0077",
    "ProtectSystem=strict",
    "NoNewPrivileges=yes",
    "PrivateTmp=yes",
    "StateDirectory=dubplate",
    "TimeoutStopSec=45",
    "Restart=on-failure",
  ])("the systemd units have %s", async (line) => {
    expect((await read("packaging/dubplate.service")).split("\n")).toContain(line);
  });

  test("does not try a refusal again", async () => {
    expect(await read("packaging/dubplate.service")).toMatch(/^RestartPreventExitStatus=1 2$/m);
  });

  test.skipIf(Bun.which("systemd-analyze") === null)("are accepted by systemd-analyze", async () => {
    const paths = ["dubplate.service", "dubplate-litestream.service"].map((name) => join(folder, name));
    for (const path of paths) {
      const unit = await read(`packaging/${basename(path)}`);
      await Bun.write(path, unit.replace(/\/usr\/local\/bin\/\w+/, process.execPath));
    }

    expect(await said(["systemd-analyze", "verify", ...paths])).toEqual({
      code: 0,
      text: expect.any(String),
    });
  });

  test("bind Litestream to the server, which it outlives", async () => {
    const lines = (await read("packaging/dubplate-litestream.service")).split("\n");

    for (const line of ["BindsTo=dubplate.service", "Before=dubplate.service", "WantedBy=dubplate.service"])
      expect(lines).toContain(line);
  });
});

test("the compose file keeps the library in a volume, and the rest read-only", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape
  const { services, volumes } = Bun.YAML.parse(await read("packaging/compose.yaml")) as any;

  expect(services.dubplate).toMatchObject({
    read_only: true,
    volumes: ["library:/data"],
    ports: ["127.0.0.1:4747:4747"],
    healthcheck: { test: expect.arrayContaining(["CMD"]) },
    cap_drop: ["ALL"],
  });
  expect(volumes).toHaveProperty("library");
  for (const name of Object.keys(services.dubplate.environment))
    expect(SETTING_NAMES as readonly string[]).toContain(name);
});

describe.each(PROXIES)("the sample for $program", ({ program, prepare }) => {
  test("has everything that rack-check replaces", async () => {
    mkdirSync(join(folder, program));

    const { check } = await prepare(join(folder, program), { outside: 4443, inside: 4747 });

    expect(check[0]).toBe(program);
  });

  test.skipIf(Bun.which(program) === null)("is accepted by it", async () => {
    const own = mkdtempSync(join(folder, program));
    const { check } = await prepare(own, { outside: 4443, inside: 4747 });

    expect(await said(check)).toEqual({ code: 0, text: expect.any(String) });
  });
});

describe("the alert rules", () => {
  test("use only metrics that docs/deploy.md has", async () => {
    const rules = await read("packaging/alerts.yaml");
    const docs = await read("docs/deploy.md");
    const exprs =
      (Bun.YAML.parse(rules) as { groups: { rules: { expr: string }[] }[] }).groups[0]?.rules ?? [];
    const used = exprs.flatMap(({ expr }) => expr.match(/\bdubplate_\w+/g) ?? []);

    expect(used.length).toBeGreaterThan(10);
    for (const name of used) expect(docs).toContain(`| \`${name.replace(/_bucket$/, "")}`);
  });

  test("say what happened and what to do", async () => {
    const { groups } = Bun.YAML.parse(await read("packaging/alerts.yaml")) as {
      groups: { rules: { annotations: Record<string, string> }[] }[];
    };

    for (const { annotations } of groups[0]?.rules ?? [])
      expect(annotations).toEqual({
        summary: expect.stringMatching(/\w/),
        what: expect.stringMatching(/\w/),
      });
  });

  test.skipIf(Bun.which("promtool") === null)("fire when they should, as promtool sees it", async () => {
    expect((await said(["promtool", "test", "rules", join(ROOT, "packaging/alerts.test.yaml")])).code).toBe(
      0,
    );
  });
});

test("docs/deploy.md names every service file", async () => {
  const docs = await read("docs/deploy.md");
  const files = readdirSync(join(ROOT, "packaging"), { withFileTypes: true }).filter((each) => each.isFile());

  for (const { name } of files.filter((each) => !each.name.includes(".test.")))
    expect(docs).toContain(`packaging/${name}`);
});
