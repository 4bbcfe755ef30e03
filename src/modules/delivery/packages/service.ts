export { eraseDelivery, getDelivery, listDeliveries } from "./deliveries.ts";
export { writeArchive, writeFolder } from "./folder.ts";
export { linkPlan } from "./link.ts";
export { createPackages, type Packages } from "./packages.ts";
export { describePlan, type Plan } from "./plan.ts";
export { findNamed } from "./queries.ts";
export { tagTableOf } from "./tag-table.ts";
export { transferPackages } from "./transfer.ts";
