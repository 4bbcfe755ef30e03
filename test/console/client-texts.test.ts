import { expect, test } from "bun:test";
import { join } from "node:path";
import { clientTexts, KEY_PLACE } from "../../src/console/app/screens/settings/client-texts.ts";

const ROOT = join(import.meta.dir, "../..");

test("docs/assistants.md shows for each client what the console gives to copy", async () => {
  const page = await Bun.file(join(ROOT, "docs/assistants.md")).text();
  // JSON is compared as data: the page has it on fewer lines.
  const blocks = [...page.matchAll(/^```(json|toml|sh)\n([\s\S]*?)^```$/gm)].map(([, kind, text = ""]) =>
    kind === "json" ? JSON.stringify(JSON.parse(text)) : text.trim(),
  );

  for (const { name, ways } of clientTexts("http://127.0.0.1:4747/mcp", KEY_PLACE))
    for (const way of ["key", "stdio"] as const) {
      const text = ways[way];
      // The page shows a program once, for most clients.
      if (text === undefined || (name === "VS Code" && way === "stdio")) continue;
      const compared = text.startsWith("{") ? JSON.stringify(JSON.parse(text)) : text;
      expect([name, way, blocks.includes(compared)]).toEqual([name, way, true]);
    }
});
