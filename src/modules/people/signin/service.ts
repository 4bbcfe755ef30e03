export { pruneFlows } from "./flows.ts";
export { createProvider, type Provider } from "./house.ts";
export type { Beyond } from "./joining.ts";
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
export {
  beginProvider,
  disconnectProvider,
  type Finished,
  finishProvider,
  mayConnect,
} from "./provider.ts";
export { getRecoveryCodes, removeRecoveryCodes, renewRecoveryCodes, signInWithCode } from "./recovery.ts";
export { takenInWords } from "./taken.ts";
export { getSignIn } from "./ways.ts";
