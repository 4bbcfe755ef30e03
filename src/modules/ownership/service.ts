export { deleteAccount } from "./delete.ts";
export { exportAccount } from "./export.ts";
export { type Transferred, transferAccount } from "./transfer.ts";
