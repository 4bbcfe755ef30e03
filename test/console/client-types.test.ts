import { expect, test } from "bun:test";
import { clientTypes } from "../../scripts/client-types.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { createTestApp } from "../support/app.ts";

test("the console's types are those of the routes: else run bun scripts/client-types.ts", async () => {
  const { app, close } = await createTestApp();

  const types = clientTypes(openApiDocument(app.routes, ""));

  // Compared as a whole: a difference in 100 KB says nothing.
  expect(types === (await Bun.file("src/console/app/api/types.ts").text())).toBe(true);
  await close();
});
