export { type Exported, exportAccount } from "./export.ts";
