export { deleteAccount } from "./delete.ts";
export { exportAccount } from "./export.ts";
