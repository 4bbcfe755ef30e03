export { matchedGain } from "../../kernel/loudness.ts";
