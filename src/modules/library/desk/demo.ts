import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LibraryId } from "../../../../db/schema.ts";
import { childCommandLine } from "../../../kernel/child-commands.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { importFile } from "../tracks/service.ts";

type DemoDeps = Pick<Deps, "db" | "now" | "settings" | "selfCommand">;

/** The tracks of the demo, and how many of them are new. */
export type AddedDemo = { trackIds: string[]; added: number };

/**
 * Adds three short pieces to an account's library. Another process synthesises them, so that others are served meanwhile. A
 * piece that the account already has is not added again.
 *
 * @throws DomainError `insufficient_storage`. Error when the process fails.
 */
export async function addDemo(deps: DemoDeps, ownerId: LibraryId): Promise<AddedDemo> {
  const folder = await mkdtemp(join(tmpdir(), "dubplate-demo-"));
  try {
    const child = Bun.spawn(childCommandLine(deps.selfCommand, "demo-pieces", folder), {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      env: {},
    });
    if ((await child.exited) !== 0) throw new Error(`The demo's process ended with ${child.exitCode}`);
    const imported = [];
    for (const name of (await readdir(folder)).sort())
      imported.push(await importFile(deps, ownerId, join(folder, name)));
    return {
      trackIds: imported.map(({ trackId }) => trackId),
      added: imported.filter(({ isNew }) => isNew).length,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
