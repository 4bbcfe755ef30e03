export { skipTo } from "./queries.ts";
export { type Digests, startDigests } from "./schedule.ts";
export { changeWishes, getWishes } from "./wishes.ts";
