export { pruneFlows } from "./flows.ts";
export {
  addPasskey,
  beginNewPasskey,
  beginPasskey,
  listPasskeys,
  prove,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from "./passkeys.ts";
