import { constants } from "node:os";
import type { Deps } from "../kernel/deps.ts";
import { giveWay } from "../kernel/processes.ts";
import type { ReplicaSettings } from "../kernel/settings.ts";
import { HOUR_MS, MINUTE_MS } from "../kernel/time.ts";
import { findOperatorSeat } from "../modules/people/accounts/service.ts";
import { tellReplicaFailed } from "../modules/people/notifications/service.ts";
import type { Schedule } from "./schedule.ts";
import { readBackupState } from "./state.ts";

const LOOK_EVERY_MS = MINUTE_MS;
/** The wait after a failure: shorter than until the next check, but not zero. */
const RETRY_AFTER_MS = HOUR_MS;
/** For how long a replica that was never verified may still be in the making. */
const FIRST_AFTER_MS = 10 * MINUTE_MS;

/**
 * Runs `dubplate verify --replica` as a child process whenever the last one is older than `REPLICA_VERIFY_EVERY`. A
 * failure is logged, and the operator is notified.
 */
export function startReplicaChecks(deps: Deps, { source, verifyEveryMs }: ReplicaSettings): Schedule {
  const startedAt = deps.now();
  let triedAt = Number.NEGATIVE_INFINITY;
  let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;

  const run = async () => {
    // It inherits the environment: Litestream's keys for the store are there.
    const command = [...deps.selfCommand, "verify", "--replica", source];
    child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    giveWay(child.pid, constants.priority.PRIORITY_LOW);
    const [stdout, stderr, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    child = undefined;
    if (isStopping) return;
    if (code === 0) deps.log("info", "Verified the replica", { detail: stderr.trim() });
    else tellFailure(deps, stdout, stderr);
  };
  const look = () => {
    if (running || deps.now() < dueAt(deps, { verifyEveryMs, startedAt, triedAt })) return;
    triedAt = deps.now();
    running = run()
      .catch((error) => deps.log("error", "The replica could not be verified", { error }))
      .finally(() => {
        running = undefined;
      });
  };
  look();
  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(looking);
      child?.kill("SIGKILL");
      await running;
    },
  };
}

type Times = { verifyEveryMs: number; startedAt: number; triedAt: number };

function dueAt({ settings }: Deps, { verifyEveryMs, startedAt, triedAt }: Times): number {
  const { replicaCheckedAt, replicaFaults } = readBackupState(settings);
  const retryMs = Math.min(verifyEveryMs, RETRY_AFTER_MS);
  const next =
    replicaCheckedAt == null
      ? startedAt + Math.min(verifyEveryMs, FIRST_AFTER_MS)
      : replicaCheckedAt + (replicaFaults ? retryMs : verifyEveryMs);
  return Math.max(next, triedAt + retryMs);
}

/** @param stdout One finding per line. @param stderr The reason in one sentence. */
function tellFailure(deps: Deps, stdout: string, stderr: string): void {
  const findings = stdout.trim().split("\n");
  const first = /"detail":"((?:[^"\\]|\\.)*)"/.exec(stdout)?.[1];
  const detail = first ?? stderr.trim();
  deps.log("error", "The replica did not pass its check", { detail, findings: findings.slice(0, 20) });
  const operator = findOperatorSeat(deps);
  if (operator) tellReplicaFailed(deps, operator, detail);
}
