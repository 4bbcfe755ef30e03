export { eraseDelivery, getDelivery, listDeliveries } from "./deliveries.ts";
export { createPackages, describePlan, type Packages, type Plan } from "./packages.ts";
export { tagTableOf } from "./tag-table.ts";
export { transferPackages } from "./transfer.ts";
