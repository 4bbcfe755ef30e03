/** Preloaded into a test run: keeps the statements that it prepares in the file `STATEMENTS_FILE`. */
import { afterAll } from "bun:test";
import { writeFileSync } from "node:fs";
import { watchStatements } from "../../test/support/statements.ts";

const statements = watchStatements();
const file = process.env.STATEMENTS_FILE;
afterAll(() => {
  if (file) writeFileSync(file, JSON.stringify([...statements]));
});
