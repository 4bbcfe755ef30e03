import { join } from "node:path";
import { openReadOnly } from "../../../db/client.ts";
import { DATABASE } from "../../backup/manifest.ts";
import { listEveryPlayer } from "../../modules/pocket/players/service.ts";
import { plain } from "./members.ts";

/**
 * Returns lines about the music apps of a restored data folder: those of the day of the backup, so one that was removed since then
 * gets in again.
 *
 * @param createdAt When the backup was made, ISO 8601.
 */
export function linesOfMusicApps(dataDir: string, createdAt: string): string[] {
  const db = openReadOnly(join(dataDir, DATABASE));
  try {
    const apps = listEveryPlayer(db);
    if (apps.length === 0) return [];
    return [
      "Which music apps get in again:",
      ...apps.map(
        ({ id, name, username, email }) => `  ${plain(name)} (${username}) of ${plain(email)}, ${id}`,
      ),
      `Remove again those that were removed since ${createdAt.slice(0, 10)} (dubplate player revoke).`,
    ];
  } finally {
    db.$client.close();
  }
}
