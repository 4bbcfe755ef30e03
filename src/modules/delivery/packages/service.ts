export { writeArchive, writeFolder } from "./folder.ts";
export { linkPlan } from "./link.ts";
export { createPackages } from "./packages.ts";
export { describePlan } from "./plan.ts";
export { findNamed } from "./queries.ts";
export { tagTableOf } from "./tag-table.ts";
