/**
 * The job that goes once over what was there before, the newest first; payload `{ below }`, a sequence number. The migration queues it,
 * and each run queues the next.
 */
export const RELATE_OLD_JOB = "relate_old";
