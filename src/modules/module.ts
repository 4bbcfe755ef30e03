import type { Db } from "../../db/client.ts";
import type { Operation } from "../http/operation.ts";
import type { Route } from "../http/route.ts";
import type { LazyJobs } from "../jobs/job.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Secrets } from "../kernel/secrets.ts";
import type { Turns } from "../kernel/turns.ts";
import type { Visitors } from "../pages/visitor.ts";
import type { Pools as AnalysisPools } from "./library/analysis/jobs.ts";
import type { RelatePool } from "./library/kinship/service.ts";
import type { AssistantParts } from "./outward/assistant/operations.ts";
import type { LiveParts } from "./outward/live/operations.ts";
import type { DocumentText } from "./outward/service/document-routes.ts";
import type { ServiceParts } from "./outward/service/operations.ts";
import type { AccountParts } from "./people/accounts/operations.ts";
import type { KeyParts } from "./people/keys/operations.ts";
import type { PlayerParts } from "./pocket/players/operations.ts";
import type { SharePageParts } from "./sharing/shares/pages/share-pages.tsx";
import type { ServerParts } from "./whole/operator/operations.ts";
import type { LoadLists, Transfer, TransferSome } from "./whole/ownership/service.ts";

/** What some operations and routes need beside {@link Deps}: what lives as long as the service. */
export type Parts = { turns: Turns; visitors: Visitors; documentText: DocumentText } & AccountParts &
  KeyParts &
  PlayerParts &
  AssistantParts &
  LiveParts &
  ServiceParts &
  SharePageParts &
  ServerParts;

/** The threads that jobs use. */
export type Pools = AnalysisPools & { relating: RelatePool };

/** What a module contributes to the program. */
export type Module = {
  /** Its folder. */
  name: string;
  operations?: readonly Operation[] | ((deps: Deps, parts: Parts) => readonly Operation[]);
  /** What it serves beside operations. */
  routes?: (deps: Deps, parts: Parts) => readonly Route[];
  jobs?: (deps: Deps, pools: Pools) => LazyJobs;
  /** Repairs what the last run left unfinished, before jobs run. */
  recover?: (deps: Deps) => void;
  /** The same for what takes long or needs ffmpeg, while requests are served. */
  recoverLater?: (deps: Deps, signal: AbortSignal) => void | Promise<void>;
  prune?: Prune;
  /** Gives what it has of an account to another one, in one transaction. */
  transfer?: Transfer;
  /** The same in small steps afterwards. */
  transferSome?: TransferSome;
  /** Loads the lists that it writes into the export of an account. */
  exported?: LoadLists;
  /** Seals with another master secret what it keeps sealed, by its kind. Each returns how many there were. */
  sealed?: Readonly<Record<string, (tx: Db, from: Secrets, to: Secrets) => number>>;
};

/** Deletes what a module keeps for some time only, once an hour. */
export type Prune = {
  run: (deps: Deps) => unknown;
  /** What the log says when it fails. */
  failure: string;
  /** It is run at the start too. */
  isAlsoAtStart?: true;
};
