import { expect, test } from "bun:test";
import { importAndKill } from "../../scripts/import-files/flow.ts";

test("an import that is killed and goes on loses no file and takes none twice", async () => {
  const figures = await importAndKill({ files: 120, kills: 2, say: () => undefined });

  expect(figures).toMatchObject({ versions: 120, lost: 0, doubled: 0 });
});
