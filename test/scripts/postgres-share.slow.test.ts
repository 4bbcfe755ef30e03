import { expect, test } from "bun:test";
import { reasonOf } from "../../scripts/postgres-share/reasons.ts";
import { postgresSchema } from "../../scripts/postgres-share/schema.ts";
import { numbered } from "../../scripts/postgres-share/statement.ts";

test.each([
  ["SELECT ? + ?", "SELECT $1 + $2", 2],
  ["SELECT ?2, ?1", "SELECT $2, $1", 2],
  ["SELECT $a, $b, $a", "SELECT $1, $2, $1", 2],
  [`SELECT '?', "a?", ?`, `SELECT '?', "a?", $1`, 1],
  ["SELECT 1 -- why?\n, :x", "SELECT 1 -- why?\n, $1", 1],
])("%s gets numbered placeholders", (statement, text, count) => {
  expect(numbered(statement)).toEqual({ text, count });
});

test("every table but those of the full-text indexes is converted, with its key", () => {
  const { tables, triggers } = postgresSchema();
  const names = tables.map(({ name }) => name);

  expect(names).toContain("tracks");
  expect(names.filter((name) => name.includes("_docsize"))).toEqual([]);
  expect(tables.find(({ name }) => name === "saves")?.create).toEndWith(
    'PRIMARY KEY ("person_id", "entity", "entity_id"))',
  );
  expect(triggers).toBeGreaterThan(0);
});

test("a statement that does not plan has a reason", () => {
  expect(reasonOf("SELECT 1 FROM json_each(?)", "")).toStartWith("json_each");
  expect(reasonOf("SELECT x", 'column "x" does not exist')).toStartWith("others");
});
