export { deleteAccount } from "./delete.ts";
export { exportAccount } from "./export.ts";
export { transferAccount } from "./transfer.ts";
