/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sizeText } from "../../../../pages/size.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { counted, grouped } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { Accounts } from "./accounts.tsx";
import { CodeToCopy } from "./copy-button.tsx";
import { Fact, Part, SettingsFrame } from "./frame.tsx";
import { Health } from "./health.tsx";
import { ServerPeople } from "./server-people.tsx";

type Server = AnswerOf<"/app/server">["data"];

const LOOK_AGAIN_MS = 2000;

const serverQuery = () => query("/app/server", {}, { tracks: "all", analysis: "all" });
const readServer = () => queryClient.invalidateQueries({ queryKey: serverQuery().queryKey });

/** The server, for its operator: its contents, backups, faults and accounts. */
export default function ServerScreen() {
  const { data, error, refetch } = useQuery(serverQuery());
  return (
    <SettingsFrame heading="Server">
      <Problem error={error} onRetry={refetch} />
      {data && (
        <>
          <Overview server={data.data} />
          <Backups server={data.data} />
          <Health />
          <Accounts />
          <ServerPeople />
        </>
      )}
    </SettingsFrame>
  );
}

function Overview({ server }: { server: Server }) {
  const { version, build, dataDir, disk, sizes, counts, queue, ffmpeg } = server;
  const jobs = [
    `${grouped(queue.running)} running`,
    `${grouped(queue.waiting)} waiting`,
    ...(queue.dead > 0 ? [`${grouped(queue.dead)} given up`] : []),
  ];
  return (
    <Part heading="This server">
      <dl class="settings-facts">
        <Fact name="Version">
          {version}
          {build !== null && <span class="soft"> ({build})</span>}
        </Fact>
        <Fact name="Data folder">
          <span class="mono">{dataDir}</span>
        </Fact>
        <Fact name="Disk">
          {sizeText(disk.freeBytes)} free of {sizeText(disk.totalBytes)}
          {disk.totalBytes > 0 && (
            <meter
              class="server-disk"
              aria-label="Disk in use"
              max={disk.totalBytes}
              high={0.9 * disk.totalBytes}
              value={disk.totalBytes - disk.freeBytes}
            />
          )}
        </Fact>
        <Fact name="Originals">
          {sizeText(sizes.originalsBytes)} <span class="soft">in {grouped(counts.versions)} versions</span>
        </Fact>
        <Fact name="Copies for browsers">{sizeText(sizes.renditionsBytes)}</Fact>
        <Fact name="Database">
          {sizeText(sizes.databaseBytes)} <span class="soft">for {grouped(counts.tracks)} tracks</span>
        </Fact>
        <Fact name="Work in the background">{jobs.join(", ")}</Fact>
        <Fact name="ffmpeg">
          {ffmpeg === null ? (
            "Not found: only the built-in decoders are used"
          ) : (
            <span class="mono">{ffmpeg}</span>
          )}
        </Fact>
      </dl>
    </Part>
  );
}

function Backups({ server }: { server: Server }) {
  const { backup, verification, program } = server;
  /** When the newest backup was, as the download began; undefined: none is under way. */
  const waitsSince = useSignal<string | undefined>(undefined);
  const last = `${backup.lastSuccessAt} ${backup.lastFailureAt}`;
  const isWaiting = waitsSince.value === last;
  useLookAgain(isWaiting || verification.isRunning);
  const backUp = () => {
    waitsSince.value = last;
    download("/app/server/backup");
    toast("Making the backup. Your browser saves it when it is ready.");
  };
  const verify = async () => {
    await dataOf(api.POST("/app/server/verify"));
    await readServer();
  };
  return (
    <Part
      heading="Backup"
      note="One file with everything: database, music, pictures and the secret that seals them. Keep it on another disk."
      tools={
        <span class="buttons">
          <Button look="secondary small" disabled={verification.isRunning} run={verify}>
            Verify files
          </Button>
          <Button look="small" run={backUp}>
            Back up now
          </Button>
        </span>
      }
    >
      <dl class="settings-facts">
        <Fact name="Last backup">{lastWords(backup)}</Fact>
        <Fact name="Schedule">{scheduleWords(backup.schedule)}</Fact>
        <Fact name="Files">
          <VerificationWords verification={verification} />
        </Fact>
      </dl>
      {backup.schedule === null && (
        <>
          <p class="soft">To have the server back itself up, start it with a folder on another disk:</p>
          <CodeToCopy text="BACKUP_DIR=/mnt/backups BACKUP_EVERY=24h" />
        </>
      )}
      <p class="soft">To restore a backup, stop the server and start with an empty data folder:</p>
      <CodeToCopy text={`${program} restore dubplate-${new Date().toISOString().slice(0, 10)}.tar`} />
    </Part>
  );
}

/** Reads the state again for as long as something goes on that says nothing by itself. */
function useLookAgain(isGoingOn: boolean): void {
  useEffect(() => {
    if (!isGoingOn) return;
    const looking = setInterval(() => void readServer(), LOOK_AGAIN_MS);
    return () => clearInterval(looking);
  }, [isGoingOn]);
}

/** Has the browser save an answer, however large it is: a form goes past the script's memory. */
function download(path: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = href(path);
  document.body.append(form);
  form.submit();
  form.remove();
}

function lastWords({ lastSuccessAt, lastBytes, lastFailureAt }: Server["backup"]) {
  const hasFailed = lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt > lastSuccessAt);
  return (
    <>
      {lastSuccessAt === null ? (
        "No backup yet"
      ) : (
        <span title={wholeTime(lastSuccessAt)}>
          {ago(lastSuccessAt)}
          {lastBytes !== null && `, ${sizeText(lastBytes)}`}
        </span>
      )}
      {hasFailed && <span class="server-trouble"> The one {ago(lastFailureAt)} failed.</span>}
    </>
  );
}

function scheduleWords(schedule: Server["backup"]["schedule"]) {
  if (schedule === null) return "None";
  const { dir, everyHours, keep } = schedule;
  const kept = Object.entries(keep).map(([period, count]) => `${count} ${period}`);
  const every = everyHours === 24 ? "Every day" : `Every ${grouped(everyHours)} hours`;
  return (
    <>
      {every} into <span class="mono">{dir}</span>
      {kept.length > 0 && <span class="soft">, kept: {kept.join(", ")}</span>}
    </>
  );
}

function VerificationWords({ verification }: { verification: Server["verification"] }) {
  const { isRunning, isSound, endedAt, faults, faultCount } = verification;
  if (isRunning) return <span role="status">Every file is being read …</span>;
  if (isSound === null || endedAt === null) return <>Not verified since the server started</>;
  if (isSound) return <span class="server-good">All sound, verified {ago(endedAt)}</span>;
  return (
    <>
      <span class="server-trouble">
        {counted(faultCount, "fault")} found {ago(endedAt)}
      </span>
      <ul class="server-faults">
        {faults.map(({ path, detail }, index) => (
          <li key={index}>
            {path !== null && <span class="mono">{path}: </span>}
            {detail}
          </li>
        ))}
      </ul>
    </>
  );
}
