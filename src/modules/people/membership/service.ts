export { addToCast, changeInCast, getCast, removeFromCast } from "./cast.ts";
export { getAccess, leave, removeMember, tidyTeam } from "./ending.ts";
export { findInvitation, type Joining, join, type Visitor, visitorOf } from "./joining.ts";
export { listLog } from "./log.ts";
export { handOver } from "./owner.ts";
