import { CHECKOUT } from "../support/program-command.ts";
import { walkRefusals } from "./refusals.ts";

walkRefusals("a checkout", () => ({ way: { command: CHECKOUT }, remove: () => {} }), {
  isEveryCommand: false,
});
