export { forgetUndos } from "./bulk.ts";
