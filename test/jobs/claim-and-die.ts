// Test program: claims a job from the database named on the command line, says so, and waits to be killed.
import { openDb } from "../../db/client.ts";
import { claimJob } from "../../src/jobs/claim.ts";

const job = claimJob({ db: openDb(process.argv[2] ?? ""), now: Date.now }, "press");
process.stdout.write(`${job?.id ?? "none"}\n`);
setInterval(() => undefined, 1000);
