import type { Deps } from "../../../kernel/deps.ts";
import { toIsoOrNull } from "../../../kernel/time.ts";
import { runCommand } from "./run.ts";
import type { Finding, Verification } from "./shapes.ts";

type CheckDeps = Pick<Deps, "settings" | "selfCommand" | "ffmpegPath" | "now" | "log">;

const MAX_FAULTS = 100;
const ENDED_EARLY = { path: null, detail: "The check ended early: run dubplate verify in a terminal" };

/** What `doctor` and `verify` say. They run beside the server, so that no request waits for them. */
export type ServerChecks = {
  /** Asks `doctor`. */
  findings: () => Promise<Finding[]>;
  /** What the last check of the library found. */
  verification: () => Verification;
  /** Starts to read every file of the library. While one check runs, no other begins. */
  verify: () => Verification;
};

export function createServerChecks(deps: CheckDeps): ServerChecks {
  let state: Verification = {
    isRunning: false,
    startedAt: null,
    endedAt: null,
    isSound: null,
    faults: [],
    faultCount: 0,
  };
  const run = async () => {
    const faults: Verification["faults"] = [];
    let faultCount = 0;
    const code = await runCommand(deps, ["verify"], ({ kind, path, detail }) => {
      if (kind === "unreferenced") return;
      faultCount++;
      if (faults.length < MAX_FAULTS)
        faults.push({ path: typeof path === "string" ? path : null, detail: String(detail) });
    });
    if (code !== 0 && faultCount === 0) faultCount = faults.push(ENDED_EARLY);
    const endedAt = toIsoOrNull(deps.now());
    state = { ...state, isRunning: false, endedAt, isSound: code === 0, faults, faultCount };
  };
  return {
    findings: async () => {
      const found: Finding[] = [];
      await runCommand(deps, ["doctor"], ({ check, ok, found: text, mend }) => {
        const remedy = typeof mend === "string" ? mend : null;
        found.push({ check: String(check), ok: ok === true, found: String(text), remedy });
      });
      return found;
    },
    verification: () => state,
    verify: () => {
      if (state.isRunning) return state;
      const startedAt = toIsoOrNull(deps.now());
      state = { isRunning: true, startedAt, endedAt: null, isSound: null, faults: [], faultCount: 0 };
      run().catch((error) => {
        deps.log("error", "The library could not be checked", { error });
        state = { ...state, isRunning: false, endedAt: toIsoOrNull(deps.now()), isSound: false };
      });
      return state;
    },
  };
}
