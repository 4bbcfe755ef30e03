export { deleteAccount } from "./delete.ts";
export { exportAccount } from "./export.ts";
export { importAccount } from "./import.ts";
export { transferAccount } from "./transfer.ts";
