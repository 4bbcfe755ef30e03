import { expect, test } from "bun:test";
import { uploadFolder } from "../../scripts/upload-folder/flow.ts";
import { BROWSER_PATH } from "../pages/browser.ts";

test.skipIf(!BROWSER_PATH)("a folder arrives whole after two reloads and a killed server", async () => {
  const figures = await uploadFolder(BROWSER_PATH ?? "", { files: 40, say: () => undefined, isHeld: true });

  expect(figures).toMatchObject({ files: 40, tracks: 40, missing: 0, leftOver: 0 });
});
