export { deleteAccount } from "./delete.ts";
export { exportAccount, type LoadLists } from "./export.ts";
export { importAccount } from "./import.ts";
export { type Transfer, type TransferSome, transferAccount } from "./transfer.ts";
