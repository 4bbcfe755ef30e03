import { readSettings } from "../../src/config.ts";
import { closeLibrary, openLibrary } from "../../src/library.ts";
import {
  discardTrackFile,
  keepTrackFiles,
  stageTrackFile,
} from "../../src/modules/library/tracks/service.ts";
import { addVersion } from "../../src/modules/library/versions/add.ts";
import { activateVersion, deleteVersion } from "../../src/modules/library/versions/change.ts";
import { listTrackVersions } from "../../src/modules/library/versions/service.ts";
import { sine, wavBytes } from "../support/signals.ts";

// A second process on a library that a server has open: adds, activates and deletes versions of one track. Its
// arguments are the owner, the track, and how often; it prints how many of its changes were done.
const [ownerId = "", trackId = "", rounds = "0"] = process.argv.slice(2);
const deps = openLibrary(readSettings(Bun.env), process.stderr);
let done = 0;
try {
  for (let round = 0; round < Number(rounds); round++) {
    await add(round);
    const { versions } = listTrackVersions(deps, { accountId: ownerId }, trackId);
    attempt(() => activateVersion(deps, { ownerId, trackId, versionId: pick(versions, round).id }));
    attempt(() => deleteVersion(deps, { ownerId, trackId, versionId: pick(versions, 3 * round + 1).id }));
  }
} finally {
  closeLibrary(deps);
}
console.log(JSON.stringify({ done }));

async function add(round: number): Promise<void> {
  // Every other file has the same bytes as the server's uploads.
  const bytes = wavBytes([sine(8000, 0.1, 300 + (round % 4) * 10)], 8000, 16);
  const chunks = (async function* () {
    yield bytes;
  })();
  const file = await stageTrackFile(deps, { filename: `beside ${round}.wav`, bytes: chunks });
  try {
    await keepTrackFiles(deps, [file]);
    addVersion(deps, ownerId, trackId, { file, activate: round % 2 === 0 });
    done++;
  } finally {
    await discardTrackFile(file);
  }
}

/** Ignores refusals because the other process was first: the version is gone or has become active. */
function attempt(change: () => unknown): void {
  try {
    change();
    done++;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "active_version" && code !== "version_not_found") throw error;
  }
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("A track without versions");
  return item;
}
