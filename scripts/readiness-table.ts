import { PROFILES, RULES } from "../db/readiness.ts";

/**
 * Writes the table of rules at the end of `docs/readiness.md` anew: `bun scripts/readiness-table.ts`.
 */
const PAGE = new URL("../docs/readiness.md", import.meta.url).pathname;

/** Returns the lines of the table: each rule with its levels, when it fails, who supplies what is missing, and its source. */
export function readinessTable(): string[] {
  const head = `| rule | ${PROFILES.map(({ id }) => id).join(" | ")} | it fails when | supplied by | source |`;
  const rows = RULES.map((rule) => {
    const levels = PROFILES.map(({ rules }) => {
      const own = rules[rule.code];
      if (!own) return "";
      const level = own.level ?? rule.level;
      return own.limit === undefined ? level : `${level} (${own.limit})`;
    });
    return `| \`${rule.code}\` | ${levels.join(" | ")} | ${rule.says} | ${rule.suppliedBy} | ${rule.source} |`;
  });
  return [head, `|${" --- |".repeat(PROFILES.length + 4)}`, ...rows];
}

if (import.meta.main) {
  const page = await Bun.file(PAGE).text();
  const at = page.indexOf("| rule |");
  await Bun.write(PAGE, `${page.slice(0, at)}${readinessTable().join("\n")}\n`);
}
