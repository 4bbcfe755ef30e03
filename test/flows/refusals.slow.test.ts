import { walkRefusals } from "./refusals.ts";

walkRefusals("a checkout", () => ({ way: undefined, remove: () => {} }));
