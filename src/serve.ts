import { RefusedError, UsageError } from "./commands/command.ts";
import type { Settings } from "./kernel/settings.ts";
import { programName } from "./library.ts";
import { LibraryInUseError, type Served, startServer } from "./server.ts";

type Say = (text: string) => void;

/** `serve`: listens until the process is asked to stop (SIGINT, SIGTERM); a second request ends it at once. */
export async function serve(settings: Settings, args: readonly string[], say: Say): Promise<number> {
  if (args.length > 0) throw new UsageError("dubplate serve");
  const served = start(settings);
  served.deps.log("info", "Dubplate listens", { address: served.address, dataDir: settings.dataDir });
  if (served.setupCode !== undefined)
    say(firstSteps(served.address, served.setupCode, programName(served.deps)));
  if (served.deps.ffmpegPath === undefined)
    served.deps.log("warn", "ffmpeg was not found: AAC and ALAC wait for it (doctor --fix)");

  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve(name));
  });
  process.once("SIGINT", () => process.kill(process.pid, "SIGKILL"));
  served.deps.log("info", "Stopping", { signal });
  await served.stop();
  return 0;
}

function start(settings: Settings): Served {
  try {
    return startServer(settings);
  } catch (error) {
    if (error instanceof LibraryInUseError) throw new RefusedError(error.message);
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new RefusedError(`Port ${settings.port} of ${settings.host} is in use: set PORT to another one`);
    throw error;
  }
}

/** What a newcomer copies into a second terminal to get from nothing to a first search result. */
export function firstSteps(address: string, setupCode: string, program: string): string {
  return `
  Dubplate is ready at ${address}
  Set-up code for the first account: ${setupCode}

  From nothing to a first search result. Copy these lines into another terminal:

    DUBPLATE=${address}
    TOKEN=$(curl -s $DUBPLATE/auth/register -H 'Content-Type: application/json' \\
      -d '{"email":"you@example.com","password":"choose a long one","name":"You","setupCode":"${setupCode}"}' \\
      | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
    KEY=$(curl -s $DUBPLATE/integration/api-keys -H "Authorization: Bearer $TOKEN" \\
      -H 'Content-Type: application/json' -d '{"name":"first"}' | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')
    curl -s $DUBPLATE/api/v1/tracks/upload -H "X-API-Key: $KEY" -F 'files=@song.mp3'; echo
    sleep 10; curl -s $DUBPLATE/api/v1/tracks/search -H "X-API-Key: $KEY" \\
      -H 'Content-Type: application/json' -d '{"query":"dark and driving, around 120 bpm"}'; echo

  Every route: ${address}/swagger   No music at hand: ${program} demo
`;
}
