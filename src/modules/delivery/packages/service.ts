export { writeArchive, writeFolder } from "./folder.ts";
export { linkPlan } from "./link.ts";
export { makeMarks } from "./marks.ts";
export { createPackages } from "./packages.ts";
export { archivePath, describePlan } from "./plan.ts";
export { findNamed } from "./queries.ts";
export { tagTableOf } from "./tag-table.ts";
