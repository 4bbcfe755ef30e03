import { publicUrlOf, type Settings } from "../kernel/settings.ts";
import type { Served } from "../server.ts";
import { type CommandContext, RefusedError } from "./command.ts";

/** `serve`: listens until the process is asked to stop. */
export async function serve({
  settings,
  say,
  untilStopped,
}: Pick<CommandContext<"serve">, "settings" | "say" | "untilStopped">): Promise<void> {
  const { programName } = await import("../library.ts");
  const server = await import("../server.ts");
  const { checkBucket } = await import("../store/bucket.ts");
  const isBucketSilent = (await checkBucket(settings)) === "silent";
  const onSetupCode = (code: string) =>
    say(`The last account was deleted. Set-up code for the next one: ${code}`);
  const served = start(() => server.startServer(settings, onSetupCode), settings);
  served.deps.log("info", "Dubplate listens", { address: served.address, dataDir: settings.dataDir });
  if (isBucketSilent)
    served.deps.log("warn", "The bucket does not answer: audio waits for it", {
      bucket: settings.bucket?.name,
    });
  if (served.setupCode === undefined) say(`Dubplate is ready at ${publicUrlOf(served.deps.settings)}`);
  else say(firstSteps(served.address, served.setupCode, programName(served.deps)));
  void served.ffmpeg.then((found) => {
    if (!found) served.deps.log("warn", "ffmpeg was not found: AAC and ALAC wait for it (doctor --fix)");
  });

  const reason = await untilStopped();
  served.deps.log("info", "Stopping", { reason });
  await served.stop();
}

function start(serving: () => Served, settings: Settings): Served {
  try {
    return serving();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new RefusedError(`Port ${settings.port} of ${settings.host} is in use: set PORT to another one`);
    throw error;
  }
}

/** Returns the first steps of a new owner: a page to open, and lines to copy into a terminal. */
export function firstSteps(address: string, setupCode: string, program: string): string {
  return `
  Dubplate is ready at ${address}

  Open this page and make your account: ${address}/setup
  Set-up code for the first account: ${setupCode}

  No music at hand? ${program} demo
  Every route of the API: ${address}/swagger

  Or from a terminal, with a song of yours: copy these lines into another one. They stop at the first that fails.

(
  stop() { echo "Stopped: $*"; exit 1; }
  DUBPLATE=${address}
  ANSWER=$(curl -sS --fail-with-body $DUBPLATE/auth/register -H 'Content-Type: application/json' \\
    -d '{"email":"you@example.com","password":"choose a long one","name":"You","setupCode":"${setupCode}"}') \\
    || stop "no account was made. $ANSWER"
  TOKEN=$(echo "$ANSWER" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  ANSWER=$(curl -sS --fail-with-body $DUBPLATE/integration/api-keys -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"first"}') || stop "no key was made. $ANSWER"
  KEY=$(echo "$ANSWER" | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')
  echo "Your API key, for later: $KEY"
  ANSWER=$(curl -sS --fail-with-body $DUBPLATE/api/v1/tracks/upload -H "X-API-Key: $KEY" -F 'files=@song.mp3') \\
    || stop "song.mp3 was not uploaded. $ANSWER"
  echo "Uploaded. It is analysed in about ten seconds ..."; sleep 10
  curl -sS --fail-with-body $DUBPLATE/api/v1/tracks/search -H "X-API-Key: $KEY" \\
    -H 'Content-Type: application/json' -d '{"query":"dark and driving, around 120 bpm"}' || stop "the search failed."
  echo
)
`;
}
