/**
 * Attacks `import --export` as somebody would who hands an operator a folder: with links, paths out of it, files and hashes
 * of others, and rows that no export has. It starts two servers, exports an account of the first, changes copies of the
 * export, and takes each in on the second with the real command line. Prints what held; exit 1 when something did not.
 *
 *     bun scripts/import-attacks.ts
 */
import "./support/help.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grabPowers, ON_FILES, ON_ROWS, prepareAttacks } from "../test/support/export-attacks.ts";
import { DUBPLATE } from "./bench/processes.ts";

const elsewhere = mkdtempSync(join(tmpdir(), "dubplate-attacks-"));
const ground = await prepareAttacks({ command: DUBPLATE, cwd: elsewhere });
const broken: string[] = [];

function tell(name: string, held: boolean, said: string): void {
  if (!held) broken.push(name);
  console.log(`${held ? "held  " : "BROKEN"}  ${name}: ${said.trim().replaceAll("\n", " / ")}`);
}

try {
  for (const { name, change, refused } of [...ON_FILES, ...ON_ROWS]) {
    const { code, stderr } = await ground.attack(change);
    tell(name, code === 1 && refused.test(stderr), stderr || `exit ${code}`);
  }
  const accounts = await ground.target.run(["account", "list"]);
  tell("no account came along", accounts.rows.length === 1, `${accounts.rows.length} on the server`);

  const { code, stderr } = await ground.attack(grabPowers);
  tell("powers are left out", code === 0 && stderr.includes("act-as-user"), stderr);
  const asVictim = await fetch(`${ground.address}/api/v1/tracks?limit=10`, {
    headers: { "x-api-key": ground.actingKey, "x-act-as-user": ground.victim.accountId },
  });
  tell("acting as another account", asVictim.status === 403, String(asVictim.status));
  const platform = await fetch(`${ground.address}/api/v1/platform/accounts`, { headers: ground.ana.byKey });
  tell("a platform key", platform.status === 403, String(platform.status));
  const verified = await ground.target.run(["verify"]);
  tell("the library is sound", verified.code === 0, `verify: exit ${verified.code}`);
} finally {
  await ground.close();
  rmSync(elsewhere, { recursive: true });
}
console.log(broken.length === 0 ? "Everything held." : `${broken.length} did not hold.`);
process.exitCode = broken.length === 0 ? 0 : 1;
