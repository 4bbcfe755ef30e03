export { eraseDelivery, getDelivery, listDeliveries } from "./deliveries.ts";
export { createPackages, type Packages } from "./packages.ts";
export { describePlan, type Plan } from "./plan.ts";
export { tagTableOf } from "./tag-table.ts";
export { transferPackages } from "./transfer.ts";
